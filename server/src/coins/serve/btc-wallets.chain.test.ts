/**
 * Wallets against the wallets of a real Bitcoin node with the same descriptors, through payments, blocks and reorgs: coins,
 * paths, balance and history of `listunspent`, `getaddressinfo`, `getbalances` and `gettransaction`, and payments that the
 * node signs and accepts (`testmempoolaccept`). Without a node, its recorded answers are compared.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hdKey } from '../../../../testing/coins/hd-keys.ts'
import { bitcoinNodes } from '../../../../testing/coins/recorded-answers.ts'
import { bitcoindOptions, type ServedNode, serve } from '../../../../testing/coins/served-litecoind.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { systemClock } from '../../lib/clock.ts'
import { readDescriptor } from '../descriptors/descriptor.ts'
import { walletPaymentBody } from '../http/params.ts'
import { simulation } from '../http/schemas.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { describeScript } from '../parse/address.ts'
import { parseTransaction } from '../parse/transaction.ts'
import { createFeeService } from './fee-service.ts'
import { createWallets } from './wallet-scan.ts'
import { getWalletSimulation } from './wallet-spending.ts'
import { getWallet, getWalletHistory, getWalletUtxos } from './wallet-view.ts'

const [one, two] = [hdKey('a key of a Bitcoin wallet'), hdKey('another key of a Bitcoin wallet')]

type Form = {
  readonly make: (a: string, b: string) => string
  /** Bytes that the signatures of an input can be shorter, times their weight; undefined if payments are not simulated. */
  readonly slack: number | undefined
}

const FORMS: readonly Form[] = [
  { make: (a) => `pkh(${a}/<0;1>/*)`, slack: 12 },
  { make: (a) => `wpkh(${a}/<0;1>/*)`, slack: 3 },
  { make: (a) => `sh(wpkh(${a}/2/<0;1>/*))`, slack: 3 },
  { make: (a) => `tr(${a}/3/<0;1>/*)`, slack: 0 },
  { make: (a, b) => `wsh(sortedmulti(2,${a}/4/<0;1>/*,${b}/4/<0;1>/*))`, slack: 6 },
  { make: (a, b) => `sh(wsh(multi(1,${a}/5/<0;1>/*,${b}/5/<0;1>/*)))`, slack: 3 },
  { make: (a) => `wsh(sortedmulti(1,${a}/<6;7>/*,${a}/<7;6>/*))`, slack: 3 },
  { make: (a) => `wsh(multi(1,${a}/9/<0;1>/*,${a}/9/<0;1>/*))`, slack: 3 },
  { make: (a, b) => `tr(${a}/8/<0;1>/*,pk(${b}/8/<0;1>/*))`, slack: undefined },
  { make: (a) => `combo(${a}/10/*)`, slack: undefined },
]
const STEPS = 10
const INDEXES = 12

type Unspent = {
  readonly txid: string
  readonly vout: number
  readonly amount: number | string
  readonly address?: string
}
type Balances = { readonly mine: Readonly<Record<'trusted' | 'untrusted_pending' | 'immature', number | string>> }
type WalletTx = {
  readonly txid: string
  readonly confirmations: number
  readonly amount: number | string
  readonly fee?: number | string
}

/** Amounts are numbers, or text if they have decimals. */
const satoshi = (amount: number | string): number => Math.round(Number(amount) * 1e8)

async function importInto(world: ServedNode, name: string, descriptor: string): Promise<ServedNode['a']> {
  await world.daemon.call('createwallet', name, false, true, '', false, true)
  const wallet = world.daemon.wallet(name)
  const { checksum } = await world.daemon.call<{ checksum: string }>('getdescriptorinfo', descriptor)
  const [imported] = await wallet<{ success: boolean }[]>('importdescriptors', [
    { desc: `${descriptor}#${checksum}`, range: [0, 40], timestamp: 'now' },
  ])
  assert.ok(imported?.success, JSON.stringify(imported))
  return wallet
}

