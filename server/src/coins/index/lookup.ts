/** A transaction's number by its id: recent ones first, then the runs from the newest to the oldest. */
import { type KvReader, prefixEnd, prefixRange } from './kv.ts'
import { TXID_PREFIX_SIZE, TXNUM_SIZE } from './layout.ts'
import { RUN_TXID_RECORD, RUN_TXID_SIZE, readRuns, runKey, type SortedRun } from './sorted-runs.ts'
import { findTxLocation, type TxLocation } from './tx-locations.ts'

/** `txid` in the order of the wire. Of a repeated coinbase, the later one. */
export function findTx(reader: KvReader, txid: Buffer): TxLocation | undefined {
  const check = (txnum: number): TxLocation | undefined => {
    const place = findTxLocation(reader, txnum)
    return place?.txid.equals(txid) === true ? place : undefined
  }
  const recent = { ...prefixRange(txid.subarray(0, TXID_PREFIX_SIZE)), reverse: true }
  for (const { key } of reader.range('recentTxids', recent)) {
    const place = check(key.readUIntBE(TXID_PREFIX_SIZE, TXNUM_SIZE))
    if (place !== undefined) return place
  }
  for (const run of readRuns(reader).runs.toReversed()) {
    for (const txnum of candidates(reader, run, txid)) {
      const place = check(txnum)
      if (place !== undefined) return place
    }
  }
  return undefined
}

const EMPTY = Buffer.alloc(0)

/** Numbers of the run whose ids begin like this one, newest first. */
function candidates(reader: KvReader, run: SortedRun, txid: Buffer): number[] {
  const prefix = txid.subarray(0, RUN_TXID_SIZE)
  const first = runKey(run.id, prefix)
  const found: number[] = []
  const lt = prefixEnd(first)
  const range = { gte: runKey(run.id, EMPTY), reverse: true, ...(lt === undefined ? {} : { lt }) }
  for (const { key, value } of reader.range('txidRuns', range)) {
    collect(value, prefix, found)
    // A row that begins before the prefix may still end with it; no earlier one does.
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
