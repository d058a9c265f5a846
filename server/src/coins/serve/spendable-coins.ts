/**
 * The coins of one script as a spender sees them: what is free, what is not mature yet, what only waits to confirm.
 *
 * Works with the numbers of transactions and looks ids up for chosen coins alone, so an address with a hundred thousand
 * coins costs one walk over its keys.
 */
import { findBlockRow, findTip } from '../index/coin-index.ts'
import { scriptCoinChunks } from '../index/history.ts'
import type { KvReader } from '../index/kv.ts'
import { findTx } from '../index/lookup.ts'
import { findTxLocation } from '../index/tx-locations.ts'
import { scriptMapKey } from '../mempool/mempool-view.ts'
import { hashFromHex, hashHex } from '../parse/block.ts'
import type { Coin } from '../select/spend.ts'
import type { ServedChain } from './served-chain.ts'

export type ScriptCoins = {
  /** Confirmed and mature, spent by nothing that waits. */
  readonly free: readonly Coin[]
  /** Mined or pegged out too short a time ago. */
  readonly immature: readonly Coin[]
  /** Outputs of transactions that wait; `order` is beyond every confirmed one. */
  readonly unconfirmed: readonly Coin[]
  readonly tip: { readonly height: number; readonly hash: string }
  readonly outpointOf: (reader: KvReader, coin: Coin) => { readonly txid: string; readonly vout: number }
}

/** Beyond the number of any transaction there will be. */
const UNCONFIRMED = 2 ** 48

export async function readScriptCoins(chain: ServedChain, reader: KvReader, key: Buffer): Promise<ScriptCoins> {
  const tip = findTip(reader)
  const height = tip?.height ?? 0
  // What waits is looked at before anything pauses: it may change meanwhile, the snapshot does not.
  const spent = spentByWaiting(chain, reader, key)
  const waiting = chain.mempool.coinsOf(scriptMapKey(key))
  const youngest = maturityBounds(chain, reader, height)
  const free: Coin[] = []
  const immature: Coin[] = []
  // Coins of one transaction share its age.
  const known = new Map<number, boolean>()
  const isYoung = (txnum: number): boolean => {
    if (txnum < youngest.first) return false
    const young = known.get(txnum) ?? isImmature(reader, txnum, youngest)
    known.set(txnum, young)
    return young
  }
  for await (const part of scriptCoinChunks(reader, key)) {
    for (const { value, txnum, vout } of part) {
      if (spent.size > 0 && spent.has(`${txnum}:${vout}`)) continue
      const coin = { value, order: txnum, vout }
      if (isYoung(txnum)) immature.push(coin)
      else free.push(coin)
    }
  }
  return {
    free,
    immature,
    unconfirmed: waiting.map(({ value, vout }, i) => ({ value, order: UNCONFIRMED + i, vout })),
    tip: { height, hash: tip === undefined ? '' : hashHex(tip.hash) },
    outpointOf: (reader, { order, vout }) => {
      if (order >= UNCONFIRMED) return { txid: waiting[order - UNCONFIRMED]?.txid ?? '', vout }
      const place = findTxLocation(reader, order)
      if (place === undefined) throw new RangeError(`no transaction ${order}`)
      return { txid: hashHex(place.txid), vout }
    },
  }
}

/** Confirmed coins of the script that a waiting transaction spends, as `number:output`. */
export function spentByWaiting(chain: ServedChain, reader: KvReader, key: Buffer): ReadonlySet<string> {
  const name = scriptMapKey(key)
  const spent = new Set<string>()
  for (const tx of chain.mempool.ofScript(name)) {
    for (const input of tx.inputs) {
      if (input.script !== name || chain.mempool.find(input.txid) !== undefined) continue
      const place = findTx(reader, hashFromHex(input.txid))
      const row = place === undefined ? undefined : findBlockRow(reader, place.height)
      if (place !== undefined && row !== undefined) spent.add(`${row.firstTxnum + place.index}:${input.vout}`)
    }
  }
  return spent
}

type Maturity = { readonly first: number; readonly coinbaseHeight: number; readonly pegoutHeight: number }

/** Blocks from these heights on are too young; no coin before `first` can be immature. */
function maturityBounds({ network }: ServedChain, reader: KvReader, tip: number): Maturity {
  // The next block may spend what then has `maturity` blocks on it.
  const bound = (maturity: number): number => tip - maturity + 2
  const coinbaseHeight = bound(network.coinbaseMaturity)
  const pegoutHeight = network.mweb === undefined ? tip + 1 : bound(network.mweb.pegoutMaturity)
  const row = findBlockRow(reader, Math.max(0, Math.min(coinbaseHeight, pegoutHeight)))
  return { first: row?.firstTxnum ?? 0, coinbaseHeight, pegoutHeight }
}

function isImmature(reader: KvReader, txnum: number, { coinbaseHeight, pegoutHeight }: Maturity): boolean {
  const place = findTxLocation(reader, txnum)
  if (place === undefined) return false
  if (place.index === 0) return place.height >= coinbaseHeight
  if (place.height < pegoutHeight) return false
  const row = findBlockRow(reader, place.height)
  return row !== undefined && row.hogEx && place.index === row.txCount - 1
}
