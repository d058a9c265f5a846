/** The analysis of addresses whose transactions were made with a real Litecoin node. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Litecoind, missingLitecoind } from '../../../../testing/coins/litecoind.ts'
import { type ServedNode, startServedLitecoind } from '../../../../testing/coins/served-litecoind.ts'
import { systemClock } from '../../lib/clock.ts'
import { analysis } from '../http/analysis-schemas.ts'
import { health } from '../http/schemas.ts'
import { getAnalysis, getHealth } from './analysis-view.ts'
import { createFeeService } from './fee-service.ts'

type Coin = { readonly txid: string; readonly vout: number; readonly amount: number }

describe('addresses on a real litecoind', { skip: missingLitecoind(), timeout: 120_000 }, () => {
  let world: ServedNode
  let bank: Litecoind['call']

  before(async () => {
    world = await startServedLitecoind()
    // Another wallet pays, so that only the tests spend from the analyzed addresses.
    await world.daemon.call('createwallet', 'bank')
    bank = world.daemon.wallet('bank')
    await world.daemon.call('generatetoaddress', 10, await bank('getnewaddress', '', 'bech32'))
    await world.mine(101)
  })
  after(() => world.daemon.remove())

  const analyze = async (address: string) => {
    const deps = { feeService: createFeeService({ clock: systemClock }), clock: systemClock }
    return analysis.parse(await getAnalysis(deps, await world.chain(), address))
  }
  const codesOf = async (address: string): Promise<string[]> =>
    (await analyze(address)).privacy.factors.map(({ code }) => code)
  const fresh = (type = 'bech32'): Promise<string> => world.a<string>('getnewaddress', '', type)
  const pay = (address: string, amount: number): Promise<string> =>
    bank<string>('sendtoaddress', address, amount.toFixed(8))
  const coinsOf = (address: string): Promise<Coin[]> => world.a<Coin[]>('listunspent', 1, 9_999_999, [address])

  /** Builds, sends and mines a transaction. */
  async function spend(coins: readonly Coin[], outputs: readonly Record<string, number>[]): Promise<string> {
    const raw = await world.daemon.call<string>(
      'createrawtransaction',
      coins.map(({ txid, vout }) => ({ txid, vout })),
      outputs,
    )
    const { hex } = await world.a<{ hex: string }>('signrawtransactionwithwallet', raw)
    const txid = await world.daemon.call<string>('sendrawtransaction', hex, 0)
    await world.mine(1)
    return txid
  }

  test('an address used once has no findings; one used again has', async () => {
    const address = await fresh()
    await pay(address, 1.23456789)
    await world.mine(1)
    const once = await analyze(address)
    assert.deepEqual([once.privacy.score, once.privacy.factors, once.health.grade], [100, [], 'A'])
    const again = await pay(address, 0.7654321)
    await world.mine(1)
    const twice = await analyze(address)
    assert.deepEqual(
      twice.privacy.factors.map(({ code, impact }) => [code, impact]),
      [['ADDRESS_REUSE', -10]],
    )
    assert.ok(twice.privacy.factors[0]?.evidence.includes(again))
  })

  test('common inputs, change to the same address, and a later receipt', async () => {
    const [address, other, payee] = [await fresh(), await fresh(), await fresh('legacy')]
    await pay(address, 1)
    await pay(other, 2)
    await world.mine(1)
    const [mine, theirs] = [await coinsOf(address), await coinsOf(other)]
    const txid = await spend([...mine, ...theirs], [{ [payee]: 2.5 }, { [address]: 0.4999 }])
    await pay(address, 0.1)
    await world.mine(1)
    const { privacy } = await analyze(address)
    const codes = privacy.factors.map(({ code }) => code)
    for (const code of ['COMMON_INPUTS', 'SELF_CHANGE', 'FUNDED_AFTER_SPEND', 'ADDRESS_REUSE'])
      assert.ok(codes.includes(code), `${code} in ${codes.join()}`)
    assert.deepEqual(privacy.factors.find(({ code }) => code === 'COMMON_INPUTS')?.evidence, [txid])
    assert.deepEqual(await codesOf(payee), ['SCRIPT_TYPE'], 'the recipient is not affected')
  })

  test('a payment with recognizable change', async () => {
    const [address, payee, change] = [await fresh(), await fresh('legacy'), await fresh()]
    await pay(address, 1.23456789)
    await world.mine(1)
    await spend(await coinsOf(address), [{ [payee]: 1 }, { [change]: 0.23446789 }])
    const codes = await codesOf(address)
    for (const code of ['CHANGE_BY_PRECISION', 'CHANGE_BY_SCRIPT_TYPE', 'ROUND_PAYMENT'])
      assert.ok(codes.includes(code), `${code} in ${codes.join()}`)
  })

  test('dust is an attack on a used address, not on a new one', async () => {
    const [used, unused] = [await fresh(), await fresh()]
    await pay(used, 1)
    await world.mine(1)
    const source = await fresh()
    await pay(source, 1)
    await world.mine(1)
    const crowd = await Promise.all(Array.from({ length: 10 }, () => fresh()))
    const dust = [used, unused, ...crowd].map((address) => ({ [address]: 0.00003 }))
    const txid = await spend(await coinsOf(source), [...dust, { [await fresh()]: 0.99 }])
    const { dust: found, privacy } = await analyze(used)
    assert.deepEqual(
      found.suspects.map(({ txid: at, value, verdict, reasons }) => [at, value, verdict, reasons]),
      [[txid, 3_000, 'probable', ['DUST_FAN_OUT', 'EQUAL_DUST_OUTPUTS', 'NEAR_DUST_LIMIT']]],
    )
    assert.ok(privacy.factors.some(({ code }) => code === 'DUST_SUSPECTS'))
    assert.deepEqual((await analyze(unused)).dust.suspects, [])
    assert.deepEqual([found.count, found.value], [1, 3_000])
    // Spending it with other coins is the goal of the attack.
    await spend(await coinsOf(used), [{ [await fresh()]: 1 }])
    assert.ok((await codesOf(used)).includes('DUST_SPENT_WITH_OTHERS'))
  })

  test('many coins lower the health, and consolidation is advised', async () => {
    const address = await fresh()
    for (let i = 0; i < 12; i++) await pay(address, 0.01 + i / 1_000)
    await world.mine(1)
    const { consolidation, health: state } = await analyze(address)
    assert.deepEqual([consolidation.included, consolidation.batches.length], [12, 1])
    assert.ok(state.issues.some((issue) => issue.startsWith('FRAGMENTED: The balance is split into 12 outputs')))
    const deps = { feeService: createFeeService({ clock: systemClock }), clock: systemClock }
    const alone = health.parse(await getHealth(deps, await world.chain(), address))
    assert.deepEqual([alone.score, alone.issues, alone.utxoCount], [state.score, state.issues, 12])
    const [batch] = consolidation.batches
    const joined = await world.a<{ hex: string }>(
      'signrawtransactionwithwallet',
      await world.daemon.call<string>(
        'createrawtransaction',
        (await coinsOf(address)).map(({ txid, vout }) => ({ txid, vout })),
        [{ [address]: ((Number(batch?.value) - Number(batch?.fee)) / 1e8).toFixed(8) }],
      ),
    )
    const { vsize } = await world.daemon.call<{ vsize: number }>('decoderawtransaction', joined.hex)
    assert.ok(vsize <= (batch?.size ?? 0) && vsize >= (batch?.size ?? 0) - 13, `${vsize} and ${batch?.size}`)
    await world.daemon.call('sendrawtransaction', joined.hex)
  })

  test('coins spent by an unconfirmed transaction are left out', async () => {
    const address = await fresh()
    await pay(address, 0.5)
    const before_ = await analyze(address)
    assert.match(before_.health.issues.join(), /UNSETTLED: 100%/)
    await world.mine(1)
    assert.doesNotMatch((await analyze(address)).health.issues.join(), /UNSETTLED/)
  })

  test('peg-ins and peg-outs', async () => {
    // The first extension block needs a peg-in.
    await world.mine(431 - (await world.daemon.call<number>('getblockcount')))
    await world.daemon.call('createwallet', 'b')
    const b = world.daemon.wallet('b')
    const hidden = await b<string>('getnewaddress', '', 'mweb')
    await pay(hidden, 3)
    await world.mine(1)
    await pay(hidden, 2)
    await world.mine(1)
    const leaving = await fresh()
    await b('sendtoaddress', leaving, 1)
    await world.mine(1)
    const out = await analyze(leaving)
    assert.ok(out.privacy.factors.some(({ code, impact }) => code === 'EXTENSION_BLOCK' && impact === 5))
    assert.match(out.health.issues.join(), /UNSETTLED: 100%/, 'a peg-out matures for six blocks')
    await world.mine(4)
    assert.match((await analyze(leaving)).health.issues.join(), /UNSETTLED/)
    await world.mine(1)
    assert.doesNotMatch((await analyze(leaving)).health.issues.join(), /UNSETTLED/)
    const c = world.daemon.wallet('c')
    await world.daemon.call('createwallet', 'c')
    const entering = await c<string>('getnewaddress', '', 'bech32')
    await pay(entering, 5)
    await world.mine(1)
    await c('sendtoaddress', hidden, 4.5)
    await world.mine(1)
    assert.ok((await codesOf(entering)).includes('EXTENSION_BLOCK'), 'a peg-in')
  })
})
