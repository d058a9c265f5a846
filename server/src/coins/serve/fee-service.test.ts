import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { systemClock } from '../../lib/clock.ts'
import { createFeeService } from './fee-service.ts'
import type { FeeNode } from './served-chain.ts'

/** A full block at this rate. */
const diagramAt = (rate: number) => [
  { weight: 0, fee: 0 },
  { weight: 3_990_000, fee: 997_500 * rate },
]

test('a quote that was computed for the old tip is not served for the new one', async () => {
  const chain = await startMemoryChain()
  const first = Promise.withResolvers<void>()
  let calls = 0
  const node: FeeNode = {
    getMempoolInfo: async () => ({ loaded: true, size: 0, bytes: 0, mempoolminfee: 1_000, minrelaytxfee: 1_000 }),
    findFeeDiagram: async () => {
      calls += 1
      if (calls > 1) return diagramAt(5)
      await first.promise
      return diagramAt(50)
    },
    findFeeEstimate: async () => undefined,
  }
  const served = { ...chain.served, node }
  const { quote } = createFeeService({ clock: systemClock })
  const old = quote(served)
  await chain.add([])
  const current = quote(served)
  assert.equal((await current).tiers.high, 5)
  first.resolve()
  assert.equal((await old).tiers.high, 50)
  assert.equal((await quote(served)).tiers.high, 5)
  assert.equal(calls, 2)
})
