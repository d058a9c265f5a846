import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Anvil, anvilForTests, anvilMissing } from './anvil.ts'
import { ANY, type Expected, newStory, SELF, type Story } from './scenario.ts'
import { access5, governor5, openZeppelin4Story, proxies5, timelock } from './scenario-openzeppelin.ts'
import { compound, tokens, workshop } from './scenario-patterns.ts'
import { safe } from './scenario-safe.ts'
import { catalog, caughtUp, startWatching, storedEvents } from './watching.ts'

/** Chain id → what happens there. */
const LIVES: Readonly<Record<number, (story: Story) => Promise<void>>> = {
  1: async (story) => {
    await proxies5(story)
    await access5(story)
    await timelock(story, 5)
    await governor5(story)
    await safe(story, '1.4.1')
  },
  8453: async (story) => {
    await tokens(story)
    await compound(story)
    await openZeppelin4Story(story)
    await timelock(story, 4)
    await safe(story, '1.3.0')
  },
  137: async (story) => {
    await workshop(story)
    await safe(story, '1.5.0')
    await proxies5(story)
  },
}

const categoryOf = new Map(catalog.rows.map((row) => [row.key, row.category]))

test('every control event of real contracts arrives as what it is', { skip: anvilMissing }, async () => {
  const { database } = await createTestDatabase()
  const nodes = await Promise.all(Object.keys(LIVES).map((id) => anvilForTests(Number(id))))
  const stories = new Map<Anvil, Story>()
  await Promise.all(
    nodes.map(async (node) => {
      const story = await newStory(node)
      stories.set(node, story)
      await LIVES[node.chainId]?.(story)
    }),
  )
  for (const [{ chainId }, { contracts }] of stories)
    for (const [address, kind] of contracts) await saveContract(database, { chainId, address }, { kind })

  const watching = startWatching(database, nodes, { discover: false })
  for (const node of nodes) await caughtUp(database, node)
  await watching.stop()

  const keys = new Set<string>()
  for (const [{ chainId }, { expected, contracts }] of stories) {
    const stored = (await storedEvents(database, chainId)).filter((event) => contracts.has(event.address))
    const seen = stored.map(({ txHash, address, key, category, severity, isInit, args }, at) => {
      keys.add(key)
      return { txHash, address, key, category, severity, isInit, args: blur(args, expected[at]?.args) }
    })
    const wanted = expected.map((event) => ({
      txHash: event.txHash,
      address: event.address,
      key: event.key,
      category: categoryOf.get(event.key),
      severity: event.severity,
      isInit: event.isInit,
      args: ownAddress(event),
    }))
    seen.forEach((event, at) => assert.deepEqual(event, wanted[at], `chain ${chainId}, event ${at}`))
    assert.equal(seen.length, wanted.length, `chain ${chainId}`)
  }
  assert.ok(keys.size >= 60, `${keys.size} keys`)
  assert.equal(new Set([...keys].map((key) => categoryOf.get(key))).size, 8)
})

/** Values that only the chain knows are compared by their presence. */
function blur(args: object, wanted: object = {}): object {
  const open = new Map(Object.entries(wanted).filter(([, value]) => value === ANY))
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, open.has(name) ? ANY : value]))
}

function ownAddress({ args, address }: Expected): object {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, value === SELF ? address : value]))
}
