/** The totals, coins and history of a wallet as the API returns them. */
import { findTip } from '../index/coin-index.ts'
import { txidFinder } from '../index/tx-locations.ts'
import { flowOf, type MempoolTx, newestFirst } from '../mempool/mempool-view.ts'
import { describeScript } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'
import { formatAmount } from './amounts.ts'
import { type BalanceQuery, balancePoints } from './balance-history.ts'
import type { WalletScript } from './derived-scripts.ts'
import { confirmedEntries, entryViews, type PageEntry } from './history-view.ts'
import type { ServedChain } from './served-chain.ts'
import { Turns } from './turns.ts'
import { readPendingCoins, type Wallet, type WalletRequest, type Wallets } from './wallet-scan.ts'

/** The unconfirmed transactions of a wallet, newest first. */
export function pendingOf({ mempool }: ServedChain, { scripts }: Wallet): MempoolTx[] {
  const txs = new Map<string, MempoolTx>()
  for (const { mapKey } of scripts) for (const tx of mempool.ofScript(mapKey)) txs.set(tx.txid, tx)
  return [...txs.values()].sort(newestFirst)
}

type Flow = { readonly received: number; readonly sent: number }

/** What a transaction pays to all scripts of the wallet, and spends from them. */
export function walletFlow(tx: MempoolTx, owned: ReadonlySet<string>): Flow {
  const touched = new Set([...tx.outputs.map((output) => output?.script), ...tx.inputs.map(({ script }) => script)])
  let received = 0
  let sent = 0
  for (const script of touched) {
    if (script === undefined || !owned.has(script)) continue
    const flow = flowOf(tx, script)
    received += flow.received
    sent += flow.sent
  }
  return { received, sent }
}

const placeOf = ({ network }: ServedChain, { script, branch, index, path }: WalletScript) => ({
  address: describeScript(network, script).address,
  branch,
  index,
  path: path ?? null,
})

export async function getWallet(wallets: Wallets, chain: ServedChain, request: WalletRequest) {
  return wallets.read(chain, request, (_reader, wallet) => {
    const { owned } = wallet
    const pending = pendingOf(chain, wallet)
    const unconfirmed = pending.reduce((sum, tx) => {
      const { received, sent } = walletFlow(tx, owned)
      return sum + BigInt(received) - BigInt(sent)
    }, 0n)
    const balance = wallet.received - wallet.sent
    return {
      descriptor: wallet.descriptor.text,
      chain: chain.network.chain,
      balance,
      balanceFormatted: formatAmount(balance),
      totalReceived: wallet.received,
      totalSent: wallet.sent,
      txCount: wallet.entries.length,
      utxoCount: wallet.coins.length,
      unconfirmedBalance: unconfirmed,
      unconfirmedTxCount: pending.length,
      branches: wallet.branches.map(({ used, next }, branch) => {
        const unused = wallet.scripts.find((each) => each.branch === branch && each.index === next)
        return { branch, used, next: unused === undefined ? null : placeOf(chain, unused) }
      }),
    }
  })
}

export async function getWalletUtxos(wallets: Wallets, chain: ServedChain, request: WalletRequest, limit: number) {
  return wallets.read(chain, request, async (reader, wallet) => {
    const { network } = chain
    const tip = findTip(reader)?.height ?? 0
    const findTxid = txidFinder(reader)
    // The mempool is read before the first await: it can change meanwhile, the snapshot cannot.
    const { spent, unconfirmed } = readPendingCoins(chain, reader, wallet)
    const coins: (WalletCoinView & { readonly owner: WalletScript })[] = unconfirmed.map((coin) => ({
      ...coin,
      confirmations: 0,
    }))
    const turns = new Turns()
    const most = limit + 1 + spent.size
    await turns.forChunks(wallet.coins.slice(0, most), UNITS_PER_COIN, (chunk) => {
      for (const { txnum, vout, value, owner } of chunk) {
        const found = spent.has(`${txnum}:${vout}`) ? undefined : findTxid(txnum)
        if (found !== undefined)
          coins.push({ txid: hashHex(found.txid), vout, value, confirmations: tip - found.height + 1, owner })
      }
    })
    const sorted = await turns.sorted(coins, (a, b) => b.value - a.value)
    const utxos: (ReturnType<typeof coinView> & ReturnType<typeof placeOf>)[] = []
    await turns.forChunks(sorted.slice(0, limit), UNITS_PER_COIN, (chunk) => {
      for (const coin of chunk) utxos.push({ ...coinView(coin), ...placeOf(chain, coin.owner) })
    })
    return { chain: network.chain, utxos, count: utxos.length, limited: sorted.length > utxos.length }
  })
}

/** Work of reading a txid, or of encoding an address, in units of a turn. */
const UNITS_PER_COIN = 10

const coinView = ({ txid, vout, value, confirmations }: WalletCoinView) => ({
  txid,
  vout,
  value,
  valueFormatted: formatAmount(value),
  confirmations,
})

/** The balance of a wallet over time. */
export async function getWalletBalanceHistory(
  wallets: Wallets,
  chain: ServedChain,
  request: WalletRequest,
  query: BalanceQuery,
) {
  return wallets.read(chain, request, async (reader, wallet) => ({
    chain: chain.network.chain,
    ...(await balancePoints(reader, wallet.entries, query)),
  }))
}

type WalletCoinView = {
  readonly txid: string
  readonly vout: number
  readonly value: number
  readonly confirmations: number
}

export async function getWalletHistory(
  wallets: Wallets,
  chain: ServedChain,
  request: WalletRequest,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
) {
  const { entries, total } = await wallets.read(chain, request, (reader, wallet) => {
    const { owned } = wallet
    const pending = pendingOf(chain, wallet)
    const skip = (page - 1) * pageSize
    const first = pending.slice(skip, skip + pageSize)
    const from = Math.max(0, skip - pending.length)
    const rest = wallet.entries.slice(from, from + pageSize - first.length)
    const unconfirmed = first.map(
      (tx): PageEntry => ({
        txid: tx.txid,
        ...walletFlow(tx, owned),
        tx: { unconfirmed: tx },
        time: tx.time,
        confirmations: 0,
      }),
    )
    return {
      entries: [...unconfirmed, ...confirmedEntries(reader, rest)],
      total: pending.length + wallet.entries.length,
    }
  })
  const views = await entryViews(chain, entries)
  return {
    chain: chain.network.chain,
    page,
    pageSize,
    totalPages: Math.ceil(total / pageSize),
    totalItems: total,
    txs: views.map((view) => ({ ...view, direction: directionOf(view) })),
  }
}

/** A payment to another party with change is `out`: only what stays in the wallet completely, except its fee, is `self`. */
function directionOf({ received, sent, fee }: Flow & { readonly fee: number }): 'in' | 'out' | 'self' {
  if (sent === 0) return 'in'
  return sent - received === fee ? 'self' : 'out'
}
