/**
 * Sorted runs: immutable sorted segments of history entries and txids, packed into full pages, as in an LSM tree.
 *
 * Entries of recent blocks are single rows first. When there are enough of them they are flushed to a run; a large batch
 * of the initial sync becomes a run at once. Runs cover adjacent ranges of transaction numbers, so a script's history is
 * the concatenation of its entries in all runs. A reorganization that reaches into a run rewrites it. Merges
 * (`merge-runs.ts`) keep the runs few.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import type { ScriptTotals } from './history-entry.ts'
import { HistoryPageReader, HistoryPageWriter } from './history-page.ts'
import type { KvReader, KvWriter } from './kv.ts'
import { prefixRange } from './kv.ts'
import { HISTORY_KEY_SIZE, metaKeys, TXID_PREFIX_SIZE, TXNUM_SIZE } from './layout.ts'
import { readRecentEntry } from './recent-history.ts'
import { putRuns, readRuns, runKey, type SortedRun } from './run-list.ts'
import { RUN_TXID_SIZE, TxidPageReader, TxidPageWriter } from './txid-page.ts'

/** A run stores the totals of every script with more entries than this. */
const MIN_ENTRIES_FOR_TOTALS = 256

/** Reads the stored totals of a script in a run; undefined for a script with few entries. */
export function readRunTotals(reader: KvReader, run: SortedRun, script: Buffer): ScriptTotals | undefined {
  const value = reader.get('runTotals', runKey(run.id, script))
  if (value === undefined) return undefined
  return { txCount: value.readUIntBE(0, 6), received: value.readBigUInt64BE(6), sent: value.readBigUInt64BE(14) }
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

  total(): bigint {
    return this.#large + BigInt(this.#small)
  }

  reset(): void {
    this.#small = 0
    this.#large = 0n
  }
}

export const RUN_TABLES = ['historyRuns', 'txidRuns', 'runTotals'] as const

export type RunTable = (typeof RUN_TABLES)[number]

type Put = (table: RunTable, key: Buffer, value: Buffer) => void

/** Writes sorted entries and txids as pages of a run. */
export class RunWriter {
  readonly #put: Put
  readonly #id: number
  readonly #history: HistoryPageWriter
  readonly #txids: TxidPageWriter
  #historyKey = Buffer.alloc(0)
  #txidKey = Buffer.alloc(0)
  #a = 0
  #b = 0
  #c = 0
  #scriptEntries = 0
  readonly #received = new Sum()
  readonly #sent = new Sum()
  #entries = 0
  #bytes = 0

  /** Transaction numbers are from `base` to below `end`. */
  constructor(put: Put, id: number, base: number, end: number) {
    this.#put = put
    this.#id = id
    this.#history = new HistoryPageWriter(base)
    this.#txids = new TxidPageWriter(base, end)
  }

  get entries(): number {
    return this.#entries
  }

  /** Bytes of all pages so far. */
  get bytes(): number {
    return this.#bytes + this.#history.bytes + this.#txids.bytes
  }

  /** Whether the last entry belongs to this script. */
  isLastScript(a: number, b: number, c: number): boolean {
    return this.#scriptEntries > 0 && a === this.#a && b === this.#b && c === this.#c
  }

