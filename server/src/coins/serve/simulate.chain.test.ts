/** Simulated payments, signed and accepted by a real node with the predicted size and fee. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { schnorr } from '@noble/curves/secp256k1.js'
import { p2tr, p2tr_pk, Transaction as SignedTransaction } from '@scure/btc-signer'
import { missingLitecoind } from '../../../../testing/coins/litecoind.ts'
import { type ServedNode, startServedLitecoind } from '../../../../testing/coins/served-litecoind.ts'
import { systemClock } from '../../lib/clock.ts'
import { simulateBody } from '../http/params.ts'
import { simulation } from '../http/schemas.ts'
import { parseTransaction, type TxInput } from '../parse/transaction.ts'
import { readPushes } from '../select/observed-spend.ts'
import { createFeeService } from './fee-service.ts'
import { getSimulation } from './simulation-view.ts'

/** Parameters of Litecoin regtest for the signing library. */
const REGTEST = { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef }

type Psbt = {
  readonly tx: { readonly txid: string; readonly vin: unknown[]; readonly vout: { value: number }[] }
  readonly fee?: number
}

/** Lengths of the DER signatures of an input, with sighash type. */
function signatureLengths({ script, witness }: TxInput): number[] {
  const items = [...witness, ...(readPushes(script) ?? [])]
  return items.filter((item) => item[0] === 0x30 && item[1] === item.length - 3).map((item) => item.length)
}

