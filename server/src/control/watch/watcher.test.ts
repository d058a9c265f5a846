/** The watcher and its store: steps that are refused, and steps whose result is lost with the connection. */
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

/** Watches a growing chain. The first call of `method` commits, and its result is lost. */
function watch(method?: 'startWatching' | 'advanceSecondPass') {
  const random = seededRandom(7)
  const time = virtualTime(Date.parse('2026-03-01T00:00:00Z'))
  const chain = simChain({ random, now: time.now })
  const node = simNode({ chain, random, timing: time }, { faults: CALM, chainId: 31_337, quietUntilFinal: 9 })
  const store = memoryStore({ now: time.now, reorgLimit: 24, onViolation: assert.fail })
  let isLost = false
  const refused: string[] = []
  const wrap = ([name, work]: readonly [string, (...args: unknown[]) => Promise<unknown>]) =>
    [
      name,
      async (...args: unknown[]) => {
        const result = await work(...args).catch((error: unknown) => {
          refused.push(name)
          throw error
        })
        if (name !== method || isLost) return result
        isLost = true
        throw new Error('the connection is lost')
      },
    ] as const
  const pool = createRpcPool(
    { timing: time, report: () => {} },
    { chain: 'simulated', chainId: 31_337, urls: ['http://node'], transport: () => node.transport },
  )
  const watcher = createWatcher(
    {
      timing: time,
      catalog,
      pool,
      store: Object.fromEntries(
        Object.entries(store as unknown as Record<string, never>).map(wrap),
      ) as unknown as WatchStore,
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
  return { chain, store, time, grow, refused, wasLost: () => isLost }
}

test('contracts are watched although the result of storing them is lost', async () => {
  const { chain, store, grow, wasLost } = watch('startWatching')
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
  const { chain, store, time, grow, wasLost } = watch('advanceSecondPass')
  await grow(20)
  await time.run(() => false, 30_000)
  assert.ok(wasLost())
  assert.equal((await store.findState())?.verifiedTo, chain.tip().number)
})

test('the state in memory stays the stored one: no step is refused after a reorg or a long gap', async () => {
  const { chain, store, time, grow, refused } = watch()
  await grow(20)
  chain.reorganise(9) // deeper than the first block that is not verified
  await grow(20)
  for (let n = 0; n < 120; n += 1) chain.mine()
  await grow(20)
  await time.run(() => false, 60_000)
  const state = await store.findState()
  assert.deepEqual(
    [state?.reorgs, state?.cursor.number, state?.verifiedTo, await store.getJobs()],
    [1, chain.tip().number, chain.tip().number, []],
  )
  assert.deepEqual(refused, [])
})
