import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_EVENT } from '../../../../testing/evm/sample-event.ts'
import type { Log } from '../rpc/parse.ts'
import type { RpcPool } from '../rpc/pool.ts'
import type { RangeReader } from '../rpc/range-reader.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { createBackfill } from './backfill.ts'
import type { ChainSnapshot } from './chain-snapshot.ts'
import { createScope } from './scope.ts'
import type { Job, WatchStore } from './watch-store.ts'

const job = (id: number, from: number, more: Partial<Job> = {}): Job => ({
  id,
  scope: 'chainwide',
  addresses: [],
  from,
  to: from + 9,
  next: from,
  phase: 'read',
  announce: false,
  ...more,
})

const EMITTER = `0x${'ab'.repeat(20)}` as const

type Given = {
  readonly endpoints?: number
  /** The logs of a range. */
  readonly logsOf?: (from: number, to: number) => readonly Log[]
}

/** `onRead` is called before each range is read, once or twice, and may throw to fail the read. */
function setUp(
  given: readonly Job[],
  onRead: (from: number) => unknown,
  rangeSize = 100,
  { endpoints = 1, logsOf = () => [] }: Given = {},
) {
  let jobs = given
  let now = 0
  let reorgs = 0
  const advanced: {
    readonly next: number
    readonly phase: string
    readonly reorgs: number
    readonly events: readonly number[]
  }[] = []
  const store: Pick<
    WatchStore,
    'getJobs' | 'advanceJob' | 'getFacts' | 'getReferenced' | 'getIdentities' | 'getRoleClasses'
  > = {
    getJobs: async () => jobs.filter(({ phase }) => phase !== 'done'),
    // The emitter exists since block 1, so that no node is asked.
    getFacts: async () => [{ address: EMITTER, absentUntil: 0, presentFrom: 1, txHash: '0x1' }],
    getReferenced: async (addresses) => new Set(addresses),
    getIdentities: async () => new Set(),
    getRoleClasses: async () => new Map(),
    advanceJob: async (_, { job: { id }, next, phase, events, reorgs: reorgsThen }) => {
      advanced.push({ next, phase, reorgs: reorgsThen, events: events.map(({ blockNumber }) => blockNumber) })
      jobs = jobs.map((one) => (one.id === id ? { ...one, next, phase } : one))
    },
  }
  const read: RangeReader['readTwice'] = async (from, to) => {
    onRead(from)
    const end = Math.min(to, from + rangeSize - 1)
    return { to: end, logs: logsOf(from, end), source: 'node' }
  }
  const ranges: RangeReader = { read, readTwice: read }
  const cursor = { number: 1_000, hash: '0x1', time: 0 } as const
  const snapshot: Partial<ChainSnapshot> = { cursor, window: [cursor], lastFinalized: 899, endpoint: 0 }
  const backfill = createBackfill(
    {
      timing: { now: () => now, sleep: async () => {} },
      pool: {
        chain: 'test',
        all: Array.from({ length: endpoints }, (_, at) => at),
        hostOf: () => 'node',
      } as unknown as RpcPool,
      store: store as WatchStore,
      ranges,
      catalog: { decode: () => SAMPLE_EVENT, kindProvenBy: () => undefined },
      scope: createScope({ topicsFor: () => [] }, []),
      fence: () => ({ name: 'watch', holder: 'me', fence: 1 }),
      snapshot: () => ({ ...snapshot, reorgs }) as ChainSnapshot,
    },
    { verifyAfterMs: 1_000, parallelJobs: 1, reorgLimit: 100, discover: true },
  )
  return {
    run: () => backfill.run(new AbortController().signal),
    pass: (ms: number) => {
      now += ms
    },
    add: (...more: readonly Job[]) => {
      jobs = [...jobs, ...more]
    },
    reorganize: () => {
      reorgs += 1
    },
    phases: () => jobs.map(({ phase }) => phase),
    advanced,
  }
}

const failBelow100 = (from: number): void => {
  if (from < 100) throw new NoEndpointError('test', 0, [])
}

test('a job that no node can serve does not block the others', async () => {
  const { run, phases } = setUp([job(1, 0), job(2, 100)], failBelow100)
  for (let n = 0; n < 2; n += 1) await assert.rejects(run(), NoEndpointError)
  assert.deepEqual(phases(), ['read', 'verify'])
})

test('a failing job does not block the second pass of another', async () => {
  const { run, pass, phases } = setUp([job(1, 0), job(2, 100, { phase: 'verify', announce: true })], failBelow100)
  await assert.rejects(run(), NoEndpointError)
  assert.deepEqual(phases(), ['read', 'verify'], 'the delay before the second pass starts')
  pass(1_000)
  await assert.rejects(run(), NoEndpointError)
  assert.deepEqual(phases(), ['read', 'done'])
})

