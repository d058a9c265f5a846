/** Wallets against a real node: its derived addresses, and its UTXO set scanned by descriptor. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { missingLitecoind } from '../../../../testing/coins/litecoind.ts'
import { startServedLitecoind } from '../../../../testing/coins/served-litecoind.ts'
import { createWallets } from './wallet-scan.ts'
import { getWallet, getWalletHistory, getWalletUtxos } from './wallet-view.ts'

/** Keys of BIP 32's test vectors, on test networks. */
const ONE =
  'tpubD8eQVK4Kdxg3gHrF62jGP7dKVCoYiEB8dFSpuTawkL5YxTus5j5pf83vaKnii4bc6v2NVEy81P2gYrJczYne3QNNwMTS53p5uzDyHvnw2jm'
const TWO =
  'tpubD6NzVbkrYhZ4XgiXtGrdW5XDAPFCL9h7we1vwNCpn8tGbBcgfVYjXyhWo4E1xkh56hjod1RhGjxbaTLV3X4FyWuejifB9jusQ46QzG87VKp'

const DESCRIPTORS = [
  `pkh(${ONE}/0/*)`,
  `wpkh(${ONE}/1/*)`,
  `sh(wpkh(${ONE}/2/*))`,
  `wsh(sortedmulti(2,${ONE}/3/*,${TWO}/0/*))`,
  `sh(multi(1,${ONE}/4/*,${TWO}/1/*))`,
  `sh(wsh(multi(2,${ONE}/5/*,${TWO}/2/*)))`,
]

type Scan = {
  readonly unspents: readonly { readonly txid: string; readonly vout: number; readonly amount: number }[]
}

describe('wallets of a Litecoin node', { skip: missingLitecoind(), timeout: 120_000 }, async () => {
  if (missingLitecoind() !== false) return
  const { daemon, a, mine, chain } = await startServedLitecoind()
  after(daemon.remove)
  await mine(110)
  const wallets = createWallets()
  const accountId = '1'

  for (const descriptor of DESCRIPTORS) {
    test(`${descriptor.replaceAll(/tpub\w+/g, 'tpub')}: addresses and coins of the node`, async () => {
      const { descriptor: text } = await daemon.call<{ descriptor: string }>('getdescriptorinfo', descriptor)
      const addresses = await daemon.call<string[]>('deriveaddresses', text, [0, 30])
      const request = { descriptor: text, gapLimit: 20, accountId }
      const empty = await getWallet(wallets, await chain(), request)
      assert.deepEqual([empty.descriptor, empty.balance, empty.branches[0]?.next?.address], [text, 0n, addresses[0]])

      // One is unconfirmed, and one is beyond the gap until then.
      const outputs = Object.fromEntries([0, 3, 12].map((index) => [addresses[index], 0.5 + index]))
      await a('sendmany', '', outputs)
      await mine(1)
      await a('sendtoaddress', addresses[30], 0.25)
      const served = await chain()
      const { utxos } = await getWalletUtxos(wallets, served, request, 100)
      const scan = await daemon.call<Scan>('scantxoutset', 'start', [{ desc: text, range: 40 }])
      const confirmed = utxos.filter(({ confirmations }) => confirmations > 0)
      const known = scan.unspents.map(({ txid, vout, amount }) => `${txid}:${vout} ${Math.round(amount * 1e8)}`)
      assert.deepEqual(confirmed.map(({ txid, vout, value }) => `${txid}:${vout} ${value}`).sort(), known.sort())
      for (const { address, index } of utxos) assert.equal(address, addresses[index])
      const summary = await getWallet(wallets, served, request)
      assert.deepEqual(
        [summary.balance, summary.unconfirmedBalance, summary.txCount, summary.unconfirmedTxCount, summary.utxoCount],
        [1_650_000_000n, 25_000_000n, 1, 1, 3],
      )
      const { txs, totalItems } = await getWalletHistory(wallets, served, request, { page: 1, pageSize: 10 })
      assert.deepEqual(
        [totalItems, txs.map(({ received, direction }) => [received, direction])],
        [
          2,
          [
            [25_000_000, 'in'],
            [1_650_000_000, 'in'],
          ],
        ],
      )
      await mine(1)
    })
  }
})
