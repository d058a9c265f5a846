/** Payments of wallets, signed by a real node that has only their private keys, with the predicted size and fee. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Transaction as SignedTransaction } from '@scure/btc-signer'
import { hdKey } from '../../../../testing/coins/hd-keys.ts'
import { missingLitecoind } from '../../../../testing/coins/litecoind.ts'
import { type ServedNode, startServedLitecoind } from '../../../../testing/coins/served-litecoind.ts'
import { systemClock } from '../../lib/clock.ts'
import { walletPaymentBody } from '../http/params.ts'
import { simulation } from '../http/schemas.ts'
import { parseTransaction } from '../parse/transaction.ts'
import { createFeeService } from './fee-service.ts'
import { createWallets } from './wallet-scan.ts'
import { getWalletSimulation } from './wallet-spending.ts'
import { getWallet, getWalletUtxos } from './wallet-view.ts'

const [one, two] = [hdKey('the first key of a wallet'), hdKey('the second key of a wallet')]

/** Descriptors by the branch of their keys, with the signatures of an input. */
const FORMS: readonly (readonly [name: string, make: (a: string, b: string) => string, signatures: number])[] = [
  ['pkh', (a) => `pkh(${a}/7/*)`, 1],
  ['wpkh', (a) => `wpkh(${a}/*)`, 1],
  ['sh(wpkh)', (a) => `sh(wpkh(${a}/8/*))`, 1],
  ['wsh(sortedmulti)', (a, b) => `wsh(sortedmulti(2,${a}/*,${b}/*))`, 2],
  ['sh(multi)', (a, b) => `sh(multi(1,${a}/*,${b}/*))`, 1],
  ['sh(wsh(multi))', (a, b) => `sh(wsh(multi(2,${a}/*,${b}/*)))`, 2],
]

type Decoded = {
  readonly inputs: { readonly bip32_derivs?: { readonly master_fingerprint: string; readonly path: string }[] }[]
  readonly outputs: { readonly bip32_derivs?: unknown[] }[]
}

