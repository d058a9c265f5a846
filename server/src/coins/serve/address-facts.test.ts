import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BuiltTx, buildTx, outputScriptOf, witnessScriptOf } from '../../../../testing/coins/block-builder.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { systemClock } from '../../lib/clock.ts'
import { describeScript } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'
import { getAnalysis } from './analysis-view.ts'
import { createFeeService } from './fee-service.ts'

const OWN = outputScriptOf(7)
const FUNDS = 9

const pay = (coinbase: BuiltTx, vout: number, value: number): BuiltTx =>
  buildTx(
    [{ txid: coinbase.txid, vout, witness: witnessScriptOf(FUNDS) }],
    [
      { value, script: OWN },
      { value: 50_000 + vout, script: outputScriptOf(1_000 + vout) },
    ],
  )

test('unconfirmed dust does not displace confirmed dust', async () => {
  const chain = await startMemoryChain()
  const funds = Array.from({ length: 200 }, () => ({ value: 100_000, script: outputScriptOf(FUNDS) }))
  const coinbase = await chain.add([], funds)
  await chain.add([pay(coinbase, 0, 30_000)])
  const dust = pay(coinbase, 1, 400)
  await chain.add([dust])
  // As many as are examined because they are the newest.
  await chain.add(Array.from({ length: 100 }, (_, i) => pay(coinbase, 2 + i, 30_000 + i)))
  for (let i = 0; i < 60; i++) chain.addUnconfirmed(pay(coinbase, 110 + i, 500), OWN, 500, 1_700_000_900 + i)
  const address = describeScript(chain.served.network, OWN).address ?? ''
  const deps = { feeService: createFeeService({ clock: systemClock }), clock: systemClock }
  const { dust: found } = await getAnalysis(deps, chain.served, address)
  assert.deepEqual([found.count, found.suspects.map(({ txid }) => txid)], [61, [hashHex(dust.txid)]])
})
