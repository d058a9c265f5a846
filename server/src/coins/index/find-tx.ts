/** A transaction's number by its id: recent ones first, then the runs from the newest to the oldest. */
import { type KvReader, prefixRange } from './kv.ts'
import { TXID_PREFIX_SIZE, TXNUM_SIZE } from './layout.ts'
import { RUN_TXID_RECORD, RUN_TXID_SIZE, type Run, readRuns, runKey } from './runs.ts'
import { findTxPlace, type TxPlace } from './tx-rows.ts'

/** `txid` in the order of the wire. Of a repeated coinbase, the later one. */
export function findTx(reader: KvReader, txid: Buffer): TxPlace | undefined {
  const check = (txnum: number): TxPlace | undefined => {
    const place = findTxPlace(reader, txnum)
    return place?.txid.equals(txid) === true ? place : undefined
  }
  const recent = { ...prefixRange(txid.subarray(0, TXID_PREFIX_SIZE)), reverse: true }
  for (const { key } of reader.range('recentTxids', recent)) {
    const place = check(key.readUIntBE(TXID_PREFIX_SIZE, TXNUM_SIZE))
    if (place !== undefined) return place
  }
  for (const run of readRuns(reader).runs.toReversed()) {
    for (const txnum of candidates(reader, run, txid).toReversed()) {
      const place = check(txnum)
      if (place !== undefined) return place
    }
  }
  return undefined
}

/** Numbers of the run whose ids begin like this one. */
function candidates(reader: KvReader, run: Run, txid: Buffer): number[] {
  const prefix = txid.subarray(0, RUN_TXID_SIZE)
  const first = runKey(run.id, prefix)
  const found: number[] = []
  // The row before may end with ids that begin alike, and rows behind may begin with them.
  const [before] = reader.range('txidRuns', {
    gte: runKey(run.id, Buffer.alloc(0)),
    lt: first,
    reverse: true,
    limit: 1,
  })
  if (before !== undefined) collect(before.value, prefix, found)
  for (const { value } of reader.range('txidRuns', prefixRange(first))) collect(value, prefix, found)
  return found
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
