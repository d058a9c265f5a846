import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Anvil, anvilForTests, anvilMissing } from './anvil.ts'
import { ANY, type ExpectedEvent, newScenario, type Scenario, SELF } from './scenario.ts'
import { access5, governor5, openZeppelin4Scenario, proxies5, timelock } from './scenario-openzeppelin.ts'
import { compound, tokens, workshop } from './scenario-patterns.ts'
import { safe } from './scenario-safe.ts'
import { catalog, caughtUp, startWatching, storedEvents } from './watching.ts'

/** The scenario of each chain, by chain id. */
const SCENARIOS: Readonly<Record<number, (scenario: Scenario) => Promise<void>>> = {
  1: async (scenario) => {
    await proxies5(scenario)
    await access5(scenario)
    await timelock(scenario, 5)
    await governor5(scenario)
    await safe(scenario, '1.4.1')
  },
  8453: async (scenario) => {
    await tokens(scenario)
    await compound(scenario)
    await openZeppelin4Scenario(scenario)
    await timelock(scenario, 4)
    await safe(scenario, '1.3.0')
  },
  137: async (scenario) => {
    await workshop(scenario)
    await safe(scenario, '1.5.0')
    await proxies5(scenario)
  },
}

const categoryOf = new Map(catalog.rows.map((row) => [row.key, row.category]))

test('every control event of real contracts is stored with its key, category, severity and arguments', {
  skip: anvilMissing,
}, async () => {
  const { database } = await createTestDatabase()
  const nodes = await Promise.all(Object.keys(SCENARIOS).map((id) => anvilForTests(Number(id))))
  const scenarios = new Map<Anvil, Scenario>()
  await Promise.all(
    nodes.map(async (node) => {
      const scenario = await newScenario(node)
      scenarios.set(node, scenario)
      await SCENARIOS[node.chainId]?.(scenario)
    }),
  )
  for (const [{ chainId }, { contracts }] of scenarios)
    for (const [address, kind] of contracts) await saveContract(database, { chainId, address }, { kind })

  const watching = startWatching(database, nodes, { discover: false, readTransactions: false })
  for (const node of nodes) await caughtUp(database, node)
  await watching.stop()

  const keys = new Set<string>()
  for (const [{ chainId }, { expected, contracts }] of scenarios) {
    const stored = (await storedEvents(database, chainId)).filter((event) => contracts.has(event.address))
    const actual = stored.map(({ txHash, address, key, category, severity, isInit, args }, at) => {
      keys.add(key)
      return { txHash, address, key, category, severity, isInit, args: maskUnknown(args, expected[at]?.args) }
    })
    const wanted = expected.map((event) => ({
      txHash: event.txHash,
      address: event.address,
      key: event.key,
      category: categoryOf.get(event.key),
      severity: event.severity,
      isInit: event.isInit,
      args: withEmitter(event),
    }))
    actual.forEach((event, at) => assert.deepEqual(event, wanted[at], `chain ${chainId}, event ${at}`))
    assert.equal(actual.length, wanted.length, `chain ${chainId}`)
  }
  assert.ok(keys.size >= 60, `${keys.size} keys`)
  assert.equal(new Set([...keys].map((key) => categoryOf.get(key))).size, 8)
})

/** Replaces values that the chain determines by `ANY`, so that only their presence is compared. */
function maskUnknown(args: object, wanted: object = {}): object {
  const open = new Map(Object.entries(wanted).filter(([, value]) => value === ANY))
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, open.has(name) ? ANY : value]))
}

function withEmitter({ args, address }: ExpectedEvent): object {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, value === SELF ? address : value]))
}
