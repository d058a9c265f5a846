/** One unspent coin by its outpoint, with the whole id checked. */
import type { KvReader } from './kv.ts'
import { type CoinEntry, coinKey, readCoinEntries } from './layout.ts'
import { findTxLocation } from './tx-locations.ts'

export function findCoin(reader: KvReader, txid: Buffer, vout: number): CoinEntry | undefined {
  if (vout > 0xff_ffff) return undefined
  const row = reader.get('coins', coinKey(txid, 0, vout))
  if (row === undefined) return undefined
  return readCoinEntries(row).find(({ txnum }) => findTxLocation(reader, txnum)?.txid.equals(txid))
}
