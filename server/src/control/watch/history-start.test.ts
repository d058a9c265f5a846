import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RpcPool } from '../rpc/pool.ts'
import type { RpcRequest } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { historyStartOf } from './history-start.ts'

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