describe('payments of a real litecoind', { skip: missingLitecoind(), timeout: 120_000 }, () => {
  const feeService = createFeeService({ clock: systemClock })
  let world: ServedNode

  before(async () => {
    world = await startServedLitecoind()
    await world.mine(105)
  })
  after(() => world.daemon.remove())

  const simulate = async (request: Record<string, unknown>) => {
    const { chain: _, ...parsed } = simulateBody.parse({ psbt: true, ...request })
    return simulation.parse(await getSimulation(feeService, await world.chain(), parsed))
  }

  /** A wallet address with coins of several amounts. */
  async function funded(address: string): Promise<string> {
    for (const amount of [0.5, 0.02, 0.3, 0.001, 0.07, 0.4]) await world.a('sendtoaddress', address, amount)
    await world.mine(1)
    return address
  }

  /** A 2-of-3 multisig of the wallet, and what a caller can say about it. */
  async function multisig(type: string): Promise<{ readonly address: string; readonly script: string }> {
    const keys: string[] = []
    for (let i = 0; i < 3; i++) keys.push(await world.a<string>('getnewaddress', '', 'legacy'))
    const made = await world.a<{ address: string; redeemScript: string }>('addmultisigaddress', 2, keys, '', type)
    return { address: made.address, script: made.redeemScript }
  }

  /** Signs and sends a simulated payment, and compares it with the prediction. */
  async function send(simulated: Awaited<ReturnType<typeof simulate>>, signatures: number): Promise<string> {
    assert.ok(simulated.viable, simulated.reason ?? '')
    const decoded = await world.daemon.call<Psbt>('decodepsbt', simulated.psbt)
    assert.equal(Math.round((decoded.fee ?? 0) * 1e8), simulated.estimatedFee)
    assert.deepEqual([decoded.tx.vin.length, decoded.tx.vout.length], [simulated.inputCount, simulated.outputCount])
    const signed = await world.a<{ psbt: string; complete: boolean }>('walletprocesspsbt', simulated.psbt)
    assert.ok(signed.complete)
    const { hex } = await world.daemon.call<{ hex: string }>('finalizepsbt', signed.psbt)
    const tx = parseTransaction(Buffer.from(hex, 'hex'), { mweb: true })
    // A signature is counted as 72 bytes. Wallets grind for 71, and one in 128 is shorter by chance.
    const lengths = tx.inputs.flatMap(signatureLengths)
    assert.equal(lengths.length, signatures * simulated.inputCount)
    const shorter = lengths.reduce((sum, length) => sum + 72 - length, 0)
    assert.ok(lengths.every((length) => length <= 72) && shorter <= lengths.length * 1.5 + 2)
    // Shorter signatures can make a script shorter than 253 bytes, whose length then takes one byte instead of three.
    const isSegwit = tx.inputs.some(({ witness }) => witness.length > 0)
    const prefixes = tx.inputs.filter((input) => {
      const missing = signatureLengths(input).reduce((sum, length) => sum + 72 - length, 0)
      return !isSegwit && input.script.length < 0xfd && input.script.length + missing >= 0xfd
    }).length
    assert.equal(simulated.weight - tx.weight, shorter * (isSegwit ? 1 : 4) + prefixes * 2 * 4)
    const txid = await world.daemon.call<string>('sendrawtransaction', hex)
    const entry = await world.daemon.call<{ fees: { base: number }; vsize: number }>('getmempoolentry', txid)
    assert.equal(Math.round(entry.fees.base * 1e8), simulated.estimatedFee)
    assert.ok(Number(simulated.estimatedFee) / entry.vsize >= simulated.feeRate)
    const range = simulated.feeRange
    if (range !== null)
      assert.ok(Number(range.min) <= entry.fees.base * 1e8 && entry.fees.base * 1e8 <= Number(range.max))
    return txid
  }

  type Hints = readonly Readonly<Record<string, string>>[]
  type Kind = { readonly address: string; readonly hints: Hints; readonly descriptor?: string }
  const wallet =
    (type: string, ...hints: Hints) =>
    async (): Promise<Kind> => ({
      address: await world.a<string>('getnewaddress', '', type),
      hints,
    })
  const shared = (type: string, hints: (script: string) => Hints) => async (): Promise<Kind> => {
    const { address, script } = await multisig(type)
    const keys = script
      .match(/21(0[23][0-9a-f]{64})/g)
      ?.map((key) => key.slice(2))
      .join()
    const wrapper = { legacy: 'sh(', 'p2sh-segwit': 'sh(wsh(', bech32: 'wsh(' }[type] ?? ''
    const descriptor = `${wrapper}multi(2,${keys})${')'.repeat(wrapper.split('(').length - 1)}`
    return { address, hints: [...hints(script), { descriptor }] }
  }
  const kinds: readonly (readonly [type: string, make: () => Promise<Kind>, signatures: number])[] = [
    ['p2pkh', wallet('legacy', {}, { inputType: 'p2pkh' }), 1],
    ['p2sh', wallet('p2sh-segwit', { inputType: 'p2sh-p2wpkh' }), 1],
    ['p2wpkh', wallet('bech32', {}), 1],
    ['p2sh', shared('legacy', (redeemScript) => [{ redeemScript }, { inputType: 'p2sh-2of3' }]), 2],
    ['p2sh', shared('p2sh-segwit', (witnessScript) => [{ witnessScript }, { inputType: 'p2sh-p2wsh-2of3' }]), 2],
    ['p2wsh', shared('bech32', (witnessScript) => [{ witnessScript }, { inputType: 'p2wsh-2of3' }]), 2],
  ]
  for (const [type, make, signatures] of kinds) {
    test(`${type}, ${signatures} signatures: predicted size, accepted at the predicted fee`, async () => {
      const { address, hints } = await make()
      const fromAddress = await funded(address)
      const toAddress = await world.a<string>('getnewaddress', '', 'bech32')
      const payment = { chain: 'ltc', fromAddress, toAddress }
      if (type === 'p2sh' || type === 'p2wsh') {
        const assumed = await simulate({ ...payment, amount: 1_000_000, feeRate: 7.5 })
        assert.deepEqual([assumed.viable, assumed.reason, assumed.psbt], [true, 'INPUT_SIZE_ASSUMED', null])
        assert.match(assumed.assumptions.join(), /^INPUT_SIZE/)
        const exact = await simulate({ ...payment, amount: 1_000_000, feeRate: 7.5, ...hints[0] })
        const { min, max } = assumed.feeRange ?? assert.fail()
        assert.ok(Number(min) <= Number(exact.estimatedFee) && Number(exact.estimatedFee) <= Number(max))
      }
      // Each hint gives the same exact size, also the scripts that a spend has revealed.
      for (const [i, [amount, feeRate, utxoSelection]] of (
        [
          [20_000_000, 1, 'smallest'],
          [5_000_000, 25.125, 'optimal'],
          [30_000_000, 1.001, 'largest'],
          [3_000_000, 10, 'oldest'],
        ] as const
      ).entries()) {
        const hint = i === 3 ? {} : (hints[i % hints.length] ?? {})
        const simulated = await simulate({ ...payment, amount, feeRate, utxoSelection, ...hint })
        assert.equal(simulated.scriptType, type)
        assert.equal(simulated.feeRange, null)
        await send(simulated, signatures)
        await world.mine(1)
      }
    })
  }

  test('unconfirmed and immature coins are excluded, and unconfirmed ones can be included', async () => {
    const immature = await simulate({
      chain: 'ltc',
      fromAddress: world.miner,
      toAddress: world.miner,
      amount: 1_000_000,
    })
    assert.ok(immature.excluded.immature > 90)
    const fromAddress = await world.a<string>('getnewaddress', '', 'bech32')
    const request = { chain: 'ltc', fromAddress, toAddress: world.miner, amount: 5_000_000 }
    assert.equal((await simulate(request)).reason, 'NO_UTXOS')
    const txid = await world.a<string>('sendtoaddress', fromAddress, 0.1)
    const unconfirmed = await simulate(request)
    assert.deepEqual([unconfirmed.reason, unconfirmed.excluded.unconfirmed], ['NO_UTXOS', 1])
    const taken = await simulate({ ...request, includeUnconfirmed: true })
    assert.equal(taken.selectedUtxos[0]?.txid, txid)
    assert.match(taken.warnings.join(), /UNCONFIRMED_INPUTS/)
    await send(taken, 1)
    // Its only coin is spent by an unconfirmed transaction, whose change is unconfirmed too.
    await world.chain()
    assert.equal((await simulate(request)).reason, 'NO_UTXOS')
  })

  test('the minimum change is relayed, and one satoshi below the dust threshold is not', async () => {
    const fromAddress = await funded(await world.a<string>('getnewaddress', '', 'legacy'))
    const toAddress = await world.a<string>('getnewaddress', '', 'bech32')
    const dust = await simulate({ chain: 'ltc', fromAddress, toAddress, amount: 2_939, feeRate: 1 })
    assert.deepEqual([dust.viable, dust.reason, dust.dustThreshold], [false, 'AMOUNT_BELOW_DUST', 2_940])
    const least = await simulate({ chain: 'ltc', fromAddress, toAddress, amount: 2_940, feeRate: 1 })
    await send(least, 1)
  })

  // The node's wallet does not support taproot, so a library signs.
  const secret = Buffer.alloc(32, 7)
  const own = schnorr.getPublicKey(secret)
  const byKey = p2tr(own, undefined, REGTEST)
  const byScript = p2tr(undefined, { script: p2tr_pk(own).script }, REGTEST)
  type SignedInput = Parameters<SignedTransaction['updateInput']>[1]
  const keyInput: SignedInput = { tapInternalKey: byKey.tapInternalKey }
  const scriptInput: SignedInput = {
    tapInternalKey: byScript.tapInternalKey,
    tapMerkleRoot: byScript.tapMerkleRoot,
    ...(byScript.tapLeafScript === undefined ? {} : { tapLeafScript: byScript.tapLeafScript }),
  }

  /** Signs and sends a simulated payment; returns the predicted weight minus the actual one. */
  async function sendTaproot(simulated: Awaited<ReturnType<typeof simulate>>, input: SignedInput): Promise<number> {
    assert.ok(simulated.viable, simulated.reason ?? '')
    const tx = SignedTransaction.fromPSBT(Buffer.from(simulated.psbt ?? '', 'base64'), { allowUnknownOutputs: true })
    for (let i = 0; i < tx.inputsLength; i++) tx.updateInput(i, input)
    tx.sign(secret)
    tx.finalize()
    await world.daemon.call('sendrawtransaction', tx.hex)
    await world.mine(1)
    return simulated.weight - tx.weight
  }

  test('p2tr key path: exactly the predicted size, accepted', async () => {
    const fromAddress = await funded(byKey.address)
    const toAddress = await world.a<string>('getnewaddress', '', 'bech32')
    for (const [amount, utxoSelection] of [
      [30_000_000, 'smallest'],
      [5_000_000, 'optimal'],
      [40_000_000, 'largest'],
    ] as const) {
      const simulated = await simulate({ chain: 'ltc', fromAddress, toAddress, amount, utxoSelection })
      assert.equal(simulated.scriptType, 'p2tr')
      assert.equal(await sendTaproot(simulated, keyInput), 0)
    }
  })

  test('p2tr script path: assumed as key path until a spend reveals it, then exactly the predicted size', async () => {
    const fromAddress = await funded(byScript.address)
    const request = { chain: 'ltc', fromAddress, toAddress: byKey.address, amount: 3_000_000 }
    const estimated = await simulate(request)
    assert.match(estimated.assumptions.join(), /assumes a key path spend/)
    // Script and control block were unknown.
    assert.equal(await sendTaproot(estimated, scriptInput), -(1 + 34 + 1 + 33) * estimated.inputCount)
    const known = await simulate({ ...request, amount: 60_000_000 })
    assert.deepEqual(known.assumptions, [])
    assert.equal(await sendTaproot(known, scriptInput), 0)
  })
})
