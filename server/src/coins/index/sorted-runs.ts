/**
 * Sorted runs: immutable sorted segments of history entries and txids, packed into full pages, as in an LSM tree.
 *
 * Entries of recent blocks are single rows first. When there are enough of them they are flushed to a run; a large batch
 * of the initial sync becomes a run at once. Runs cover adjacent ranges of transaction numbers, so a script's history is
 * the concatenation of its entries in all runs. A reorganization that reaches into a run rewrites it. Compaction
 * (`compact-runs.ts`) keeps the runs few.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { type HistoryEntry, HistoryPacker, type ScriptTotals, unpack } from './history-entry.ts'
import type { KvReader, KvWriter } from './kv.ts'
import { prefixRange } from './kv.ts'
import { HISTORY_KEY_SIZE, metaKeys, TXID_PREFIX_SIZE, TXNUM_SIZE } from './layout.ts'
import { readRecentEntry } from './recent-history.ts'
import { RowReader, RowWriter } from './row-bytes.ts'

export type SortedRun = {
  readonly id: number
  readonly firstTxnum: number
  /** Exclusive. */
  readonly endTxnum: number
  /** Number of history entries. */
  readonly entries: number
}

export type RunList = { readonly nextId: number; readonly runs: readonly SortedRun[] }

/** A run stores the totals of every script with more entries than this. */
const MIN_ENTRIES_FOR_TOTALS = 256

/** Prefix length of txids in runs. Shorter than elsewhere: every match is checked against the whole txid. */
export const RUN_TXID_SIZE = 6
export const RUN_TXID_RECORD = RUN_TXID_SIZE + TXNUM_SIZE
const TXIDS_PER_ROW = 369

export function readRuns(reader: KvReader): RunList {
  const value = reader.get('meta', metaKeys.runs)
  if (value === undefined) return { nextId: 1, runs: [] }
  const row = new RowReader(value)
  const nextId = row.uint(4)
  const runs: SortedRun[] = []
  while (row.at < value.length) {
    runs.push({ id: row.uint(4), firstTxnum: row.uint(6), endTxnum: row.uint(6), entries: row.uint(6) })
  }
  return { nextId, runs }
}

export function putRuns(writer: KvWriter, list: RunList): void {
  const row = new RowWriter()
  row.uint(list.nextId, 4)
  for (const run of list.runs) {
    row.uint(run.id, 4)
    row.uint(run.firstTxnum, 6)
    row.uint(run.endTxnum, 6)
    row.uint(run.entries, 6)
  }
  writer.put('meta', metaKeys.runs, row.take())
}

export function runKey(id: number, rest: Buffer): Buffer {
  const key = Buffer.allocUnsafe(4 + rest.length)
  key.writeUInt32BE(id)
  rest.copy(key, 4)
  return key
}

/** Reads the stored totals of a script in a run; undefined for a script with few entries. */
export function readRunTotals(reader: KvReader, run: SortedRun, script: Buffer): ScriptTotals | undefined {
  const value = reader.get('runTotals', runKey(run.id, script))
  if (value === undefined) return undefined
  return { txCount: value.readUIntBE(0, 6), received: value.readBigUInt64BE(6), sent: value.readBigUInt64BE(14) }
}

function isSameScript(script: Buffer, scripts: Buffer, at: number): boolean {
  for (let i = 0; i < SCRIPT_KEY_SIZE; i++) if (script[i] !== scripts[at + i]) return false
  return true
}

/** A sum that may exceed 2^53, without a bigint addition per term. */
class Sum {
  #small = 0
  #large = 0n

  add(value: number): void {
    if (this.#small + value > Number.MAX_SAFE_INTEGER) {
      this.#large += BigInt(this.#small)
      this.#small = 0
    }
    this.#small += value
  }

