import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RpcPool } from '../rpc/pool.ts'
import type { RpcRequest } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { OtherBranchError } from './chain-snapshot.ts'
import { fillWindow, historyStartOf, NodeBehindError, planStart } from './plan-start.ts'

const NOW = Date.parse('2026-03-01T00:00:00Z')
const settings = { chain: 'test', confirmations: 2, reorgLimit: 100, blocksPerStep: 4, maxLag: 50 }

/** A node with blocks up to `head`, the newest `age` old, that may report that it is synchronizing. */
function nodeAt(head: number, age: number, isSyncing = false): RpcPool {
  const blockOf = (number: number): object => ({
    number: `0x${number.toString(16)}`,
    hash: `0x${number.toString(16).padStart(64, '0')}`,
    parentHash: `0x${'0'.repeat(64)}`,
    timestamp: `0x${((NOW - age) / 1_000).toString(16)}`,
  })
  return {
    chain: 'test',
    all: [0],
    available: () => [0],
    hostOf: () => 'node.example',
    close: () => {},
    request: async <T>(rpcRequest: RpcRequest<T>) => {
      const [block] = rpcRequest.params
      if (rpcRequest.method === 'eth_syncing')
        return { value: rpcRequest.parse(isSyncing ? { currentBlock: '0x1' } : false), from: 0 }
      return { value: rpcRequest.parse(blockOf(block === 'latest' ? head : Number(block))), from: 0 }
    },
  }
}

const start = (pool: RpcPool, startBlock?: number) => planStart({ pool }, { settings, startBlock, now: NOW })

test('a synchronizing node is waited for: its old blocks must not be announced', async () => {
  await assert.rejects(start(nodeAt(0, 86_400_000 * 365, true)), NodeBehindError)
  await assert.rejects(
    start(nodeAt(5_000, 3_601_000, true), 10),
    /node.example is synchronizing, its newest block is from 2026-02-28T22:59:59/,
  )
})

test('a chain with an old head starts if its node is not synchronizing', async () => {
  assert.equal((await start(nodeAt(5_000, 86_400_000))).startBlock, 4_998)
  assert.equal((await start(nodeAt(5_000, 60_000, true))).startBlock, 4_998)
})

test('a chain starts at its finalized block with a history job, or at its head without one', async () => {
  const { window, startBlock, jobs } = await start(nodeAt(5_000, 12_000), 10)
  assert.deepEqual(
    [window.at(-1)?.number, startBlock, jobs.map(({ from, to }) => [from, to])],
    [4_900, 10, [[10, 4_900]]],
  )
  const young = await start(nodeAt(5_000, 12_000))
  assert.deepEqual([young.window.at(-1)?.number, young.startBlock, young.jobs], [4_997, 4_998, []])
})

test('a history of one block has a job', async () => {
  const { startBlock, jobs } = await start(nodeAt(5_000, 12_000), 4_900)
  assert.deepEqual([startBlock, jobs.map(({ from, to }) => [from, to])], [4_900, [[4_900, 4_900]]])
})

test('the start is followed by ancestors, one of them final, for a reorg across it', async () => {
  const { window } = await start(nodeAt(5_000, 12_000))
  assert.deepEqual(
    window.map(({ number }) => number),
    [4_900, 4_933, 4_965, 4_981, 4_989, 4_993, 4_995, 4_996, 4_997],
  )
})

/** A node whose block 12 is on another branch than its block 13 if `isTorn`. */
const chainOf = (isTorn: boolean): RpcPool => ({
  ...nodeAt(20, 0),
  request: async <T>(rpcRequest: RpcRequest<T>) => {
    const number = Number(rpcRequest.params[0])
    const hash = (of: number): string => `0x${of.toString(16).padStart(64, isTorn && of === 12 ? 'b' : '0')}`
    const parentHash = `0x${(number - 1).toString(16).padStart(64, '0')}`
    const block = { number: `0x${number.toString(16)}`, hash: hash(number), parentHash, timestamp: '0x1' }
    return { value: rpcRequest.parse(block), from: 0 }
  },
})
const stored = (number: number, fill = '0') =>
  ({ number, hash: `0x${number.toString(16).padStart(64, fill)}`, time: 1_000 }) as const

test('missing blocks of the window are read, from the first one on', async () => {
  const filled = await fillWindow({ pool: chainOf(false) }, [stored(10), stored(14)], 10)
  assert.deepEqual(filled, [stored(11), stored(12), stored(13)])
  assert.deepEqual(await fillWindow({ pool: chainOf(false) }, [stored(13), stored(14)], 13), [])
})

test('blocks of another branch do not fill the window', async () => {
  await assert.rejects(fillWindow({ pool: chainOf(true) }, [stored(10), stored(14)], 10), OtherBranchError)
  await assert.rejects(fillWindow({ pool: chainOf(false) }, [stored(10, 'c'), stored(14)], 10), OtherBranchError)
})

/** A node on which the contract has code from `created` on, with state from `stateFrom` on. */
const nodeWith = (created: number, stateFrom = 0): Pick<RpcPool, 'request'> => ({
  request: async <T>(rpcRequest: RpcRequest<T>) => {
    const block = Number(rpcRequest.params[1])
    if (block < stateFrom) throw new NoEndpointError('ethereum', 0, [])
    return { value: rpcRequest.parse(block >= created ? '0x6001' : '0x'), from: 0 }
  },
})

const startOf = (deployBlock: number | undefined, node: Pick<RpcPool, 'request'>): Promise<number> =>
  historyStartOf({ pool: node as RpcPool }, { address: `0x${'1'.repeat(40)}`, deployBlock }, 100)

test('history starts at the deployment block if the node confirms it', async () => {
  assert.equal(await startOf(500, nodeWith(500)), 500)
})

test('a deployment block that the node does not confirm is ignored', async () => {
  assert.equal(await startOf(500, nodeWith(400)), 100, 'it was deployed earlier')
  assert.equal(await startOf(500, nodeWith(600)), 100, 'no code after the block: the node may lack the old state')
  assert.equal(await startOf(500, nodeWith(500, 1_000)), 100, 'no node has the state')
  assert.equal(await startOf(50, nodeWith(50)), 100, 'it is before the start')
  assert.equal(await startOf(undefined, nodeWith(500)), 100)
})
