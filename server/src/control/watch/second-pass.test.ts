import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_EVENT } from '../../../../testing/evm/sample-event.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Log } from '../rpc/parse.ts'
import type { RpcPool } from '../rpc/pool.ts'
import type { RangeReader } from '../rpc/range-reader.ts'
import { type ChainSnapshot, OtherBranchError } from './chain-snapshot.ts'
import { createScope } from './scope.ts'
import { createSecondPass, missedIn } from './second-pass.ts'
import type { WatchStore } from './watch-store.ts'

const NOW = Date.parse('2026-03-01T00:00:00Z')
const DELAY = 60_000
const hash = (number: number, branch = 'a'): Hex => `0x${branch}${number}`
const emitter: Hex = `0x${'ab'.repeat(20)}`
const log = (blockNumber: number, logIndex: number, branch = 'a'): Log => ({
  address: emitter,
  topics: ['0x1'],
  data: '0x',
  blockNumber,
  blockHash: hash(blockNumber, branch),
  blockTime: undefined,
  txHash: '0xf',
  txIndex: 0,
  logIndex,
})

/** Blocks 5 to 9 are stored, up to block 5 verified; one request goes at most two blocks far. */
function setUp(
  logs: readonly Log[],
  { startBlock = 0, time = NOW - 3_600_000, stored = [] as readonly string[], isWatched = true } = {},
) {
  let now = NOW
  const window = [5, 6, 7, 8, 9].map((number) => ({ number, hash: hash(number), time }))
  let verifiedTo = 5
  const read: [number, number][] = []
  const advanced: { readonly after: number; readonly to: number; readonly events: readonly string[] }[] = []
  const discovered: Hex[] = []
  const readTwice: RangeReader['readTwice'] = async (from, to) => {
    read.push([from, to])
    const end = Math.min(to, from + 1)
    return { to: end, logs: logs.filter((one) => one.blockNumber >= from && one.blockNumber <= end), source: 'node' }
  }
  const store: Partial<WatchStore> = {
    getIdentities: async () => new Set(stored),
    // The emitter exists since block 1, so that no node is asked.
    getFacts: async () => [{ address: emitter, absentUntil: 0, presentFrom: 1, txHash: '0x1' }],
    getReferenced: async (addresses) => new Set(addresses),
    getRoleClasses: async () => new Map(),
    advanceSecondPass: async (_, { after, to, events, discovered: found }) => {
      discovered.push(...found)
      advanced.push({ after, to, events: events.map((event) => `${event.blockNumber}:${event.logIndex}`) })
      verifiedTo = to
    },
  }
  const secondPass = createSecondPass(
    {
      timing: { now: () => now, sleep: async () => {} },
      pool: { chain: 'test' } as RpcPool,
      store: store as WatchStore,
      ranges: { readTwice, read: () => assert.fail('read once') },
      catalog: { decode: () => SAMPLE_EVENT, kindProvenBy: () => undefined },
      scope: createScope({ topicsFor: () => ['0x1'] }, isWatched ? [{ address: emitter, kind: undefined }] : []),
      fence: () => ({ name: 'watch', holder: 'me', fence: 1 }),
      discover: true,
      readTransactions: false,
    },
    DELAY,
  )
  const snapshot = { chain: 'test', window, startBlock, reorgs: 0, lastFinalized: 0 }
  return {
    read,
    advanced,
    discovered,
    pass: (ms: number) => (now += ms),
    step: () => secondPass.step({ ...snapshot, verifiedTo } as unknown as ChainSnapshot),
  }
}

test('a block is verified some time after it was first seen, however old its timestamp is', async () => {
  const { step, pass, read } = setUp([])
  assert.equal(await step(), undefined)
  pass(DELAY - 1)
  assert.equal(await step(), undefined)
  assert.deepEqual(read, [])
  pass(1)
  assert.equal(await step(), 7)
})

test('a block with a timestamp in the future is verified some time after that', async () => {
  const { step, pass } = setUp([], { time: NOW + 5_000 })
  await step()
  pass(DELAY)
  assert.equal(await step(), undefined)
  pass(5_000)
  assert.equal(await step(), 7)
})

test('blocks are verified from the first unverified one, and only as far as they were read', async () => {
  const { step, pass, read, advanced } = setUp([log(6, 0), log(8, 0)])
  await step()
  pass(DELAY)
  while ((await step()) !== undefined);
  assert.deepEqual(read, [
    [6, 9],
    [8, 9],
  ])
  assert.deepEqual(advanced, [
    { after: 5, to: 7, events: ['6:0'] },
    { after: 7, to: 9, events: ['8:0'] },
  ])
})

test('logs of another branch stop the second pass', async () => {
  const { step, pass, advanced } = setUp([log(6, 0, 'b')])
  await step()
  pass(DELAY)
  await assert.rejects(step(), OtherBranchError)
  assert.deepEqual(advanced, [])
})

test('events before the start block are left out, those of the start block are not', async () => {
  const { step, pass, advanced } = setUp([log(6, 0), log(7, 0)], { startBlock: 7 })
  await step()
  pass(DELAY)
  await step()
  assert.deepEqual(advanced[0]?.events, ['7:0'])
})

test('a stored event does not hide another one of its block', async () => {
  const { step, pass, advanced } = setUp([log(6, 0), log(6, 1), log(7, 0)], { stored: ['6:0', '7:0'] })
  await step()
  pass(DELAY)
  await step()
  assert.deepEqual(advanced[0]?.events, ['6:1'])
})

test('a missed log is interpreted with the other logs of its block', () => {
  const { logs, isMissed } = missedIn([log(6, 0), log(6, 1), log(7, 0)], new Set(['6:0', '7:0']))
  assert.deepEqual(
    logs.map((one) => [one.blockNumber, one.logIndex, isMissed(one)]),
    [
      [6, 0, false],
      [6, 1, true],
    ],
  )
})

test('a contract that only the second pass found is discovered', async () => {
  const { step, pass, discovered } = setUp([log(6, 0)], { isWatched: false })
  await step()
  pass(DELAY)
  await step()
  assert.deepEqual(discovered, [emitter])
})
