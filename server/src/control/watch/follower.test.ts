import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from '../../lib/hex.ts'
import type { RpcPool } from '../rpc/pool.ts'
import type { RpcRequest } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { createFollower } from './follower.ts'
import { createScope } from './scope.ts'
import type { WatchStore } from './watch-store.ts'

const NOW = Date.parse('2026-03-01T00:00:00Z')
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

/** A follower at block 10, and endpoints with these heads. One without a head fails. */
function setUp(...heads: readonly (number | undefined)[]) {
  let now = NOW
  let given = heads
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
    const number = params[0] === 'latest' || params[0] === undefined ? head : Number(params[0])
    const block = {
      number: `0x${number.toString(16)}`,
      hash: hash(number),
      parentHash: hash(number - 1),
      timestamp: '0x1',
    }
    return { value: parse(method === 'eth_blockNumber' ? block.number : block), from }
  }
  const cursor = { number: 10, hash: hash(10), time: 0 }
  const store: Partial<WatchStore> = {
    findState: async () => ({ cursor, startBlock: 0, verifiedTo: 8, reorgs: 3, window: [cursor] }),
    findBackfillRequest: async () => undefined,
    stopWatching: async () => [],
    getPending: async () => [],
  }
  const follower = createFollower(
    {
      timing: { now: () => now, sleep: async () => {} },
      pool: { chain: 'test', all: ids, available: () => ids, request } as unknown as RpcPool,
      store: store as WatchStore,
      scope: createScope({ topicsFor: () => [] }, []),
      catalog: { decode: () => undefined, kindProvenBy: () => undefined },
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
