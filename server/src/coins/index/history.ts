/**
 * Reading an address: totals, coins and history, however heavy it is.
 *
 * Totals come from the sums that recent entries carry and runs keep of heavy scripts, so a script with a million entries
 * costs what one with a few hundred does. Pages count whole runs and whole packed rows away before they read entries.
 */

import { setImmediate as letOthersIn } from 'node:timers/promises'
import { type HistoryEntry, packedCount, type ScriptTotals, unpackScript } from './history-entry.ts'
import { type KvReader, prefixEnd, prefixRange } from './kv.ts'
import { historyKey, readScriptCoinKey } from './layout.ts'
import { recentEntries, recentTotals } from './recent-history.ts'
import { readRuns, readRunTotals, runKey, type SortedRun } from './sorted-runs.ts'

const EMPTY = Buffer.alloc(0)

/** A packed row that holds entries of the script, and whether it holds nothing else. */
type Packed = { readonly value: Buffer; readonly count: number | undefined }

/** The packed rows of a run with entries of this script, newest first. The oldest one may hold none. */
function packedRows(reader: KvReader, run: SortedRun, script: Buffer): Packed[] {
  const first = runKey(run.id, historyKey(script, 0, 0))
  const rows: Packed[] = []
  const lt = prefixEnd(runKey(run.id, script))
  const range = { gte: runKey(run.id, EMPTY), reverse: true, ...(lt === undefined ? {} : { lt }) }
  for (const { key, value } of reader.range('historyRuns', range)) {
    // A row that begins with the script and is followed by another such row is the script's alone.
    const isAlone = rows.length > 0 && key.compare(first) >= 0
    rows.push({ value, count: isAlone ? packedCount(value) : undefined })
    // One that begins before the script may still end with it.
    if (key.compare(first) < 0) break
  }
  return rows
}

function runEntries(reader: KvReader, run: SortedRun, script: Buffer): HistoryEntry[] {
  return packedRows(reader, run, script)
    .toReversed()
    .flatMap(({ value }) => unpackScript(value, run.firstTxnum, script))
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
  const parts = readRuns(reader).runs.map((run) => runTotals(reader, run, script))
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
  /** The number to go on behind, undefined at the end. */
  readonly next: number | undefined
}

/** Lines newest first, behind `before` (exclusive) where given, after leaving out `skip`. */
export function readHistory(
  reader: KvReader,
  script: Buffer,
  page: { readonly limit: number; readonly skip?: number; readonly before?: number },
): HistoryPage {
  const before = page.before ?? Number.MAX_SAFE_INTEGER
  let skip = page.skip ?? 0
  const entries: HistoryEntry[] = []
  // One more than asked for tells whether there is a next page.
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
  for (const run of readRuns(reader).runs.toReversed()) {
    if (run.firstTxnum >= before) continue
    const isWhole = run.endTxnum <= before
    const heavy = isWhole ? readRunTotals(reader, run, script) : undefined
    if (heavy !== undefined && heavy.txCount <= skip) {
      skip -= heavy.txCount
      continue
    }
    for (const { value, count } of packedRows(reader, run, script)) {
      if (isWhole && count !== undefined && count <= skip) {
        skip -= count
        continue
      }
      if (take(unpackScript(value, run.firstTxnum, script))) return finish()
    }
  }
  return finish()
}

export type ScriptCoin = { readonly value: number; readonly txnum: number; readonly vout: number }

/** A script's coins, the most valuable first; equal ones in the order of the chain. */
export function* scriptCoins(reader: KvReader, script: Buffer): Generator<ScriptCoin> {
  for (const { key } of reader.range('scriptCoins', prefixRange(script))) yield readScriptCoinKey(key)
}

/** Coins read without a pause: about as long as a request may keep others waiting. */
const COINS_AT_ONCE = 2_048
const JUST_AFTER = Buffer.from([0])

/**
 * The same in parts, and between two of them whoever else waits has a turn: a hundred thousand coins of one address
 * must not be felt by those who ask about another.
 */
export async function* scriptCoinChunks(reader: KvReader, script: Buffer): AsyncGenerator<ScriptCoin[]> {
  let range = prefixRange(script)
  for (;;) {
    // A range of its own for every part: none is left open while others read.
    const keys = Array.from(reader.range('scriptCoins', { ...range, limit: COINS_AT_ONCE }), ({ key }) => key)
    yield keys.map(readScriptCoinKey)
    const last = keys.at(-1)
    if (keys.length < COINS_AT_ONCE || last === undefined) return
    range = { ...range, gte: Buffer.concat([last, JUST_AFTER]) }
    await letOthersIn()
  }
}
