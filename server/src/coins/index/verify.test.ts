import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { systemTiming } from '../../lib/clock.ts'
import { hashHex } from '../parse/block.ts'
import { findTip } from './coin-index.ts'
import { withSnapshot } from './kv.ts'
import { type VerifyDeps, verifyIndex } from './verify.ts'

test('a coin with an empty script counts in the totals and is not scanned, because no descriptor names it', async () => {
  const chain = await startMemoryChain()
  await chain.add([], [{ value: 7, script: Buffer.alloc(0) }])
  const { index, source } = chain.served
  const bestblock = withSnapshot(index.kv, (reader) => hashHex(findTip(reader)?.hash ?? Buffer.alloc(0)))
  const scanned: string[] = []
  const node: VerifyDeps['node'] = {
    ...source,
    getTxOutSetInfo: async () => ({ height: 1, bestblock, txouts: 1, total_amount: 7 }),
    scanTxOutSet: async (descriptors) => {
      scanned.push(...descriptors)
      return { height: 1, bestblock, total_amount: 0, unspents: [] }
    },
  }
  const result = await verifyIndex({ index, node, timing: systemTiming, randomBelow: () => 0 }, { samples: 3 })
  assert.deepEqual([result?.isSame, result?.coins], [true, { index: 1, node: 1 }])
  assert.deepEqual(scanned, [])
})
