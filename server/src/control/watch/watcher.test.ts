/** The watcher on a store whose connection is lost after a commit: the result of the step is not known. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStore } from '../../../../testing/sim/memory-store.ts'
import { simChain } from '../../../../testing/sim/sim-chain.ts'
import { CALM, simNode } from '../../../../testing/sim/sim-node.ts'
import { virtualTime } from '../../../../testing/sim/virtual-time.ts'
import { simulatedChain } from '../../../../testing/sim/watch.sim.ts'
import { catalog } from '../../../../testing/sim/watch-checks.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { createRpcPool } from '../rpc/pool.ts'
import type { WatchStore } from './watch-store.ts'
import { createWatcher } from './watcher.ts'

/** Watches a growing chain. The first call of `method` that changes something commits, and its result is lost. */
function watchWith(method: 'startWatching' | 'advanceSecondPass') {
  const random = seededRandom(7)
  const time = virtualTime(Date.parse('2026-03-01T00:00:00Z'))
  const chain = simChain({ random, now: time.now })
  const node = simNode({ chain, random, timing: time }, { faults: CALM, chainId: 31_337, quietUntilFinal: 9 })
  const store = memoryStore({ now: time.now, reorgLimit: 24, onViolation: assert.fail })
  let isLost = false
  const lost: Pick<WatchStore, typeof method> = {
    ...store,
    [method]: async (...given: never) => {
      await (store[method] as (...args: never) => Promise<void>)(...given)
      if (isLost) return
      isLost = true
      throw new Error('the connection is lost')
    },
  }
  const pool = createRpcPool(
    { timing: time, report: () => {} },
    { chain: 'simulated', chainId: 31_337, urls: ['http://node'], transport: () => node.transport },
  )
  const watcher = createWatcher(
    {
      timing: time,
      catalog,
      pool,
      store: { ...store, ...lost },
      leases: store.leasesOf('first'),
      log: { warn: () => {}, info: () => {} },
    },
    { chain: simulatedChain(0), discover: false, verifyDelayMs: 10_000 },
  )
  void watcher.run(new AbortController().signal)
  const grow = async (blocks: number): Promise<void> => {
    for (let n = 0; n < blocks; n += 1) {
      chain.mine()
      await time.run(() => false, 2_000)
    }
  }
  return { chain, store, time, grow, wasLost: () => isLost }
}

test('contracts are watched although the result of storing them is lost', async () => {
  const { chain, store, grow, wasLost } = watchWith('startWatching')
  await grow(20)
  for (const address of chain.addresses) await store.register({ address, kind: undefined })
  await grow(30)
  assert.ok(wasLost())
  const { startBlock = 0, cursor } = (await store.findState()) ?? {}
  const expected: string[] = []
  for (let number = startBlock; number <= (cursor?.number ?? 0); number += 1)
    for (const log of chain.at(chain.tip(), number)?.logs ?? [])
      if (catalog.decode(log) !== undefined) expected.push(`${number}:${log.logIndex}`)
  assert.ok(expected.length > 10)
  const stored = (await store.getEvents()).map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`)
  assert.deepEqual(
    expected.filter((one) => !stored.includes(one)),
    [],
  )
})

test('the second pass continues although the result of a step is lost', async () => {
  const { chain, store, time, grow, wasLost } = watchWith('advanceSecondPass')
  await grow(20)
  await time.run(() => false, 30_000)
  assert.ok(wasLost())
  assert.equal((await store.findState())?.verifiedTo, chain.tip().number)
})
