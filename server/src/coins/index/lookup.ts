/** Finds transactions by txid and unspent coins by outpoint. */
import { type KvReader, prefixEnd, prefixRange } from './kv.ts'
import { type CoinEntry, coinKey, MAX_VOUT, readCoinEntries, TXID_PREFIX_SIZE, TXNUM_SIZE } from './layout.ts'
import { runKey, runsOfTxid, type SortedRun } from './run-list.ts'
import { findTxLocation, type TxLocation } from './tx-locations.ts'
import { RUN_TXID_SIZE, TxidPageReader } from './txid-page.ts'

/**
 * Finds a transaction by its txid in wire order: first among the recent ones, then in the runs from the newest to the
 * oldest. Of a repeated coinbase it returns the later one.
 */
export function findTx(reader: KvReader, txid: Buffer): TxLocation | undefined {
  const check = (txnum: number): TxLocation | undefined => {
    const location = findTxLocation(reader, txnum)
    return location?.txid.equals(txid) === true ? location : undefined
  }
  const recent = { ...prefixRange(txid.subarray(0, TXID_PREFIX_SIZE)), reverse: true }
  for (const { key } of reader.range('recentTxids', recent)) {
    const location = check(key.readUIntBE(TXID_PREFIX_SIZE, TXNUM_SIZE))
    if (location !== undefined) return location
  }
  for (const run of runsOfTxid(reader, txid).toReversed()) {
    for (const txnum of candidates(reader, run, txid)) {
      const location = check(txnum)
      if (location !== undefined) return location
    }
  }
  return undefined
}

const EMPTY = Buffer.alloc(0)

/** Transaction numbers in the run whose txids share the prefix, newest first. */
function candidates(reader: KvReader, run: SortedRun, txid: Buffer): number[] {
  const prefix = txid.readUIntBE(0, RUN_TXID_SIZE)
  const first = runKey(run.id, txid.subarray(0, RUN_TXID_SIZE))
  const found: number[] = []
  const lt = prefixEnd(first)
  const range = { gte: runKey(run.id, EMPTY), reverse: true, ...(lt === undefined ? {} : { lt }) }
  for (const { key, value } of reader.range('txidRuns', range)) {
    const page = new TxidPageReader(run.firstTxnum).open(value)
    while (page.next() && page.prefix <= prefix) if (page.prefix === prefix) found.push(page.txnum)
    // A page that begins before the prefix may still contain it. Earlier pages do not.
    if (key.compare(first) < 0) break
  }
  return found.sort((a, b) => b - a)
}

/** Finds an unspent coin by its outpoint. `txid` in wire order. */
export function findCoin(reader: KvReader, txid: Buffer, vout: number): CoinEntry | undefined {
  if (vout > MAX_VOUT) return undefined
  const row = reader.get('coins', coinKey(txid, 0, vout))
  if (row === undefined) return undefined
  return readCoinEntries(row).find(({ txnum }) => findTxLocation(reader, txnum)?.txid.equals(txid))
}
