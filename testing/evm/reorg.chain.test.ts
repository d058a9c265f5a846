import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { createWatchStore } from '../../server/src/control/watch/watch-store-pg.ts'
import { createTestDatabase } from '../support/database.ts'
import { seededRandom } from '../support/random.ts'
import { type Anvil, anvilForTests, anvilMissing } from './anvil.ts'
import { type Deployed, type Evm, evmOf } from './evm.ts'
import { artifact, call } from './scenario.ts'
import { caughtUp, startWatching, storedEvents } from './watching.ts'

const CHAIN = 1

/** Replaces the last blocks. The first few new blocks contain other events. */
async function reorganize(node: Anvil, evm: Evm, spammer: Deployed, depth: number, salt: number): Promise<void> {
  const pairs = Array.from({ length: Math.min(depth, 4) }, (_, n) => {
    const data = call(spammer, 'spam', [3n, BigInt(salt + n)])
    return [{ from: evm.accounts[0], to: spammer.address, data, gas: '0x200000' }, n]
  })
  await node.rpc('anvil_reorg', depth, pairs)
}

test('after reorgs of 1, 5 and 60 blocks the stored events equal those of a fresh backfill', {
  skip: anvilMissing,
}, async () => {
  const { database } = await createTestDatabase()
  const node = await anvilForTests(CHAIN)
  const evm = await evmOf(node)
  const spammer = await evm.deploy(artifact('Spammer'))
  await saveContract(database, { chainId: CHAIN, address: spammer.address })
  const watching = startWatching(database, [node])
  const random = seededRandom(2026)
  await grow(evm, spammer, 70)
  let salt = 1_000
  for (const depth of [1, 60, 5, 1, 5, 60, 1].toSorted(() => random.next() - 0.5)) {
    // The reorg comes sometimes when the watcher is at the head, sometimes while it still reads.
    if (random.chance(0.6)) await caughtUp(database, node)
    await reorganize(node, evm, spammer, depth, (salt += 100))
    await grow(evm, spammer, random.between(1, 6), (salt += 100))
  }
  await caughtUp(database, node)
  await watching.stop()
  const followed = await storedEvents(database, CHAIN)

  const state = await createWatchStore({ database }, CHAIN).findState()
  assert.ok((state?.reorgs ?? 0) > 0)

  const fresh = await createTestDatabase()
  await saveContract(fresh.database, { chainId: CHAIN, address: spammer.address })
  const reader = startWatching(fresh.database, [node])
  await caughtUp(fresh.database, node)
  await reader.stop()
  assert.deepEqual(followed, await storedEvents(fresh.database, CHAIN))
  assert.ok(followed.length > 50, `${followed.length} events`)
})

async function grow(evm: Evm, spammer: Deployed, blocks: number, salt = 0): Promise<void> {
  for (let n = 0; n < blocks; n += 1) await evm.send(spammer, 'spam', [3n, BigInt(salt + n)])
}
