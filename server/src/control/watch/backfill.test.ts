import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NoEndpointError } from '../node/faults.ts'
import type { NodePool } from '../node/pool.ts'
import type { Job, WatchStore } from '../store/watch-store.ts'
import { createBackfill } from './backfill.ts'
import type { LiveChain } from './live-chain.ts'
import type { RangeReader } from './read-range.ts'
import { createScope } from './scope.ts'

const job = (id: number, from: number): Job => ({
  id,
  scope: 'chainwide',
  addresses: [],
  from,
  to: from + 9,
  next: from,
  phase: 'read',
  announce: false,
})

test('a job that no node can serve does not keep the others waiting', async () => {
  let jobs: readonly Job[] = [job(1, 0), job(2, 100)]
  const store: Pick<WatchStore, 'getJobs' | 'moveJob' | 'getFacts'> = {
    getJobs: async () => jobs,
    getFacts: async () => [],
    moveJob: async (_, { job: { id }, next, phase }) => {
      jobs = jobs.map((one) => (one.id === id ? { ...one, next, phase } : one))
    },
  }
  const ranges: Pick<RangeReader, 'read'> = {
    read: async (from, to) => {
      if (from < 100) throw new NoEndpointError('test', 0, [])
      return { to, logs: [], source: 'node' }
    },
  }
  const cursor = { number: 1_000, hash: '0x1', time: 0 } as const
  const live: Partial<LiveChain> = { cursor, window: [cursor], rewinds: 0, keepFrom: 900, reader: 0 }
  const backfill = createBackfill(
    {
      timing: { now: () => 0, sleep: async () => {} },
      pool: { chain: 'test', all: [0], hostOf: () => 'node' } as unknown as NodePool,
      store: store as WatchStore,
      ranges: ranges as RangeReader,
      catalog: { decode: () => undefined },
      scope: createScope({ topicsFor: () => [] }, []),
      fence: () => ({ name: 'watch', holder: 'me', fence: 1 }),
      live: () => live as LiveChain,
    },
    { verifyAfterMs: 1_000, lanes: 1, rewindLimit: 100, discover: true },
  )
  const { signal } = new AbortController()
  for (let n = 0; n < 2; n += 1) await assert.rejects(backfill.run(signal), NoEndpointError)
  assert.deepEqual(
    jobs.map(({ phase }) => phase),
    ['read', 'verify'],
  )
})
