import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, numberToHex } from 'viem'
import { anvilForTests, anvilMissing } from '../server/test/chain/anvil.ts'
import { CHAIN_OPTIONS, EVENTS_A_BLOCK, FINAL_BLOCKS, makeEventChain, readLogs } from './event-chain.ts'

test('the chain has the same events in every block, then empty blocks, whatever the timing', {
  skip: anvilMissing,
}, async () => {
  const node = await anvilForTests(1, CHAIN_OPTIONS)
  const blocks = 20
  const made = await makeEventChain(node, blocks * EVENTS_A_BLOCK)
  assert.equal(made.events, blocks * EVENTS_A_BLOCK)
  assert.equal(made.eventBlocks, blocks)
  // The first block and that of the deployment stand before.
  assert.equal(made.blocks, 2 + blocks + FINAL_BLOCKS)

  const logs: number[] = []
  for (let number = 0; number < made.blocks; number += 1) {
    const block = numberToHex(number)
    const found = await node.rpc<readonly unknown[]>('eth_getLogs', { fromBlock: block, toBlock: block })
    logs.push(found.length)
  }
  assert.deepEqual(logs, [
    0,
    0,
    ...Array.from({ length: blocks }, () => EVENTS_A_BLOCK),
    ...Array.from({ length: FINAL_BLOCKS }, () => 0),
  ])

  const read = await readLogs(node, made.address)
  assert.equal(read.keys.size, made.events)
  assert.ok(read.keys.has(`2/0`) && read.keys.has(`${1 + blocks}/${EVENTS_A_BLOCK - 1}`))
  // Blocks come by themselves again.
  const before = Number(await node.rpc<Hex>('eth_blockNumber'))
  assert.equal(await node.rpc('anvil_getAutomine'), true)
  assert.equal(before, made.blocks - 1)
})
