/**
 * The coins of an initial sync: a log of sorted runs with tombstones, as in an LSM tree, instead of the B-trees `coins`
 * and `scriptCoins`.
 *
 * In a B-tree of all coins every new and every spent coin changes another page. In the log each batch is appended as a
 * run, runs are merged by level, and at the end of the sync all coins are appended to the B-trees in order
 * (`load-coins.ts`). Nothing in the log is rolled back: a reorganization waits until the coins are loaded.
 */

import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { type BlockBatch, UNSPENT } from './block-batch.ts'
import { type CoinPageReader, type CoinRecord, compareCoins } from './coin-page.ts'
import { type CoinRun, type CoinRunIndex, CoinRunReader, CoinRunWriter, readCoinRunIndex } from './coin-run.ts'
import { MissingCoinError } from './index-errors.ts'
import { type Kv, type KvReader, type KvWriter, prefixRange, withSnapshot } from './kv.ts'
import { type CoinEntry, metaKeys } from './layout.ts'
import { chooseMerge } from './merge-runs.ts'
import { RowReader, RowWriter } from './row-bytes.ts'
import { SourceHeap } from './source-heap.ts'

type CoinRuns = { readonly nextId: number; readonly runs: readonly CoinRun[] }

/** Bytes of pages per commit of a merge. */
const COMMIT_BYTES = 16_000_000

function readCoinRuns(reader: KvReader): CoinRuns | undefined {
  const value = reader.get('meta', metaKeys.coinLog)
  if (value === undefined) return undefined
  const row = new RowReader(value)
  const nextId = row.uint(4)
  const runs: CoinRun[] = []
  while (row.at < value.length) runs.push({ id: row.uint(4), level: row.u8(), records: row.uint(6) })
  return { nextId, runs }
}

function putCoinRuns(writer: KvWriter, { nextId, runs }: CoinRuns): void {
  const row = new RowWriter(64)
  row.uint(nextId, 4)
  for (const { id, level, records } of runs) {
    row.uint(id, 4)
    row.u8(level)
    row.uint(records, 6)
  }
  writer.put('meta', metaKeys.coinLog, row.take())
}

/** Whether the coins of the index are in a log. */
export const hasCoinLog = (reader: KvReader): boolean => reader.get('meta', metaKeys.coinLog) !== undefined

/** Deletes pages that are in no run: those of an interrupted merge, or all of them after the coins were loaded. */
export function deleteUnusedCoinPages(kv: Kv): void {
  for (;;) {
    const keys = withSnapshot(kv, (reader) => {
      const used = new Set(readCoinRuns(reader)?.runs.map(({ id }) => id))
      const found: Buffer[] = []
      for (let from = Buffer.alloc(0); found.length === 0; ) {
        const [row] = reader.range('coinRuns', { gte: from, limit: 1 })
        if (row === undefined) break
        const id = row.key.readUInt32BE(0)
        from = Buffer.alloc(4)
        from.writeUInt32BE(id + 1)
        if (used.has(id)) continue
        for (const { key } of reader.range('coinRuns', { ...prefixRange(row.key.subarray(0, 4)), limit: 4_096 }))
          found.push(key)
      }
      return found
    })
    if (keys.length === 0) return
    kv.write((writer) => {
      for (const key of keys) writer.delete('coinRuns', key)
    })
  }
}

export class CoinLog {
  readonly #kv: Kv
  readonly #width: number
  #nextId: number
  /** Oldest first. */
  #indexes: CoinRunIndex[]
  #written: CoinRunIndex | undefined

  /** Opens the log of an index, or begins one. */
  constructor(kv: Kv, width: number) {
    this.#kv = kv
    this.#width = width
    deleteUnusedCoinPages(kv)
    const { nextId, runs } = withSnapshot(kv, readCoinRuns) ?? { nextId: 1, runs: [] }
    this.#nextId = nextId
    this.#indexes = withSnapshot(kv, (reader) => runs.map((run) => readCoinRunIndex(reader, run)))
  }

  get runs(): readonly CoinRun[] {
    return this.#indexes.map(({ run }) => run)
  }

