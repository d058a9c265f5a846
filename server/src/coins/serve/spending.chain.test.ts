/** Payments with several recipients, chosen coins and send-all, signed and accepted by a real node. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Transaction as SignedTransaction } from '@scure/btc-signer'
import { missingLitecoind } from '../../../../testing/coins/litecoind.ts'
import { type ServedNode, startServedLitecoind } from '../../../../testing/coins/served-litecoind.ts'
import { systemClock } from '../../lib/clock.ts'
import { simulateBody } from '../http/params.ts'
import { simulation } from '../http/schemas.ts'
import { parseTransaction } from '../parse/transaction.ts'
import { createFeeService } from './fee-service.ts'
import { getSimulation } from './simulation-view.ts'

type Output = { readonly value: number; readonly scriptPubKey: { readonly addresses?: readonly string[] } }
type Decoded = {
  readonly locktime: number
  readonly vin: { readonly txid: string; readonly vout: number; readonly sequence: number }[]
  readonly vout: Output[]
}

describe('spending with a real litecoind', { skip: missingLitecoind(), timeout: 120_000 }, () => {
  const feeService = createFeeService({ clock: systemClock })
  let world: ServedNode

  before(async () => {
    world = await startServedLitecoind()
    await world.mine(105)
  })
  after(() => world.daemon.remove())

  const newAddress = (type = 'bech32'): Promise<string> => world.a<string>('getnewaddress', '', type)
  async function funded(type: string): Promise<string> {
    const address = await newAddress(type)
    for (const amount of [0.5, 0.02, 0.3, 0.001, 0.07, 0.4]) await world.a('sendtoaddress', address, amount)
    await world.mine(1)
    return address
  }

  async function simulate(request: Record<string, unknown>) {
    const { chain: _, ...parsed } = simulateBody.parse({ chain: 'ltc', psbt: true, ...request })
    return simulation.parse(await getSimulation(feeService, await world.chain(), parsed))
  }

  /** Signs a simulated payment with the node's wallet, sends it, and compares every satoshi and the size. */
  async function send(simulated: Awaited<ReturnType<typeof simulate>>): Promise<Decoded> {
    assert.ok(simulated.viable, simulated.reason ?? '')
    const [v0, v2] = [simulated.psbt, simulated.psbtV2].map((text) =>
      SignedTransaction.fromPSBT(Buffer.from(text ?? '', 'base64'), { allowUnknownOutputs: true }),
    )
    assert.deepEqual(v2?.unsignedTx, v0?.unsignedTx)
    const signed = await world.a<{ psbt: string; complete: boolean }>('walletprocesspsbt', simulated.psbt)
    assert.ok(signed.complete)
    const { hex } = await world.daemon.call<{ hex: string }>('finalizepsbt', signed.psbt)
    const tx = parseTransaction(Buffer.from(hex, 'hex'), { mweb: true })
    // The wallet grinds for signatures of 71 bytes, and one in 128 is shorter by chance. 72 are counted.
    const isSegwit = tx.inputs.some(({ witness }) => witness.length > 0)
    const saved = (simulated.weight - tx.weight) / (isSegwit ? 1 : 4)
    assert.ok(saved >= 0 && saved <= 1.5 * tx.inputs.length + 2, `${saved} of ${tx.inputs.length} signatures`)
    const txid = await world.daemon.call<string>('sendrawtransaction', hex)
    const entry = await world.daemon.call<{ fees: { base: number } }>('getmempoolentry', txid)
    assert.equal(Math.round(entry.fees.base * 1e8), simulated.estimatedFee)
    const decoded = await world.daemon.call<Decoded>('decoderawtransaction', hex)
    const outputs = decoded.vout.map(({ value }) => Math.round(value * 1e8))
    assert.equal(
      outputs.reduce((sum, value) => sum + value, 0),
      simulated.totalOutput,
    )
    for (const { address, amount } of simulated.recipients) assert.equal(received(decoded, address), amount)
    await world.mine(1)
    return decoded
  }

  const received = ({ vout }: Decoded, address: string): number =>
    vout
      .filter(({ scriptPubKey }) => scriptPubKey.addresses?.[0] === address)
      .reduce((sum, { value }) => sum + Math.round(value * 1e8), 0)

  for (const type of ['legacy', 'bech32']) {
    test(`${type}: recipients, change, chosen coins, lock time and sequence`, async () => {
      const fromAddress = await funded(type)
      const changeAddress = await newAddress('legacy')
      type Unspent = { txid: string; vout: number; amount: number }
      const unspent = await world.a<Unspent[]>('listunspent', 1, 9_999_999, [fromAddress])
      const [smallest, ...others] = unspent.toSorted((a, b) => a.amount - b.amount)
      const largest = others.at(-1)
      assert.ok(smallest !== undefined && largest !== undefined)
      const recipients = [
        { address: await newAddress('bech32'), amount: 3_000_000 },
        { address: await newAddress('legacy'), amount: 5_460 },
        { address: await newAddress('p2sh-segwit'), amount: 12_345_678 },
      ]
      const height = await world.daemon.call<number>('getblockcount')
      const simulated = await simulate({
        fromAddress,
        recipients,
        changeAddress,
        mustUse: [`${smallest.txid}:${smallest.vout}`],
        mustNotUse: [`${largest.txid}:${largest.vout}`],
        locktime: height,
        sequence: 0xffff_fffe,
        feeRate: 3.5,
      })
      const decoded = await send(simulated)
      const spent = decoded.vin.map(({ txid, vout }) => `${txid}:${vout}`)
      assert.ok(spent.includes(`${smallest.txid}:${smallest.vout}`))
      assert.ok(!spent.includes(`${largest.txid}:${largest.vout}`))
      assert.equal(received(decoded, changeAddress), simulated.change)
      assert.deepEqual([decoded.locktime, decoded.vin[0]?.sequence], [height, 0xffff_fffe])

      // The rest goes to one address, and the node has nothing left of it.
      const toAddress = await newAddress('bech32')
      await send(await simulate({ fromAddress, toAddress, sendAll: true, confTarget: 6 }))
      assert.deepEqual(await world.a('listunspent', 0, 9_999_999, [fromAddress]), [])
      assert.equal((await simulate({ fromAddress, toAddress, sendAll: true })).reason, 'NO_UTXOS')
    })
  }

  test('300 recipients and send-all in one transaction', async () => {
    const fromAddress = await funded('bech32')
    const recipients: { address: string; amount: number }[] = []
    for (let i = 0; i < 300; i++) recipients.push({ address: await newAddress(), amount: 2_940 + i })
    const toAddress = await newAddress('p2sh-segwit')
    const decoded = await send(await simulate({ fromAddress, toAddress, recipients, sendAll: true, feeRate: 1 }))
    assert.equal(decoded.vout.length, 301)
  })

  test('a lock in the future and a relative lock are not final, as the warnings state', async () => {
    const fromAddress = await funded('bech32')
    const height = await world.daemon.call<number>('getblockcount')
    const reasonOf = async (request: Record<string, unknown>): Promise<string | undefined> => {
      const { psbt, warnings } = await simulate({ fromAddress, toAddress: world.miner, amount: 1_000_000, ...request })
      const signed = await world.a<{ psbt: string }>('walletprocesspsbt', psbt)
      const { hex } = await world.daemon.call<{ hex: string }>('finalizepsbt', signed.psbt)
      const [answer] = await world.daemon.call<{ 'reject-reason'?: string }[]>('testmempoolaccept', [hex])
      assert.equal(
        warnings.some((text) => /^(LOCKTIME|RELATIVE_LOCK)/.test(text)),
        answer?.['reject-reason'] !== undefined,
      )
      return answer?.['reject-reason']
    }
    assert.equal(await reasonOf({ locktime: height }), undefined)
    assert.equal(await reasonOf({ locktime: height + 1 }), 'non-final')
    assert.equal(await reasonOf({ locktime: 4_000_000_000 }), 'non-final')
    assert.equal(await reasonOf({ sequence: 50 }), 'non-BIP68-final')
    assert.equal(await reasonOf({ sequence: 0x8000_0032 }), undefined)
  })
})
