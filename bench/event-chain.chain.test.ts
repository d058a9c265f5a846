import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { anvilForTests, anvilMissing } from '../testing/evm/anvil.ts'
import { CHAIN_OPTIONS, EVENTS_A_BLOCK, FINAL_BLOCKS, makeEventChain, readLogs } from './event-chain.ts'
import { startRecordedNode } from './recorded-node.ts'

test('the chain has the same events in every block, then empty blocks', {
  skip: anvilMissing,
}, async () => {
  const node = await anvilForTests(1, CHAIN_OPTIONS)
  const blocks = 4
  const made = await makeEventChain(node, blocks * EVENTS_A_BLOCK)
  assert.equal(made.events, blocks * EVENTS_A_BLOCK)
  assert.equal(made.eventBlocks, blocks)
  // The first block and the deployment precede them.
  assert.equal(made.blocks, 2 + blocks + FINAL_BLOCKS)

  const found = await node.rpc<readonly { blockNumber: Hex }[]>('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })
  const logs = Map.groupBy(found, ({ blockNumber }) => Number(blockNumber))
  assert.deepEqual(
    [...logs].map(([block, { length }]) => [block, length]),
    [2, 3, 4, 5].map((block) => [block, EVENTS_A_BLOCK]),
  )

  const read = await readLogs(node.url, made)
  const recorded = await startRecordedNode(node.url)
  const reads = [await readLogs(recorded.url, made), await readLogs(recorded.url, made)]
  await recorded.stop()
  for (const { keys, megabytes } of reads) assert.deepEqual([keys, megabytes > 0], [read.keys, true])
  assert.equal(read.keys.size, made.events)
  assert.ok(read.keys.has(`2/0`) && read.keys.has(`${1 + blocks}/${EVENTS_A_BLOCK - 1}`))
  // Automatic mining is on again.
  const before = Number(await node.rpc<Hex>('eth_blockNumber'))
  assert.equal(await node.rpc('anvil_getAutomine'), true)
  assert.equal(before, made.blocks - 1)
})