  /** Resets the sum and returns a function that computes the total. */
  take(): () => bigint {
    const small = this.#small
    const large = this.#large
    this.#small = 0
    this.#large = 0n
    return () => large + BigInt(small)
  }
}

export const RUN_TABLES = ['historyRuns', 'txidRuns', 'runTotals'] as const

export type RunTable = (typeof RUN_TABLES)[number]

type Put = (table: RunTable, key: Buffer, value: Buffer) => void

/** Writes sorted entries as a run. */
export class RunWriter {
  readonly #put: Put
  readonly #id: number
  readonly #packer: HistoryPacker
  #firstKey = Buffer.alloc(0)
  readonly #script = Buffer.alloc(SCRIPT_KEY_SIZE)
  #scriptEntries = 0
  readonly #received = new Sum()
  readonly #sent = new Sum()
  readonly #txids = Buffer.allocUnsafe(RUN_TXID_RECORD * TXIDS_PER_ROW)
  #txidCount = 0
  #entries = 0

  constructor(put: Put, id: number, base: number) {
    this.#put = put
    this.#id = id
    this.#packer = new HistoryPacker(base)
  }

  get entries(): number {
    return this.#entries
  }

  addHistory(scripts: Buffer, scriptAt: number, entry: HistoryEntry): void {
    const isNew = this.#scriptEntries === 0 || !isSameScript(this.#script, scripts, scriptAt)
    if (isNew) {
      this.#endScript()
      scripts.copy(this.#script, 0, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
    }
    if (this.#packer.count === 0) {
      const key = Buffer.allocUnsafe(4 + HISTORY_KEY_SIZE)
      key.writeUInt32BE(this.#id)
      scripts.copy(key, 4, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
      key.writeUIntBE(entry.txnum, 4 + SCRIPT_KEY_SIZE, TXNUM_SIZE)
      this.#firstKey = key
    }
    this.#packer.add(scripts, scriptAt, entry, isNew)
    this.#scriptEntries++
    this.#entries++
    this.#received.add(entry.received)
    this.#sent.add(entry.sent)
    if (this.#packer.isFull) this.#put('historyRuns', this.#firstKey, this.#packer.take())
  }

  #endScript(): void {
    const received = this.#received.take()
    const sent = this.#sent.take()
    if (this.#scriptEntries > MIN_ENTRIES_FOR_TOTALS) {
      const value = Buffer.allocUnsafe(22)
      value.writeUIntBE(this.#scriptEntries, 0, 6)
      value.writeBigUInt64BE(received(), 6)
      value.writeBigUInt64BE(sent(), 14)
      this.#put('runTotals', runKey(this.#id, this.#script), value)
    }
    this.#scriptEntries = 0
  }

  addTxid(txids: Buffer, at: number, txnum: number): void {
    const start = this.#txidCount * RUN_TXID_RECORD
    txids.copy(this.#txids, start, at, at + RUN_TXID_SIZE)
    this.#txids.writeUIntBE(txnum, start + RUN_TXID_SIZE, TXNUM_SIZE)
    this.#txidCount++
    if (this.#txidCount === TXIDS_PER_ROW) this.#putTxids()
  }

  #putTxids(): void {
    if (this.#txidCount === 0) return
    const value = Buffer.from(this.#txids.subarray(0, this.#txidCount * RUN_TXID_RECORD))
    // The key includes the number, because two rows may begin with the same prefix.
    this.#put('txidRuns', runKey(this.#id, value.subarray(0, RUN_TXID_RECORD)), value)
    this.#txidCount = 0
  }

  finish(): void {
    this.#endScript()
    if (this.#packer.count > 0) this.#put('historyRuns', this.#firstKey, this.#packer.take())
    this.#putTxids()
  }
}

/** Reads the number of recent history entries. */
export function readRecentCount(reader: KvReader): number {
  return reader.get('meta', metaKeys.recent)?.readUIntBE(0, 6) ?? 0
}

export function putRecentCount(writer: KvWriter, entries: number): void {
  const value = Buffer.allocUnsafe(6)
  value.writeUIntBE(entries, 0, 6)
  writer.put('meta', metaKeys.recent, value)
}

/** Flushes all recent entries to a new run. `endTxnum` is the next unused transaction number. */
export function flushRecent(writer: KvWriter, endTxnum: number): void {
  const list = readRuns(writer)
  const firstTxnum = list.runs.at(-1)?.endTxnum ?? 0
  if (firstTxnum === endTxnum) return
  const run = new RunWriter(writer.put, list.nextId, firstTxnum)
  const history = [...writer.range('recentHistory', {})]
  for (const { key, value } of history) {
    run.addHistory(key, 0, readRecentEntry(key, value))
  }
  const txids = [...writer.range('recentTxids', {})]
  // Recent txids are sorted by eight bytes; in a run they are sorted by six and then by number.
  for (const key of sortByRunKey(txids.map((row) => row.key))) {
    run.addTxid(key, 0, key.readUIntBE(TXID_PREFIX_SIZE, TXNUM_SIZE))
  }
  run.finish()
  for (const { key } of history) writer.delete('recentHistory', key)
  for (const { key } of txids) writer.delete('recentTxids', key)
  putRecentCount(writer, 0)
  putRuns(writer, {
    nextId: list.nextId + 1,
    runs: [...list.runs, { id: list.nextId, firstTxnum, endTxnum, entries: run.entries }],
  })
}

function sortByRunKey(keys: Buffer[]): Buffer[] {
  return keys.sort(
    (a, b) =>
      a.compare(b, 0, RUN_TXID_SIZE, 0, RUN_TXID_SIZE) ||
      a.readUIntBE(TXID_PREFIX_SIZE, TXNUM_SIZE) - b.readUIntBE(TXID_PREFIX_SIZE, TXNUM_SIZE),
  )
}

export function deleteRun(writer: KvWriter, id: number): void {
  const range = prefixRange(runKey(id, Buffer.alloc(0)))
  for (const table of RUN_TABLES) {
    const keys = Array.from(writer.range(table, range), (row) => row.key)
    for (const key of keys) writer.delete(table, key)
  }
}

/** Removes all entries from `endTxnum` on from the runs, because their blocks are being disconnected. */
export function truncateRuns(writer: KvWriter, endTxnum: number): void {
  const list = readRuns(writer)
  let { nextId } = list
  const kept: SortedRun[] = []
  for (const run of list.runs) {
    if (run.endTxnum <= endTxnum) {
      kept.push(run)
      continue
    }
    if (run.firstTxnum < endTxnum) kept.push(rewriteRun(writer, run, nextId++, endTxnum))
    deleteRun(writer, run.id)
  }
  if (kept.length !== list.runs.length || nextId !== list.nextId) putRuns(writer, { nextId, runs: kept })
}

function rewriteRun(writer: KvWriter, run: SortedRun, id: number, endTxnum: number): SortedRun {
  const range = prefixRange(runKey(run.id, Buffer.alloc(0)))
  const target = new RunWriter(writer.put, id, run.firstTxnum)
  const history = Array.from(writer.range('historyRuns', range), (row) => row.value)
  for (const packed of history) {
    for (const entry of unpack(packed, run.firstTxnum)) {
      if (entry.txnum < endTxnum) target.addHistory(entry.script, 0, entry)
    }
  }
  const txids = Array.from(writer.range('txidRuns', range), (row) => row.value)
  for (const records of txids) {
    for (let at = 0; at < records.length; at += RUN_TXID_RECORD) {
      const txnum = records.readUIntBE(at + RUN_TXID_SIZE, TXNUM_SIZE)
      if (txnum < endTxnum) target.addTxid(records, at, txnum)
    }
  }
  target.finish()
  return { id, firstTxnum: run.firstTxnum, endTxnum, entries: target.entries }
}