  addHistory(a: number, b: number, c: number, txnum: number, flags: number, received: number, sent: number): void {
    if (!this.isLastScript(a, b, c)) {
      this.#endScript()
      this.#a = a
      this.#b = b
      this.#c = c
    }
    if (this.#history.count === 0) this.#historyKey = this.#keyOf(a, b, c, txnum)
    this.#history.add(a, b, c, txnum, flags, received, sent)
    this.#scriptEntries++
    this.#entries++
    this.#received.add(received)
    this.#sent.add(sent)
    if (this.#history.isFull) this.#putHistory()
  }

  #keyOf(a: number, b: number, c: number, txnum: number): Buffer<ArrayBuffer> {
    const key = Buffer.allocUnsafe(4 + HISTORY_KEY_SIZE)
    key.writeUInt32BE(this.#id)
    key.writeUInt32BE(a, 4)
    key.writeUInt32BE(b, 8)
    key.writeUInt16BE(c, 12)
    key.writeUIntBE(txnum, 4 + SCRIPT_KEY_SIZE, TXNUM_SIZE)
    return key
  }

  #putHistory(): void {
    const page = this.#history.take()
    this.#bytes += page.length
    this.#put('historyRuns', this.#historyKey, page)
  }

  #endScript(): void {
    if (this.#scriptEntries > MIN_ENTRIES_FOR_TOTALS) {
      const value = Buffer.allocUnsafe(22)
      value.writeUIntBE(this.#scriptEntries, 0, 6)
      value.writeBigUInt64BE(this.#received.total(), 6)
      value.writeBigUInt64BE(this.#sent.total(), 14)
      const key = this.#keyOf(this.#a, this.#b, this.#c, 0).subarray(0, 4 + SCRIPT_KEY_SIZE)
      this.#put('runTotals', key, value)
    }
    this.#scriptEntries = 0
    this.#received.reset()
    this.#sent.reset()
  }

  addTxid(prefix: number, txnum: number): void {
    if (this.#txids.count === 0) {
      const key = Buffer.allocUnsafe(4 + RUN_TXID_SIZE + TXNUM_SIZE)
      key.writeUInt32BE(this.#id)
      key.writeUIntBE(prefix, 4, RUN_TXID_SIZE)
      // The key includes the number, because two pages may begin with the same prefix.
      key.writeUIntBE(txnum, 4 + RUN_TXID_SIZE, TXNUM_SIZE)
      this.#txidKey = key
    }
    this.#txids.add(prefix, txnum)
    if (this.#txids.isFull) this.#putTxids()
  }

  #putTxids(): void {
    const page = this.#txids.take()
    this.#bytes += page.length
    this.#put('txidRuns', this.#txidKey, page)
  }

  finish(): void {
    this.#endScript()
    if (this.#history.count > 0) this.#putHistory()
    if (this.#txids.count > 0) this.#putTxids()
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
  const run = new RunWriter(writer.put, list.nextId, firstTxnum, endTxnum)
  const history = [...writer.range('recentHistory', {})]
  for (const { key, value } of history) {
    const { txnum, flags, received, sent } = readRecentEntry(key, value)
    run.addHistory(key.readUInt32BE(0), key.readUInt32BE(4), key.readUInt16BE(8), txnum, flags, received, sent)
  }
  const txids = [...writer.range('recentTxids', {})]
  // Recent txids are sorted by eight bytes; in a run they are sorted by six and then by number.
  for (const key of sortByRunKey(txids.map((row) => row.key))) {
    run.addTxid(key.readUIntBE(0, RUN_TXID_SIZE), key.readUIntBE(TXID_PREFIX_SIZE, TXNUM_SIZE))
  }
  run.finish()
  for (const { key } of history) writer.delete('recentHistory', key)
  for (const { key } of txids) writer.delete('recentTxids', key)
  putRecentCount(writer, 0)
  putRuns(writer, {
    nextId: list.nextId + 1,
    runs: [...list.runs, { id: list.nextId, level: 0, firstTxnum, endTxnum, entries: run.entries }],
  })
}

function sortByRunKey(keys: Buffer[]): Buffer[] {
  return keys.sort(
    (a, b) =>
      a.compare(b, 0, RUN_TXID_SIZE, 0, RUN_TXID_SIZE) ||
      a.readUIntBE(TXID_PREFIX_SIZE, TXNUM_SIZE) - b.readUIntBE(TXID_PREFIX_SIZE, TXNUM_SIZE),
  )
}

function deleteRun(writer: KvWriter, id: number): void {
  const range = prefixRange(runKey(id, Buffer.alloc(0)))
  for (const table of RUN_TABLES) {
    const keys = Array.from(writer.range(table, range), (row) => row.key)
    for (const key of keys) writer.delete(table, key)
  }
}

/**
 * Removes all entries from `endTxnum` on from the runs, because their blocks are being disconnected. None of them is
 * being merged: only runs that no reorganization can reach are.
 */
export function truncateRuns(writer: KvWriter, endTxnum: number): void {
  const list = readRuns(writer)
  const isAffected = (run: SortedRun): boolean => run.endTxnum > endTxnum
  if (!list.runs.some(isAffected)) return
  const cut = list.runs.find((run) => isAffected(run) && run.firstTxnum < endTxnum)
  const rewritten = cut === undefined ? [] : [rewriteRun(writer, cut, list.nextId, endTxnum)]
  for (const run of list.runs) if (isAffected(run)) deleteRun(writer, run.id)
  putRuns(writer, {
    nextId: list.nextId + rewritten.length,
    runs: [...list.runs.filter((run) => !isAffected(run)), ...rewritten],
  })
}

function rewriteRun(writer: KvWriter, run: SortedRun, id: number, endTxnum: number): SortedRun {
  const target = new RunWriter(writer.put, id, run.firstTxnum, endTxnum)
  // Collected first, because the loops write to the same tables.
  for (const entry of Array.from(pagesOf(writer, 'historyRuns', run)).flatMap((page) => historyOfPage(page, run))) {
    if (entry.txnum >= endTxnum) continue
    target.addHistory(entry.a, entry.b, entry.c, entry.txnum, entry.flags, entry.received, entry.sent)
  }
  for (const { prefix, txnum } of Array.from(pagesOf(writer, 'txidRuns', run)).flatMap((page) =>
    txidsOfPage(page, run),
  ))
    if (txnum < endTxnum) target.addTxid(prefix, txnum)
  target.finish()
  return { ...run, id, endTxnum, entries: target.entries }
}

/** Reads the pages of a run in order. */
export function* pagesOf(reader: KvReader, table: 'historyRuns' | 'txidRuns', run: SortedRun): Generator<Buffer> {
  for (const { value } of reader.range(table, prefixRange(runKey(run.id, Buffer.alloc(0))))) yield value
}

type PageEntry = Pick<HistoryPageReader, 'a' | 'b' | 'c' | 'txnum' | 'flags' | 'received' | 'sent'>

/** Reads all entries of a page. */
export function historyOfPage(page: Buffer, run: SortedRun): PageEntry[] {
  const reader = new HistoryPageReader(run.firstTxnum).open(page)
  const entries: PageEntry[] = []
  while (reader.next()) {
    const { a, b, c, txnum, flags, received, sent } = reader
    entries.push({ a, b, c, txnum, flags, received, sent })
  }
  return entries
}

/** Reads all txids of a page. */
export function txidsOfPage(page: Buffer, run: SortedRun): { readonly prefix: number; readonly txnum: number }[] {
  const reader = new TxidPageReader(run.firstTxnum).open(page)
  const records: { readonly prefix: number; readonly txnum: number }[] = []
  while (reader.next()) records.push({ prefix: reader.prefix, txnum: reader.txnum })
  return records
}
