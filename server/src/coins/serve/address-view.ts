/** Answers about one address: totals and coins. */
import { ApiError } from '../../lib/api-error.ts'
import { findTip } from '../index/coin-index.ts'
import { readTotals, scriptCoinChunks } from '../index/history.ts'
import { type KvReader, withSnapshot, withSnapshotAsync } from '../index/kv.ts'
import { txidFinder } from '../index/tx-locations.ts'
import { scriptMapKey } from '../mempool/mempool-view.ts'
import { type Address, AddressError, decodeAddress } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'
import { scriptKey } from '../parse/script.ts'
import { formatAmount } from './amounts.ts'
import type { ServedChain } from './served-chain.ts'
import { spentByWaiting } from './spendable-coins.ts'

/** Refuses what is no address of this chain, with the reason. */
export function readAddress(chain: ServedChain, text: string): Address {
  try {
    return decodeAddress(chain.network, text)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    throw new ApiError({ status: 400, code: 'INVALID_ADDRESS', message: error.message })
  }
}

export function getAddress(chain: ServedChain, text: string) {
  const { text: address, script } = readAddress(chain, text)
  const key = scriptKey(script)
  const { txCount, received, sent } = withSnapshot(chain.index.kv, (reader) => readTotals(reader, key))
  const balance = received - sent
  return {
    address,
    chain: chain.network.chain,
    balance,
    balanceFormatted: formatAmount(balance),
    totalReceived: received,
    totalSent: sent,
    txCount,
    unconfirmedBalance: chain.mempool.balanceChange(scriptMapKey(key)),
    // Sums are kept as blocks arrive: there is never a part still to be computed.
    calculating: false,
  }
}

type Coin = { readonly txid: string; readonly vout: number; readonly value: number; readonly confirmations: number }

/** Equal coins sorted out at a time. */
const KEPT = 4_096

const byValue = (a: Coin, b: Coin): number =>
  b.value - a.value || (a.txid < b.txid ? -1 : a.txid > b.txid ? 1 : 0) || a.vout - b.vout

/**
 * The most valuable coins that nothing unconfirmed spends: one more than `limit`, so that a cut shows. Those of the last
 * amount are all looked at, because the store has equal ones in the order of the chain and the answer by id.
 */
async function confirmedCoins(chain: ServedChain, reader: KvReader, key: Buffer, limit: number): Promise<Coin[]> {
  const tip = findTip(reader)?.height ?? 0
  const spent = spentByWaiting(chain, reader, key)
  const findTxid = txidFinder(reader)
  const coins: Coin[] = []
  let equal: Coin[] = []
  const missing = (): number => limit + 1 - coins.length
  const settle = (): void => {
    for (const coin of equal.sort(byValue).slice(0, missing())) coins.push(coin)
    equal = []
  }
  for await (const part of scriptCoinChunks(reader, key)) {
    for (const { value, txnum, vout } of part) {
      if (equal.length > 0 && equal[0]?.value !== value) settle()
      if (missing() <= 0) return coins
      const place = spent.has(`${txnum}:${vout}`) ? undefined : findTxid(txnum)
      if (place === undefined) continue
      equal.push({ txid: hashHex(place.txid), vout, value, confirmations: tip - place.height + 1 })
      // However many are equal, no more are kept than the answer can hold.
      if (equal.length > 2 * missing() + KEPT) equal = equal.sort(byValue).slice(0, missing())
    }
  }
  settle()
  return coins
}

/** `limit` undefined: all. */
export async function getUtxos(chain: ServedChain, text: string, limit: number | undefined) {
  const { text: address, script } = readAddress(chain, text)
  const key = scriptKey(script)
  const most = limit ?? Number.POSITIVE_INFINITY
  // Taken before anything pauses, with the state of the index it belongs to.
  const unconfirmed = chain.mempool.coinsOf(scriptMapKey(key)).map((coin) => ({ ...coin, confirmations: 0 }))
  const confirmed = await withSnapshotAsync(chain.index.kv, (reader) => confirmedCoins(chain, reader, key, most))
  const coins = [...confirmed, ...unconfirmed].sort(byValue)
  const utxos = coins.slice(0, most).map(({ txid, vout, value, confirmations }) => ({
    txid,
    vout,
    value,
    valueFormatted: formatAmount(value),
    confirmations,
  }))
  return { address, chain: chain.network.chain, utxos, count: utxos.length, limited: coins.length > utxos.length }
}
