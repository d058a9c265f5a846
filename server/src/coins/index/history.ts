/**
 * Reads the totals, coins and history of a script.
 *
 * Totals come from the running totals of recent entries and the stored totals of runs, so a script with a million entries
 * costs as much as one with a few hundred. A page skips whole runs and whole packed rows before it reads entries.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { HistoryEntry, ScriptTotals } from './history-entry.ts'
import { entriesOfScript, pageCount } from './history-page.ts'
import { type KvReader, prefixEnd, prefixRange } from './kv.ts'
import { historyKey, readScriptCoinKey } from './layout.ts'
import { recentEntries, recentEntriesFrom, recentTotals } from './recent-history.ts'
import { type ListedRun, runKey, runsOfScript, type SortedRun } from './run-list.ts'
import { readRunTotals } from './sorted-runs.ts'

const EMPTY = Buffer.alloc(0)

/** A packed row, and its number of entries if all of them belong to the script. */
type Packed = { readonly value: Buffer; readonly count: number | undefined }

/** Reads the packed rows of a run with entries of the script, newest first. The oldest row may contain none. */
function packedRows(reader: KvReader, run: SortedRun, script: Buffer): Packed[] {
  const first = runKey(run.id, historyKey(script, 0, 0))
  const rows: Packed[] = []
  const lt = prefixEnd(runKey(run.id, script))
  const range = { gte: runKey(run.id, EMPTY), reverse: true, ...(lt === undefined ? {} : { lt }) }
  for (const { key, value } of reader.range('historyRuns', range)) {
    // A row that begins with the script and is followed by another such row contains no other script.
    const isPure = rows.length > 0 && key.compare(first) >= 0
    rows.push({ value, count: isPure ? pageCount(value) : undefined })
    // A row that begins before the script may still end with it.
    if (key.compare(first) < 0) break
  }
  return rows
}

function runEntries(reader: KvReader, run: SortedRun, script: Buffer): HistoryEntry[] {
  return packedRows(reader, run, script)
    .toReversed()
    .flatMap(({ value }) => entriesOfScript(value, run.firstTxnum, script))
}

function sumEntries(entries: readonly HistoryEntry[]): ScriptTotals {
  let received = 0n
  let sent = 0n
  for (const entry of entries) {
    if (entry.received > 0) received += BigInt(entry.received)
    if (entry.sent > 0) sent += BigInt(entry.sent)
  }
  return { txCount: entries.length, received, sent }
}

const runTotals = (reader: KvReader, run: SortedRun, script: Buffer): ScriptTotals =>
  readRunTotals(reader, run, script) ?? sumEntries(runEntries(reader, run, script))

export function readTotals(reader: KvReader, script: Buffer): ScriptTotals {
  const parts = runsOfScript(reader, script).map((run) => runTotals(reader, run, script))
  return parts.reduce(
    (sum, part) => ({
      txCount: sum.txCount + part.txCount,
      received: sum.received + part.received,
      sent: sum.sent + part.sent,
    }),
    recentTotals(reader, script),
  )
}

export type HistoryPage = {
  readonly entries: readonly HistoryEntry[]
  /** The `before` of the next page, undefined on the last page. */
  readonly next: number | undefined
}

/** Reads a page of entries, newest first: those below the transaction number `before`, without the first `skip`. */
export function readHistory(
  reader: KvReader,
  script: Buffer,
  page: { readonly limit: number; readonly skip?: number; readonly before?: number },
): HistoryPage {
  const before = page.before ?? Number.MAX_SAFE_INTEGER
  let skip = page.skip ?? 0
  const entries: HistoryEntry[] = []
  // One entry more than requested shows whether there is a next page.
  const wanted = page.limit + 1
  const take = (batch: readonly HistoryEntry[]): boolean => {
    for (const entry of batch.toReversed()) {
      if (entry.txnum >= before) continue
      if (skip > 0) skip--
      else if (entries.push(entry) === wanted) return true
    }
    return false
  }
  const finish = (): HistoryPage => ({
    entries: entries.slice(0, page.limit),
    next: entries.length > page.limit ? (entries[page.limit - 1]?.txnum ?? before) : undefined,
  })
  const { txCount: recent } = recentTotals(reader, script, page.before)
  if (skip < recent) entries.push(...recentEntries(reader, script, recent - skip, wanted))
  if (entries.length === wanted) return finish()
  skip = Math.max(0, skip - recent)
  for (const run of runsOfScript(reader, script).toReversed()) {
    if (run.firstTxnum >= before) continue
    const isWhole = run.endTxnum <= before
    const totals = isWhole ? readRunTotals(reader, run, script) : undefined
    if (totals !== undefined && totals.txCount <= skip) {
      skip -= totals.txCount
      continue
    }
    for (const { value, count } of packedRows(reader, run, script)) {
      if (isWhole && count !== undefined && count <= skip) {
        skip -= count
        continue
      }
      if (take(entriesOfScript(value, run.firstTxnum, script))) return finish()
    }
  }
  return finish()
}

/** Recent entries in a chunk. */
const RECENT_PER_CHUNK = 512

/**
 * Reads all entries of a script in chunks of a few hundred, newest first. No cursor is open between two chunks, so a
 * caller can serve other requests in between.
 */
export function* historyChunks(reader: KvReader, script: Buffer): Generator<readonly HistoryEntry[]> {
  for (let left = recentTotals(reader, script).txCount; left > 0; left -= RECENT_PER_CHUNK)
    yield recentEntries(reader, script, left, Math.min(left, RECENT_PER_CHUNK))
  for (const run of runsOfScript(reader, script).toReversed())
    for (const { value } of packedRows(reader, run, script))
      yield entriesOfScript(value, run.firstTxnum, script).toReversed()
}

/** Reads the entries of a script from a transaction number on, newest first. Costs one lookup if there are none. */
export function entriesFrom(
  reader: KvReader,
  script: Buffer,
  txnum: number,
  runs: readonly ListedRun[],
): HistoryEntry[] {
  const entries = recentEntriesFrom(reader, script, txnum)
  if (runs.every(({ endTxnum }) => endTxnum <= txnum)) return entries
  for (const run of runsOfScript(reader, script).toReversed())
    if (run.endTxnum > txnum) entries.push(...runEntries(reader, run, script).toReversed())
  return entries.filter((entry) => entry.txnum >= txnum)
}

export type ScriptCoin = { readonly value: number; readonly txnum: number; readonly vout: number }

/** Reads a script's coins, the most valuable first; equal amounts in chain order. */
export function* scriptCoins(reader: KvReader, script: Buffer): Generator<ScriptCoin> {
  for (const { key } of reader.range('scriptCoins', prefixRange(script))) yield readScriptCoinKey(key)
}

/** Coins read before yielding to other requests. */
const COINS_PER_CHUNK = 2_048
const JUST_AFTER = Buffer.from([0])

/**
 * Reads a script's coins in chunks and yields to other requests in between, so that an address with a hundred thousand
 * coins does not delay them.
 */
export async function* scriptCoinChunks(reader: KvReader, script: Buffer): AsyncGenerator<ScriptCoin[]> {
  let range = prefixRange(script)
  for (;;) {
    // A new range for every chunk, so that no LMDB cursor stays open while other requests read.
    const keys = Array.from(reader.range('scriptCoins', { ...range, limit: COINS_PER_CHUNK }), ({ key }) => key)
    yield keys.map(readScriptCoinKey)
    const last = keys.at(-1)
    if (keys.length < COINS_PER_CHUNK || last === undefined) return
    range = { ...range, gte: Buffer.concat([last, JUST_AFTER]) }
    await yieldToOthers()
  }
}