describe('payments of wallets with a real litecoind', { skip: missingLitecoind(), timeout: 180_000 }, () => {
  const feeService = createFeeService({ clock: systemClock })
  const wallets = createWallets()
  let world: ServedNode

  before(async () => {
    world = await startServedLitecoind()
    await world.mine(110)
    await world.daemon.call('createwallet', 'signer', false, true)
  })
  after(() => world.daemon.remove())

  const withChecksum = async (descriptor: string): Promise<string> => {
    const { checksum } = await world.daemon.call<{ checksum: string }>('getdescriptorinfo', descriptor)
    return `${descriptor}#${checksum}`
  }

  async function simulate(descriptor: string, request: Record<string, unknown>) {
    const { chain: _, ...parsed } = walletPaymentBody.parse({ chain: 'ltc', psbt: true, ...request })
    const chain = await world.chain()
    const wallet = { descriptor, gapLimit: 20, accountId: '1' }
    return simulation.parse(await getWalletSimulation(wallets, feeService, chain, { ...parsed, ...wallet }))
  }

  for (const [name, make, signatures] of FORMS) {
    test(`${name}: coins of several addresses, change to the next change address, then everything`, async () => {
      const signer = world.daemon.wallet('signer')
      for (const branch of [0, 1]) {
        const desc = await withChecksum(make(`${one.tprv}/${branch}`, `${two.tprv}/${branch}`))
        const [imported] = await signer<{ success: boolean }[]>('importmulti', [
          { desc, range: [0, 30], timestamp: 'now' },
        ])
        assert.ok(imported?.success)
      }
      const descriptor = make(`${one.tpub}/<0;1>`, `${two.tpub}/<0;1>`)
      const request = { descriptor, gapLimit: 20, accountId: '1' }
      const addresses = await Promise.all(
        [0, 1].map(async (branch) =>
          world.daemon.call<string[]>(
            'deriveaddresses',
            await withChecksum(make(`${one.tpub}/${branch}`, `${two.tpub}/${branch}`)),
            [0, 20],
          ),
        ),
      )
      const [receive = [], change = []] = addresses
      for (const [i, amount] of [0.5, 0.02, 0.3, 0.001, 0.07].entries())
        await world.a('sendtoaddress', receive[i], amount)
      await world.a('sendtoaddress', change[2], 0.4)
      await world.mine(1)

      async function send(simulated: Awaited<ReturnType<typeof simulate>>): Promise<Decoded> {
        assert.ok(simulated.viable, simulated.reason ?? '')
        const decoded = await world.daemon.call<Decoded>('decodepsbt', simulated.psbt)
        const signed = await signer<{ psbt: string; complete: boolean }>('walletprocesspsbt', simulated.psbt)
        assert.ok(signed.complete)
        const { hex } = await world.daemon.call<{ hex: string }>('finalizepsbt', signed.psbt)
        const tx = parseTransaction(Buffer.from(hex, 'hex'), { mweb: true })
        const isSegwit = tx.inputs.some(({ witness }) => witness.length > 0)
        const saved = (simulated.weight - tx.weight) / (isSegwit ? 1 : 4)
        assert.ok(saved >= 0 && saved <= 1.5 * signatures * tx.inputs.length + 2, `${saved}`)
        const txid = await world.daemon.call<string>('sendrawtransaction', hex)
        const entry = await world.daemon.call<{ fees: { base: number } }>('getmempoolentry', txid)
        assert.equal(Math.round(entry.fees.base * 1e8), simulated.estimatedFee)
        await world.mine(1)
        return decoded
      }

      const toAddress = await world.a<string>('getnewaddress', '', 'bech32')
      const simulated = await simulate(descriptor, {
        toAddress,
        amount: 60_000_000,
        feeRate: 2,
        utxoSelection: 'largest',
      })
      assert.equal(simulated.changeAddress, change[3], 'the first after the last used one')
      assert.ok(!simulated.warnings.join().includes('PRIVACY_SELF_CHANGE'))
      const { inputs, outputs } = await send(simulated)
      for (const { bip32_derivs: keys = [] } of inputs) {
        assert.ok(keys.length > 0)
        for (const key of keys) {
          assert.ok([one.fingerprint, two.fingerprint].includes(key.master_fingerprint))
          assert.match(key.path, /^m\/[01]\/([78]\/)?\d+$/)
        }
      }
      assert.equal(outputs.filter(({ bip32_derivs }) => bip32_derivs !== undefined).length, 1, 'the change is known')

      const served = await world.chain()
      const { utxos } = await getWalletUtxos(wallets, served, request, 100)
      const [spared] = utxos
      assert.ok(spared !== undefined)
      const rest = await simulate(descriptor, {
        toAddress,
        sendAll: true,
        mustNotUse: [`${spared.txid}:${spared.vout}`],
      })
      await send(rest)
      const { balance, utxoCount } = await getWallet(wallets, await world.chain(), request)
      assert.deepEqual([balance, utxoCount], [BigInt(spared.value), 1])
    })
  }

  test('tr: the PSBT has the internal key, and a signer with the key signs exactly the predicted size', async () => {
    const descriptor = `tr(${one.tpub}/<0;1>/*)`
    const { branches } = await getWallet(wallets, await world.chain(), { descriptor, gapLimit: 20, accountId: '1' })
    await world.a('sendtoaddress', branches[0]?.next?.address, 0.5)
    await world.mine(1)
    const simulated = await simulate(descriptor, { toAddress: world.miner, amount: 10_000_000 })
    for (const psbt of [simulated.psbt, simulated.psbtV2]) {
      const tx = SignedTransaction.fromPSBT(Buffer.from(psbt ?? '', 'base64'), { allowUnknownOutputs: true })
      tx.sign(one.secretAt(0, 0))
      tx.finalize()
      assert.equal(tx.weight, simulated.weight)
      const [accepted] = await world.daemon.call<{ allowed: boolean }[]>('testmempoolaccept', [tx.hex])
      assert.equal(accepted?.allowed, true)
    }
  })
})
