/** Simulated Bitcoin payments against `testmempoolaccept` of a real node, and against its recorded answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitcoindPath, type CheckedPayment, checkPayments } from '../../../../testing/coins/core-payments.ts'
import { readJson } from '../../../../testing/coins/fixtures.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { decodeAddress, describeScript } from '../parse/address.ts'
import { parseTransaction } from '../parse/transaction.ts'
import { readHint } from '../select/input-hint.ts'
import { feeOf } from '../select/spend.ts'
import { outputBytes, txWeight, virtualSize } from '../select/weights.ts'

/** The node accepts the payment at the predicted fee, and the signed size is the predicted one or slightly smaller. */
function assertAgrees({ inputType, feeRate, simulated, hex, answer }: CheckedPayment): void {
  const about = `${inputType} at ${feeRate} sat/vB`
  assert.deepEqual([answer.allowed, answer.reason], [true, undefined], about)
  assert.equal(answer.fee, simulated.fee, about)
  const tx = parseTransaction(Buffer.from(hex, 'hex'), { mweb: false })
  assert.equal(virtualSize(tx.weight), answer.vsize, about)
  assert.ok(answer.fee >= feeOf(feeRate, answer.vsize), about)
  // A signature of 72 bytes is counted; wallets grind for 71 and get fewer by chance.
  const shorter = simulated.weight - tx.weight
  assert.ok(shorter >= 0 && shorter <= 4 * 3 * 3 * simulated.inputs, `${about}: ${shorter}`)
}

const { payments: recorded } = readJson<{ readonly payments: readonly CheckedPayment[] }>('btc-payments.json')

test('recorded payments: accepted by the node with the fee and size that were simulated', () => {
  assert.ok(recorded.length >= 40)
  for (const payment of recorded) assertAgrees(payment)
})

test('recorded payments: the sizes are the ones simulated today', () => {
  for (const { inputType, simulated, scripts, feeRate } of recorded) {
    const outputs = scripts.map((script) => Buffer.from(script, 'hex'))
    // With change, the paying address is the output that fits the type of the inputs.
    const own = outputs
      .map((script) => decodeAddress(bitcoinRegtest, describeScript(bitcoinRegtest, script).address ?? ''))
      .flatMap((address) => {
        try {
          return [readHint(address, { inputType })]
        } catch {
          return []
        }
      })[0]
    if (own === undefined) continue
    const bytes = outputs.reduce((sum, script) => sum + outputBytes(script), 0)
    const weight = txWeight({ inputs: simulated.inputs, input: own.size, outputs: outputs.length, outputBytes: bytes })
    assert.equal(weight, simulated.weight, `${inputType} at ${feeRate} sat/vB`)
  }
})

test('a real node accepts every simulated payment', {
  skip: bitcoindPath === undefined && 'no bitcoind on the PATH; the recorded answers are checked instead',
}, async () => {
  const { payments } = await checkPayments(bitcoindPath ?? '')
  for (const payment of payments) assertAgrees(payment)
})