test('gaps come before history, and first reads before second passes', async () => {
  const order: number[] = []
  const again = { phase: 'verify' } as const
  const jobs = [job(1, 100, again), job(2, 200), job(3, 300, { ...again, announce: true }), job(4, 400)]
  const { run, pass, add } = setUp(jobs, (from) => order.push(from))
  await run()
  pass(1_000)
  add(job(5, 500), job(6, 600, { announce: true }))
  await run()
  assert.deepEqual(order, [200, 400, 600, 300, 500, 100, 200, 400])
})

test('a gap interrupts history, also later if it failed first', async () => {
  const order: string[] = []
  const history = job(1, 100, { to: 299 })
  const { run, pass, phases } = setUp(
    [history, job(2, 500, { phase: 'verify', announce: true })],
    (from) => {
      const isGap = from >= 500
      order.push(isGap ? 'gap' : 'history')
      if (!isGap) pass(order.includes('gap') ? 20_000 : 300)
      else if (order.indexOf('gap') === order.length - 1) throw new NoEndpointError('test', 0, [])
    },
    10,
  )
  await assert.rejects(run(), NoEndpointError)
  assert.ok(order.length < 10, `${order.length} ranges before it gave way`)
  await run()
  assert.deepEqual(phases(), ['verify', 'done'])
  assert.ok(order.lastIndexOf('gap') < 20, `${order.lastIndexOf('gap')} ranges before it was interrupted again`)
})

/** The ranges read by a job until it is done, each by its first block. */
async function rangesOf(of: Job, endpoints: number, rangeSize: number): Promise<readonly number[]> {
  const ranges: number[] = []
  const { run, pass, phases } = setUp([of], (from) => ranges.push(from), rangeSize, { endpoints })
  await run()
  assert.deepEqual(phases(), ['verify'])
  pass(999)
  await run()
  assert.deepEqual(phases(), ['verify'], 'the delay before the second read')
  pass(1)
  await run()
  assert.deepEqual(phases(), ['done'])
  return ranges
}

test('two endpoints read a job again from its first block, a single one the recent blocks', async () => {
  assert.deepEqual(await rangesOf(job(1, 10, { to: 309 }), 2, 150), [10, 160, 10, 160])
  assert.deepEqual(await rangesOf(job(1, 10, { to: 309 }), 1, 150), [10, 160, 209])
  assert.deepEqual(await rangesOf(job(1, 10, { to: 19 }), 1, 150), [10, 10])
})

test('the last block of a job is read, however the ranges end', async () => {
  assert.deepEqual(await rangesOf(job(1, 10, { to: 19 }), 2, 9), [10, 19, 10, 19])
})

test('a large range is stored in whole blocks, each event once and none left out', async () => {
  const [FIRST, BLOCKS, LOGS] = [10, 5, 1_500]
  const logsOf = (from: number, to: number): readonly Log[] =>
    Array.from({ length: BLOCKS * LOGS }, (_, at) => ({
      address: EMITTER,
      topics: [],
      data: '0x' as const,
      blockNumber: FIRST + Math.floor(at / LOGS),
      blockHash: '0x1' as const,
      blockTime: 1_000,
      txHash: '0x2' as const,
      txIndex: 0,
      logIndex: at % LOGS,
    })).filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to)
  const whole = job(1, FIRST, { to: FIRST + BLOCKS - 1 })
  const { run, advanced } = setUp([whole], () => {}, 100, { logsOf })
  await run()
  assert.deepEqual(
    advanced.map(({ next, events }) => [next, events[0], events.at(-1), events.length]),
    [
      [12, 10, 11, 2 * LOGS],
      [10, 12, 14, 3 * LOGS], // not much more than a chunk; and then the second read
    ],
  )
})

test('a range is stored with the reorgs at its read, so that a reorg since then voids it', async () => {
  const { run, reorganize, advanced } = setUp([job(1, 10, { to: 29 })], () => reorganize(), 10)
  await run()
  assert.deepEqual(
    advanced.map(({ next, reorgs }) => [next, reorgs]),
    [
      [20, 0],
      [10, 1],
    ],
  )
})

test('a job is not read beyond the cursor, and goes on when the cursor has moved', async () => {
  const { run, advanced, phases } = setUp([job(1, 995)], () => {})
  await run()
  assert.deepEqual([advanced.map(({ next }) => next), phases()], [[1_001], ['read']])
})
