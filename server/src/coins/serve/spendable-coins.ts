/**
 * The coins of a script by whether they can be spent: mature, immature, or unconfirmed.
 *
 * Coins carry transaction numbers; txids are read only for selected coins. An address with 100,000 coins costs one scan
 * over its keys.
 */
import { findBlockRow, findTip } from '../index/coin-index.ts'
import { type ScriptCoin, scriptCoinChunks } from '../index/history.ts'
import type { KvReader } from '../index/kv.ts'
import { heightKey, readBlockRow } from '../index/layout.ts'
import { findTx } from '../index/lookup.ts'
import { findTxLocation } from '../index/tx-locations.ts'
import { scriptMapKey } from '../mempool/mempool-view.ts'
import { hashFromHex, hashHex } from '../parse/block.ts'
import type { Coin } from '../select/spend.ts'
import type { ServedChain } from './served-chain.ts'

export type SpendableCoins = {
  /** Confirmed, mature, and not spent by an unconfirmed transaction. */
  readonly mature: readonly Coin[]
  /** Coinbase or peg-out outputs that need more confirmations. */
  readonly immature: readonly Coin[]
  /** Confirmed coins that an unconfirmed transaction spends. */
  readonly leaving: readonly Coin[]
  /** Outputs of unconfirmed transactions; their `order` is above that of every confirmed coin. */
  readonly unconfirmed: readonly Coin[]
  readonly tip: { readonly height: number; readonly hash: string }
  /** The `coinKey` of an outpoint (`txid:vout`); undefined if the chain has no such transaction. */
  readonly keyOf: (reader: KvReader, outpoint: string) => string | undefined
  readonly outpointOf: (reader: KvReader, coin: Coin) => { readonly txid: string; readonly vout: number }
}

/** Identifies a coin among those of one read. */
export const coinKey = ({ order, vout }: Coin): string => `${order}:${vout}`

/** Above every transaction number. */
const UNCONFIRMED = 2 ** 48

export function readSpendableCoins(chain: ServedChain, reader: KvReader, key: Buffer): Promise<SpendableCoins> {
  // The mempool is read before the first await: it can change meanwhile, the snapshot cannot.
  const spent = spentInMempool(chain, reader, key)
  const unconfirmed = chain.mempool.coinsOf(scriptMapKey(key))
  return sortCoins(chain, reader, { chunks: scriptCoinChunks(reader, key), spent, unconfirmed })
}

type UnsortedCoins = {
  /** The confirmed coins. */
  readonly chunks: AsyncIterable<readonly ScriptCoin[]> | Iterable<readonly ScriptCoin[]>
  /** Those that an unconfirmed transaction spends, as `txnum:vout`. */
  readonly spent: ReadonlySet<string>
  readonly unconfirmed: readonly { readonly txid: string; readonly vout: number; readonly value: number }[]
}

/** Sorts coins by whether they can be spent. `unconfirmed` keeps its order. */
export async function sortCoins(
  chain: ServedChain,
  reader: KvReader,
  { chunks, spent, unconfirmed }: UnsortedCoins,
): Promise<SpendableCoins> {
  const tip = findTip(reader)
  const height = tip?.height ?? 0
  const isImmature = maturityCheck(chain, reader, height)
  const mature: Coin[] = []
  const immature: Coin[] = []
  const leaving: Coin[] = []
  for await (const part of chunks) {
    for (const { value, txnum, vout } of part) {
      const coin = { value, order: txnum, vout }
      if (spent.size > 0 && spent.has(`${txnum}:${vout}`)) leaving.push(coin)
      else if (isImmature(txnum)) immature.push(coin)
      else mature.push(coin)
    }
  }
  return {
    mature,
    immature,
    leaving,
    unconfirmed: unconfirmed.map(({ value, vout }, i) => ({ value, order: UNCONFIRMED + i, vout })),
    tip: { height, hash: tip === undefined ? '' : hashHex(tip.hash) },
    keyOf: (reader, outpoint) => {
      const [txid = '', vout = ''] = outpoint.split(':')
      const index = unconfirmed.findIndex((coin) => coin.txid === txid && coin.vout === Number(vout))
      const order = index < 0 ? findTxnum(reader, txid) : UNCONFIRMED + index
      return order === undefined ? undefined : coinKey({ value: 0, order, vout: Number(vout) })
    },
    outpointOf: (reader, { order, vout }) => {
      if (order >= UNCONFIRMED) return { txid: unconfirmed[order - UNCONFIRMED]?.txid ?? '', vout }
      const location = findTxLocation(reader, order)
      if (location === undefined) throw new RangeError(`the index has no transaction number ${order}`)
      return { txid: hashHex(location.txid), vout }
    },
  }
}

/** What the unconfirmed transactions of a script add to its confirmed balance and history. */
export function unconfirmedFigures({ mempool }: ServedChain, key: Buffer) {
  const mapKey = scriptMapKey(key)
  return { unconfirmedBalance: mempool.balanceChange(mapKey), unconfirmedTxCount: mempool.ofScript(mapKey).length }
}

/** Confirmed coins of the script that an unconfirmed transaction spends, as `txnum:vout`. */
export function spentInMempool(chain: ServedChain, reader: KvReader, key: Buffer): ReadonlySet<string> {
  const mapKey = scriptMapKey(key)
  const spent = new Set<string>()
  for (const tx of chain.mempool.ofScript(mapKey)) {
    for (const input of tx.inputs) {
      if (input.script !== mapKey || chain.mempool.find(input.txid) !== undefined) continue
      const txnum = findTxnum(reader, input.txid)
      if (txnum !== undefined) spent.add(`${txnum}:${input.vout}`)
    }
  }
  return spent
}

function findTxnum(reader: KvReader, txid: string): number | undefined {
  const location = findTx(reader, hashFromHex(txid))
  const row = location === undefined ? undefined : findBlockRow(reader, location.height)
  return location === undefined || row === undefined ? undefined : row.firstTxnum + location.index
}

/**
 * Returns whether the outputs of a transaction need more confirmations. These are the coinbases and peg-outs of the last
 * blocks, at fixed positions of a block, so their numbers are read from a hundred rows, when the first is needed.
 */
function maturityCheck({ network }: ServedChain, reader: KvReader, tip: number): (txnum: number) => boolean {
  // The next block, at tip + 1, can spend an output with `maturity` confirmations.
  const bound = (maturity: number): number => Math.max(0, tip - maturity + 2)
  const coinbaseHeight = bound(network.coinbaseMaturity)
  const pegoutHeight = network.mweb === undefined ? tip + 1 : bound(network.mweb.pegoutMaturity)
  const lowest = Math.min(coinbaseHeight, pegoutHeight)
  const firstTxnum = findBlockRow(reader, lowest)?.firstTxnum ?? 0
  let immature: Set<number> | undefined
  const read = (): Set<number> => {
    const found = new Set<number>()
    let height = lowest
    for (const { value } of reader.range('blocks', { gte: heightKey(lowest) })) {
      const { firstTxnum, txCount, hogEx } = readBlockRow(value)
      if (height >= coinbaseHeight) found.add(firstTxnum)
      if (height >= pegoutHeight && hogEx) found.add(firstTxnum + txCount - 1)
      height++
    }
    return found
  }
  return (txnum) => {
    if (txnum < firstTxnum) return false
    immature ??= read()
    return immature.has(txnum)
  }
}
