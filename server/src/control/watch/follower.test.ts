import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_EVENT } from '../../../../testing/evm/sample-event.ts'
import type { Hex } from '../../lib/hex.ts'
import type { RpcPool } from '../rpc/pool.ts'
import type { RpcRequest } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { createFollower } from './follower.ts'
import { ReorgTooDeepError } from './reorg.ts'
import { createScope } from './scope.ts'
import type { WatchStore } from './watch-store.ts'

const NOW = Date.parse('2026-03-01T00:00:00Z')
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

const EMITTER = `0x${'ab'.repeat(20)}` as const
/** The log that every block has. */
const logOf = (number: number): object => ({
  address: EMITTER,
  topics: [hash(1)],
  data: '0x',
  blockNumber: `0x${number.toString(16)}`,
  blockHash: hash(number),
  transactionHash: hash(900),
  transactionIndex: '0x0',
  logIndex: '0x0',
})

/**
 * A follower at block 10, verified up to block 8, and endpoints with these heads. One without a head fails. `isForked`
 * replaces block 10 once it is requested.
 */
function setUp(...heads: readonly (number | undefined)[]) {
  let now = NOW
  let given = heads
  let startBlock = 0
  let isForked = false
  let requested: number | undefined
  const stored: unknown[] = []
  const ids = heads.map((_, id) => id)
  const preferred: (number | undefined)[] = []
  const request = async <T>(
    { method, params, parse }: RpcRequest<T>,
    { only, prefer }: { only?: number; prefer?: number } = {},
  ) => {
    if (method === 'eth_getBlockByNumber') preferred.push(prefer)
    const from = only ?? prefer ?? 0
    const head = given[from]
    if (head === undefined) throw new NoEndpointError('test', 0, [])
    const [filter] = params as readonly { readonly blockHash?: Hex }[]
    if (method === 'eth_getLogs') return { value: parse([logOf(Number(filter?.blockHash))]), from }
    const number = params[0] === 'latest' || params[0] === undefined ? head : Number(params[0])
    const block = {
      number: `0x${number.toString(16)}`,
      hash: hash(number === 10 && isForked ? 0xb10 : number),
      parentHash: hash(number - 1),
      timestamp: '0x1',
    }
    return { value: parse(method === 'eth_blockNumber' ? block.number : block), from }
  }
  const cursor = { number: 10, hash: hash(10), time: 0 }
  const store: Partial<WatchStore> = {
    findState: async () => ({ cursor, startBlock, verifiedTo: 8, reorgs: 3, window: [cursor] }),
    findBackfillRequest: async () => requested,
    extendHistory: async (_, { startBlock, blocks, jobs }) => {
      requested = undefined
      stored.push([startBlock, blocks.map(({ number }) => number), jobs])
    },
    stopWatching: async () => [],
    getPending: async () => [],
    // The emitter exists since block 1, so that no node is asked.
    getFacts: async () => [{ address: EMITTER, absentUntil: 0, presentFrom: 1, txHash: hash(1) }],
    getReferenced: async (addresses) => new Set(addresses),
    getRoleClasses: async () => new Map(),
    advance: async (_, { blocks, events }) =>
      void stored.push([blocks.map(({ number }) => number), events.map(({ blockNumber }) => blockNumber)]),
    handOver: async (_, { to, jobs }) => void stored.push([to.number, jobs]),
  }
  const follower = createFollower(
    {
      timing: { now: () => now, sleep: async () => {} },
      pool: { chain: 'test', all: ids, available: () => ids, request } as unknown as RpcPool,
      store: store as WatchStore,
      scope: createScope({ topicsFor: () => [hash(1)] }, [{ address: EMITTER, kind: undefined }]),
      catalog: { decode: () => SAMPLE_EVENT, kindProvenBy: () => undefined },
      fence: () => ({ name: 'watch', holder: 'me', fence: 1 }),
    },
    {
      settings: { chain: 'test', confirmations: 0, reorgLimit: 5, blocksPerStep: 4, maxLag: 50 },
      startBlock: undefined,
      discover: false,
      readTransactions: false,
    },
  )
  return {
    follower,
    preferred,
    stored,
    startAt: (block: number) => (startBlock = block),
    fork: () => (isForked = true),
    requestBackfill: (block: number) => (requested = block),
    pass: (ms: number) => (now += ms),
    setHeads: (...more: readonly (number | undefined)[]) => (given = more),
  }
}

test('an endpoint that fails returns no head: silence does not look like keeping up', async () => {
  const { follower, setHeads, pass } = setUp(10, 10)
  await follower.chooseEndpoint()
  assert.equal(follower.headAt(), NOW)
  pass(60_000)
  setHeads(undefined, undefined)
  await follower.chooseEndpoint()
  await assert.rejects(follower.step(), NoEndpointError)
  assert.equal(follower.headAt(), NOW)
  setHeads(undefined, 10)
  await follower.chooseEndpoint()
  assert.equal(follower.headAt(), NOW + 60_000)
})

test('an endpoint that lags behind another is left', async () => {
  const { follower, preferred, setHeads } = setUp(10, 13)
  await follower.chooseEndpoint()
  await follower.step().catch(() => {})
  assert.equal(preferred[0], undefined, 'three blocks are normal')
  setHeads(10, 14)
  await follower.chooseEndpoint()
  preferred.length = 0
  await follower.step().catch(() => {})
  assert.equal(preferred[0], 1)
})

test('the progress of the second pass is dropped if a reorg happened since', async () => {
  const { follower } = setUp(10)
  await follower.step()
  assert.equal(follower.snapshot()?.verifiedTo, 8)
  follower.setVerified(9, 2)
  assert.equal(follower.snapshot()?.verifiedTo, 8)
  follower.setVerified(9, 3)
  assert.equal(follower.snapshot()?.verifiedTo, 9)
})

test('events are stored from the start block on', async () => {
  const { follower, stored, startAt } = setUp(13)
  startAt(12)
  await follower.step()
  assert.deepEqual(stored, [
    [
      [11, 12, 13],
      [12, 13],
    ],
  ])
})

test('a gap is read from the first block that is not verified, and its events are announced', async () => {
  const { follower, stored } = setUp(100)
  await follower.step()
  const gap = { scope: 'gap', addresses: [], from: 9, to: 95, announce: true }
  assert.deepEqual(stored[0], [95, [gap]])
})

test('no gap is left to a job if the cursor block is no longer on the chain', async () => {
  const { follower, stored, fork } = setUp(100)
  fork()
  await assert.rejects(follower.step(), ReorgTooDeepError)
  assert.deepEqual(stored, [])
})

test('earlier history has jobs up to the old start, for all contracts, and blocks that may be replaced', async () => {
  const { follower, stored, startAt, requestBackfill } = setUp(10)
  startAt(8)
  requestBackfill(2)
  await follower.step()
  const job = { from: 2, to: 7, announce: false }
  const jobs = [
    { scope: 'chainwide', addresses: [], ...job },
    { scope: 'contracts', addresses: [EMITTER], ...job },
  ]
  assert.deepEqual(stored, [[2, [5, 6, 7, 8, 9], jobs]])
  await follower.step()
  assert.equal(stored.length, 1)
})
