/** Advice to raise fees, compared with what a real node's wallet does and its mempool accepts. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { missingLitecoind } from '../../../../testing/coins/litecoind.ts'
import { type ServedNode, startServedLitecoind } from '../../../../testing/coins/served-litecoind.ts'
import { systemClock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { bump } from '../http/tx-schemas.ts'
import { getBump } from './bump-view.ts'
import { createFeeService } from './fee-service.ts'

type Entry = {
  readonly vsize: number
  readonly ancestorsize: number
  readonly fees: { readonly base: number; readonly ancestor: number }
}
type Raw = {
  readonly vin: { readonly txid: string; readonly vout: number; readonly sequence: number }[]
  readonly vout: {
    readonly value: number
    readonly n: number
    readonly scriptPubKey: { readonly addresses: string[] }
  }[]
}

const satoshi = (coins: number): number => Math.round(coins * 1e8)

describe('raised fees of a real litecoind', { skip: missingLitecoind(), timeout: 180_000 }, () => {
  const feeService = createFeeService({ clock: systemClock })
  let world: ServedNode

  before(async () => {
    world = await startServedLitecoind()
    await world.mine(120)
    await world.a('settxfee', 0.0001)
  })
  after(() => world.daemon.remove())

  const ask = async (txid: string, feeRate: number) =>
    bump.parse(await getBump(feeService, await world.chain(), txid, { feeRate }))
  const advise = async (txid: string, feeRate: number) => {
    const { advice, recommendation } = await ask(txid, feeRate)
    return { ...(advice ?? assert.fail()), recommendation }
  }
  const entryOf = (txid: string): Promise<Entry> => world.daemon.call<Entry>('getmempoolentry', txid)
  const decode = async (txid: string): Promise<Raw> =>
    world.daemon.call<Raw>('decoderawtransaction', await world.daemon.call('getrawtransaction', txid))
  /** A payment of the wallet that signals replacement, or does not. */
  async function pay(amount: number, replaceable: boolean): Promise<string> {
    const address = await world.daemon.wallet('a')<string>('getnewaddress', '', 'bech32')
    return world.a<string>('sendtoaddress', address, amount, '', '', false, replaceable)
  }
  /** Signs a transaction of the wallet with these inputs and outputs. */
  async function signed(inputs: Raw['vin'], outputs: Record<string, number>): Promise<string> {
    const raw = await world.daemon.call<string>('createrawtransaction', inputs, outputs)
    const { hex, complete } = await world.a<{ hex: string; complete: boolean }>('signrawtransactionwithwallet', raw)
    assert.ok(complete)
    return hex
  }
  const accepts = async (hex: string): Promise<string> => {
    const [answer] = await world.daemon.call<{ allowed: boolean; 'reject-reason'?: string }[]>('testmempoolaccept', [
      hex,
    ])
    return answer?.allowed === true ? 'accepted' : (answer?.['reject-reason'] ?? '')
  }
  /** The same transaction with a fee that is higher by `more`, taken from its largest output. */
  async function withMore(txid: string, more: number): Promise<string> {
    const { vin, vout } = await decode(txid)
    const largest = vout.toSorted((a, b) => b.value - a.value)[0]
    const outputs = Object.fromEntries(
      vout.map(({ value, n, scriptPubKey }) => [
        scriptPubKey.addresses[0] ?? '',
        ((satoshi(value) - (n === largest?.n ? more : 0)) / 1e8).toFixed(8),
      ]),
    )
    return signed(vin, outputs as unknown as Record<string, number>)
  }

  for (const rate of [25, 40.5, 90]) {
    test(`the fee of a replacement at ${rate} sat/vB is that of bumpfee`, async () => {
      const txid = await pay(1.5, true)
      const entry = await entryOf(txid)
      const advice = await advise(txid, rate)
      assert.deepEqual([advice.fee, advice.vsize], [satoshi(entry.fees.base), entry.vsize])
      assert.deepEqual([advice.rbf.possible, advice.rbf.rule, advice.isEnough], [true, 'bip125', false])
      const bumped = await world.a<{ fee: number; origfee: number; txid: string }>('bumpfee', txid, { fee_rate: rate })
      // This version rounds a fraction of a satoshi down, later ones up.
      const rounding = Number.isInteger((rate * 1_000 * entry.vsize) / 1_000) ? 0 : 1
      assert.deepEqual([satoshi(bumped.fee) + rounding, satoshi(bumped.origfee)], [advice.rbf.fee, advice.fee])
      assert.equal((await advise(bumped.txid, Math.floor(rate))).recommendation, 'none')
      await world.mine(1)
    })
  }

  test('the node accepts the lowest fee of a replacement, and not one satoshi less', async () => {
    const txid = await pay(1.5, true)
    const { rbf, fee } = await advise(txid, 1)
    assert.equal(await accepts(await withMore(txid, Number(rbf.minFee) - Number(fee))), 'accepted')
    assert.match(await accepts(await withMore(txid, Number(rbf.minFee) - Number(fee) - 1)), /insufficient fee/)

    // A descendant has to be paid for too.
    const [output] = (await decode(txid)).vout.toSorted((a, b) => b.value - a.value)
    assert.ok(output !== undefined)
    const child = await signed([{ txid, vout: output.n, sequence: 0xffff_fffd }], {
      [world.miner]: Number((output.value - 0.0005).toFixed(8)),
    })
    await world.daemon.call('sendrawtransaction', child)
    const family = await advise(txid, 1)
    assert.deepEqual([family.rbf.replacedCount, family.descendants.count], [2, 1])
    assert.equal(family.rbf.replacedFees, Number(fee) + 50_000)
    assert.equal(await accepts(await withMore(txid, Number(family.rbf.minFee) - Number(fee))), 'accepted')
    assert.match(await accepts(await withMore(txid, Number(family.rbf.minFee) - Number(fee) - 1)), /insufficient fee/)
    await world.mine(1)
  })

  test('a transaction that does not signal is not replaced by this node, and a child pays for it', async () => {
    const txid = await pay(1.5, false)
    const advice = await advise(txid, 60)
    assert.deepEqual(
      [advice.rbf.possible, advice.rbf.reason, advice.rbf.rule, advice.recommendation],
      [false, 'NOT_SIGNALED', null, 'cpfp'],
    )
    assert.equal(await accepts(await withMore(txid, 100_000)), 'txn-mempool-conflict')
    const [cheapest] = advice.cpfp.children
    assert.ok(cheapest !== undefined)
    const [address, value] = [cheapest.address, (Number(cheapest.value) - Number(cheapest.fee)) / 1e8]
    const hex = await signed([{ txid, vout: cheapest.vout, sequence: 0xffff_fffd }], {
      [address]: Number(value.toFixed(8)),
    })
    const child = await world.daemon.call<string>('sendrawtransaction', hex)
    const entry = await entryOf(child)
    assert.ok(entry.vsize <= cheapest.vsize && entry.vsize >= cheapest.vsize - 1)
    assert.equal(satoshi(entry.fees.ancestor), Number(advice.fee) + Number(cheapest.fee))
    assert.ok(satoshi(entry.fees.ancestor) / entry.ancestorsize >= 60)
    assert.ok((satoshi(entry.fees.ancestor) - 90) / entry.ancestorsize < 60, 'and hardly more')
    assert.equal((await advise(txid, 60)).recommendation, 'none')
    await world.mine(1)
  })

  test('a chain of 25 takes no further child, as the node states', async () => {
    let txid = await pay(1.5, true)
    let [output] = (await decode(txid)).vout.toSorted((a, b) => b.value - a.value)
    for (let i = 1; i < 25; i++) {
      assert.ok(output !== undefined)
      const hex = await signed([{ txid, vout: output.n, sequence: 0xffff_fffd }], {
        [world.miner]: Number((output.value - 0.00001).toFixed(8)),
      })
      if (i === 24) assert.equal((await advise(txid, 60)).cpfp.possible, true)
      txid = await world.daemon.call<string>('sendrawtransaction', hex)
      output = (await decode(txid)).vout[0]
    }
    const advice = await advise(txid, 60)
    assert.deepEqual([advice.ancestors.count, advice.cpfp.possible], [24, false])
    assert.equal(advice.cpfp.children[0]?.reason, 'TOO_MANY_ANCESTORS')
    const hex = await signed([{ txid, vout: 0, sequence: 0xffff_fffd }], {
      [world.miner]: Number(((output?.value ?? 0) - 0.001).toFixed(8)),
    })
    assert.match(await accepts(hex), /too-long-mempool-chain/)
    await world.mine(1)
  })

  test('a confirmed transaction needs nothing, and an unknown one is not found', async () => {
    const txid = await pay(1, true)
    await world.mine(1)
    const { state, recommendation, advice } = await ask(txid, 60)
    assert.deepEqual([state, recommendation, advice], ['confirmed', 'none', null])
    const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.code === 'TX_NOT_FOUND'
    await assert.rejects(ask('ab'.repeat(32), 60), isUnknown)
  })
})
