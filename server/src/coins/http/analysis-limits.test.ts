/** What the analysis and the simulation state about their own limits and choices, over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTx, outputScriptOf, witnessScriptOf } from '../../../../testing/coins/block-builder.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import type { UtxoPlan } from '../../accounts/plans.ts'
import { describeScript } from '../parse/address.ts'

test('limited states that the plan cut the list of dust suspects, on Basic and not on Pro', async () => {
  const chain = await startMemoryChain()
  const script = outputScriptOf(1)
  const address = describeScript(chain.served.network, script).address ?? ''
  const other = await chain.add([], [{ value: 1e9, script: outputScriptOf(2) }])
  await chain.add([], [{ value: 1e8, script }])
  const dust = Array.from({ length: 101 }, () => ({ value: 600, script }))
  await chain.add([buildTx([{ txid: other.txid, vout: 0, witness: witnessScriptOf(2) }], dust)])
  let plan: UtxoPlan = 'basic'
  const { app, key } = await startV2App({ plan: () => plan, btc: () => chain.served })
  const analyze = async (): Promise<[boolean, number, number]> => {
    const response = await app.inject({ url: `/api/v2/analyze/${address}`, headers: { 'x-api-key': key } })
    const { data } = response.json<{ data: { limited: boolean; dust: { count: number; suspects: unknown[] } } }>()
    return [data.limited, data.dust.suspects.length, data.dust.count]
  }
  assert.deepEqual(await analyze(), [true, 100, 101])
  plan = 'pro'
  assert.deepEqual(await analyze(), [false, 101, 101])
})

test('optimal states why it pays a higher fee than another strategy', async () => {
  const chain = await startMemoryChain()
  const script = outputScriptOf(1)
  const address = describeScript(chain.served.network, script).address ?? ''
  // The small coin pays without change and leaves the rest to the miner. The large coin leaves change.
  for (const value of [1_000_000, 102_000]) await chain.add([], [{ value, script }])
  for (let i = 0; i < 100; i++) await chain.add([])
  const { app, key } = await startV2App({ plan: () => 'pro', btc: () => chain.served })
  const simulate = async (utxoSelection: string) => {
    const response = await app.inject({
      url: '/api/v2/simulate',
      method: 'POST',
      headers: { 'x-api-key': key },
      payload: { fromAddress: address, toAddress: address, amount: 101_600, feeRate: 1, utxoSelection },
    })
    return response.json<{ data: { estimatedFee: number; higherFeeReason: string | null; inputCount: number } }>().data
  }
  const [optimal, largest] = [await simulate('optimal'), await simulate('largest')]
  assert.equal(largest.higherFeeReason, null)
  const difference = optimal.estimatedFee - largest.estimatedFee
  assert.ok(difference > 0)
  assert.match(
    optimal.higherFeeReason ?? '',
    new RegExp(`^The fee is ${difference} satoshi higher than with largest\\.`),
  )
  assert.match(optimal.higherFeeReason ?? '', /it leaves no change/)
})