for (const { source, skip, start } of bitcoinNodes('wallets'))
  test(`wallets of a Bitcoin node agree: ${source}`, { skip, timeout: 600_000 }, async (t) => {
    const world = await serve(await start(bitcoindOptions), 'btc')
    t.after(() => world.daemon.remove())
    await world.mine(130)
    const wallets = createWallets()
    const feeService = createFeeService({ clock: systemClock })

    for (const [i, { make, slack }] of FORMS.entries()) {
      const descriptor = make(one.tpub, two.tpub)
      await t.test(descriptor.replaceAll(/tpub\w+/g, 'tpub'), async () => {
        const random = seededRandom(i + 1)
        const theirs = await importInto(world, `of ${i}`, make(one.tprv, two.tprv))
        const { branches } = readDescriptor(bitcoinRegtest, descriptor)
        const addressOf = (): string => {
          const scripts = random.pick(branches).scriptsAt(random.below(INDEXES))
          const addresses = scripts.flatMap((script) => describeScript(bitcoinRegtest, script).address ?? [])
          return random.pick(addresses)
        }
        const request = { descriptor, gapLimit: 40, accountId: '1' }

        async function compare(about: string): Promise<void> {
          await world.daemon.call('syncwithvalidationinterfacequeue')
          const chain = await world.chain()
          const { utxos } = await getWalletUtxos(wallets, chain, request, 1_000)
          const unspent = await theirs<Unspent[]>('listunspent', 0)
          assert.deepEqual(
            utxos.map(({ txid, vout, value, address }) => `${txid}:${vout} ${value} ${address}`).toSorted(),
            unspent
              .map(({ txid, vout, amount, address }) => `${txid}:${vout} ${satoshi(amount)} ${address ?? null}`)
              .toSorted(),
            about,
          )
          for (const { address, path } of utxos) {
            const info = await theirs<{ hdkeypath?: string; ismine: boolean }>('getaddressinfo', address)
            assert.ok(info.ismine, about)
            if (info.hdkeypath !== undefined) assert.equal(info.hdkeypath, `m/${path}`, about)
          }
          const { balance, unconfirmedBalance, txCount, unconfirmedTxCount } = await getWallet(wallets, chain, request)
          const { mine } = await theirs<Balances>('getbalances')
          assert.equal(
            Number(balance + unconfirmedBalance),
            satoshi(mine.trusted) + satoshi(mine.untrusted_pending) + satoshi(mine.immature),
            about,
          )
          // The node does not list payments of the wallet to its own change addresses, but it knows them.
          const listed = await theirs<WalletTx[]>('listtransactions', '*', 1_000)
          const known = new Set(listed.filter(({ confirmations }) => confirmations >= 0).map(({ txid }) => txid))
          const { txs } = await getWalletHistory(wallets, chain, request, { page: 1, pageSize: 1_000 })
          assert.deepEqual([...known.difference(new Set(txs.map(({ txid }) => txid)))], [], about)
          assert.equal(txCount + unconfirmedTxCount, txs.length, about)
          for (const { txid, received, sent } of txs) {
            const { amount, fee = 0, confirmations } = await theirs<WalletTx>('gettransaction', txid)
            assert.ok(confirmations >= 0, about)
            assert.equal(received - sent, satoshi(amount) + satoshi(fee), `${about}: ${txid}`)
          }
        }

        /** Pays with coins of the wallet. The node signs what is simulated to the predicted size, and accepts it. */
        async function pay(): Promise<void> {
          const { chain: _, ...parsed } = walletPaymentBody.parse({
            chain: 'btc',
            psbt: true,
            toAddress: random.chance(0.5) ? world.miner : addressOf(),
            amount: 20_000 + random.below(3_000_000),
            feeRate: random.pick([1, 2.5, 11.125]),
            includeUnconfirmed: true,
            utxoSelection: random.pick(['optimal', 'largest', 'smallest', 'oldest']),
          })
          const chain = await world.chain()
          const simulated = simulation.parse(
            await getWalletSimulation(wallets, feeService, chain, { ...parsed, ...request }),
          )
          if (!simulated.viable) return
          const signed = await theirs<{ psbt: string; complete: boolean }>('walletprocesspsbt', simulated.psbt)
          assert.ok(signed.complete)
          const { hex } = await world.daemon.call<{ hex: string }>('finalizepsbt', signed.psbt)
          const { weight, inputs } = parseTransaction(Buffer.from(hex, 'hex'), { mweb: false })
          const shorter = simulated.weight - weight
          assert.ok(shorter >= 0 && shorter <= (slack ?? 0) * inputs.length, `${shorter} for ${inputs.length} inputs`)
          type Answer = { allowed: boolean; 'reject-reason'?: string; fees?: { base: number | string } }
          const [answer] = await world.daemon.call<Answer[]>('testmempoolaccept', [hex], 0)
          assert.deepEqual([answer?.allowed, answer?.['reject-reason']], [true, undefined])
          assert.equal(satoshi(answer?.fees?.base ?? 0), simulated.estimatedFee)
          await world.daemon.call('sendrawtransaction', hex, 0)
        }

        await compare('empty')
        for (let step = 0; step < STEPS; step++) {
          const what = step === 0 ? 'fund' : random.pick(['fund', 'fund', 'pay', 'pay', 'mine', 'reorg'] as const)
          if (what === 'fund') {
            const amount = (100_000 + random.below(20_000_000)) / 1e8
            await world.a('sendtoaddress', addressOf(), amount.toFixed(8))
          } else if (what === 'pay' && slack !== undefined) await pay()
          else if (what === 'mine') await world.mine(1)
          else if (what === 'reorg') {
            const [block] = await world.mine(1)
            await world.daemon.call('invalidateblock', block)
            await world.daemon.call('generateblock', world.miner, [])
            await world.daemon.call('generateblock', world.miner, [])
          }
          await compare(`step ${step}: ${what}`)
        }
        await world.mine(1)
        await compare('all confirmed')
      })
    }
  })
