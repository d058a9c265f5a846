/** Finds transactions by txid and unspent coins by outpoint. */
import { type KvReader, prefixEnd, prefixRange } from './kv.ts'
import { type CoinEntry, coinKey, MAX_VOUT, readCoinEntries, TXID_PREFIX_SIZE, TXNUM_SIZE } from './layout.ts'
import { RUN_TXID_RECORD, RUN_TXID_SIZE, readRuns, runKey, type SortedRun } from './sorted-runs.ts'
import { findTxLocation, type TxLocation } from './tx-locations.ts'

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
  for (const run of readRuns(reader).runs.toReversed()) {
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
  const prefix = txid.subarray(0, RUN_TXID_SIZE)
  const first = runKey(run.id, prefix)
  const found: number[] = []
  const lt = prefixEnd(first)
  const range = { gte: runKey(run.id, EMPTY), reverse: true, ...(lt === undefined ? {} : { lt }) }
  for (const { key, value } of reader.range('txidRuns', range)) {
    collect(value, prefix, found)
    // A row that begins before the prefix may still contain it. Earlier rows do not.
    if (key.compare(first) < 0) break
  }
  return found.sort((a, b) => b - a)
}

function collect(records: Buffer, prefix: Buffer, found: number[]): void {
  let low = 0
  let high = records.length / RUN_TXID_RECORD
  const compareAt = (index: number): number =>
    records.compare(prefix, 0, RUN_TXID_SIZE, index * RUN_TXID_RECORD, index * RUN_TXID_RECORD + RUN_TXID_SIZE)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(middle) < 0) low = middle + 1
    else high = middle
  }
  for (let i = low; i < records.length / RUN_TXID_RECORD && compareAt(i) === 0; i++) {
    found.push(records.readUIntBE(i * RUN_TXID_RECORD + RUN_TXID_SIZE, TXNUM_SIZE))
  }
}

/** Finds an unspent coin by its outpoint. `txid` in wire order. */
export function findCoin(reader: KvReader, txid: Buffer, vout: number): CoinEntry | undefined {
  if (vout > MAX_VOUT) return undefined
  const row = reader.get('coins', coinKey(txid, 0, vout))
  if (row === undefined) return undefined
  return readCoinEntries(row).find(({ txnum }) => findTxLocation(reader, txnum)?.txid.equals(txid))
}