  /** Returns the unspent coins of an outpoint. More than one only if txids share their first eight bytes. */
  find(reader: KvReader, txid: Buffer, txidAt: number, vout: number): CoinEntry[] {
    const high = txid.readUInt32BE(txidAt)
    const low = txid.readUInt32BE(txidAt + 4)
    const entries = new Map<number, CoinEntry>()
    const take = ({ txnum, isTombstone, bytes, scriptAt, value }: CoinRecord): void => {
      if (isTombstone) entries.delete(txnum)
      else entries.set(txnum, { txnum, value, script: bytes.subarray(scriptAt, scriptAt + SCRIPT_KEY_SIZE) })
    }
    // Oldest first, so that a tombstone comes after its coin.
    for (const index of this.#indexes) index.find(reader, high, low, vout, take)
    return [...entries.values()]
  }

  /** Writes the coins of a batch as a run. `committed` must be called after the commit. */
  write(writer: KvWriter, batch: BlockBatch, byTxid: Uint32Array): void {
    const records = [...createdBy(batch, byTxid), ...removedBy(batch)].sort(compareCoins)
    const level = 0
    const target = new CoinRunWriter(
      (key, page) => writer.put('coinRuns', key, page),
      this.#nextId,
      level,
      records.length,
    )
    for (const record of records) target.add(record)
    this.#written = target.finish()
    putCoinRuns(writer, { nextId: this.#nextId + 1, runs: [...this.runs, this.#written.run] })
  }

  /** Takes over the run of the last `write`, and merges runs if there are enough of a level. */
  committed(): void {
    if (this.#written === undefined) return
    this.#indexes.push(this.#written)
    this.#nextId++
    this.#written = undefined
    for (;;) {
      const chosen = chooseMerge(this.#indexes, this.#width)
      if (chosen === undefined) return
      this.#merge(chosen)
    }
  }

  /** Merges all runs into one. Returns its id, undefined if there are no coins. */
  mergeAll(): number | undefined {
    if (this.#indexes.length > 1) this.#merge(this.#indexes)
    return this.#indexes[0]?.id
  }

  #merge(sources: readonly CoinRunIndex[]): void {
    const id = this.#nextId
    const pending: [Buffer, Buffer][] = []
    let bytes = 0
    const commit = (publish?: (writer: KvWriter) => void): void => {
      this.#kv.write((writer) => {
        for (const [key, page] of pending) writer.put('coinRuns', key, page)
        publish?.(writer)
      })
      pending.length = 0
      bytes = 0
    }
    const expected = sources.reduce((sum, { run }) => sum + run.records, 0)
    const level = Math.max(...sources.map((source) => source.level)) + 1
    const target = new CoinRunWriter(
      (key, page) => {
        pending.push([key, page])
        bytes += page.length
      },
      id,
      level,
      expected,
    )
    // Nothing is older than the first run, so a tombstone there has met its coin.
    const hasOldest = sources[0] === this.#indexes[0]
    const snapshot = this.#kv.snapshot()
    try {
      mergeRecords(snapshot, sources, (record) => {
        if (record.isTombstone && hasOldest) return
        target.add(record)
        if (bytes >= COMMIT_BYTES) commit()
      })
    } finally {
      snapshot.close()
    }
    const merged = target.finish()
    const start = this.#indexes.indexOf(sources[0] as CoinRunIndex)
    const indexes = this.#indexes.toSpliced(start, sources.length, merged)
    commit((writer) => putCoinRuns(writer, { nextId: id + 1, runs: indexes.map(({ run }) => run) }))
    this.#nextId = id + 1
    this.#indexes = indexes
    deleteUnusedCoinPages(this.#kv)
  }
}

/** Calls `take` with the records of adjacent runs in order, without coins that one of them created and another spent. */
function mergeRecords(reader: KvReader, runs: readonly CoinRunIndex[], take: (record: CoinRecord) => void): void {
  const sources = runs.map(({ id }) => new CoinRunReader(reader, id))
  const records = sources.map(({ record }) => record)
  const open = [...sources.keys()].filter((i) => sources[i]?.next())
  const heap = new SourceHeap(
    open,
    (x, y) => compareCoins(records[x] as CoinPageReader, records[y] as CoinPageReader) < 0,
  )
  /** The last record, which the next one may cancel. */
  const last = new HeldRecord()
  for (let top = heap.top; top !== undefined; top = heap.top) {
    const record = records[top] as CoinPageReader
    if (last.isHeld && record.isTombstone && compareCoins(record, last) === 0) last.isHeld = false
    else {
      if (last.isHeld) take(last)
      last.hold(record)
    }
    heap.advanced((sources[top] as CoinRunReader).next())
  }
  if (last.isHeld) take(last)
}

/** A copy of a record. */
class HeldRecord implements CoinRecord {
  isHeld = false
  high = 0
  low = 0
  vout = 0
  txnum = 0
  isTombstone = false
  readonly bytes = Buffer.alloc(SCRIPT_KEY_SIZE)
  readonly scriptAt = 0
  value = 0

  hold(record: CoinRecord): void {
    this.isHeld = true
    this.high = record.high
    this.low = record.low
    this.vout = record.vout
    this.txnum = record.txnum
    this.isTombstone = record.isTombstone
    if (record.isTombstone) return
    for (let i = 0; i < SCRIPT_KEY_SIZE; i++) this.bytes[i] = record.bytes[record.scriptAt + i] as number
    this.value = record.value
  }
}

function createdBy(batch: BlockBatch, byTxid: Uint32Array): CoinRecord[] {
  const { txids, firstOutput, outputState, outputScript, outputValue, scripts, start } = batch
  const records: CoinRecord[] = []
  for (const tx of byTxid) {
    const first = firstOutput.at(tx)
    for (let output = first; output < firstOutput.at(tx + 1); output++) {
      if (outputState.at(output) !== UNSPENT) continue
      records.push({
        high: txids.ids.data.readUInt32BE(tx * 32),
        low: txids.ids.data.readUInt32BE(tx * 32 + 4),
        vout: output - first,
        txnum: start.txnum + tx,
        isTombstone: false,
        bytes: scripts.data,
        scriptAt: outputScript.at(output) * SCRIPT_KEY_SIZE,
        value: outputValue.at(output),
      })
    }
  }
  return records
}

function removedBy({ removed, start, scripts }: BlockBatch): CoinRecord[] {
  const records = removed.map(({ key, vout, txnum }) => ({
    high: key.readUInt32BE(0),
    low: key.readUInt32BE(4),
    vout,
    txnum,
    isTombstone: true,
    bytes: scripts.data,
    scriptAt: 0,
    value: 0,
  }))
  records.sort(compareCoins)
  for (const [i, record] of records.entries()) {
    const next = records[i + 1]
    if (next !== undefined && compareCoins(record, next) === 0)
      throw new MissingCoinError(
        start.height,
        `a coin of transaction ${record.txnum} twice in the batch that begins there`,
      )
  }
  return records
}
