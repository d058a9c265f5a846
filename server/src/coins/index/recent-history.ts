/**
 * History entries of recent blocks, stored as single rows.
 *
 * Each row but a script's first includes the running totals of its recent entries. The newest row gives the totals, and a
 * binary search finds an entry by its position, so the cost does not depend on how many entries the script has. Entries are
 * removed newest first (disconnected blocks) or all at once (a flush), so the running totals stay correct.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { type HistoryEntry, historyValue, NO_TOTALS, readHistoryValue, type ScriptTotals } from './history-entry.ts'
import { type KvReader, type KvWriter, prefixRange } from './kv.ts'
import { historyKey, TXNUM_SIZE } from './layout.ts'

const TOTALS_SIZE = 4 + 8 + 8
const END_TXNUM = 2 ** (8 * TXNUM_SIZE)

/** The entry, and the totals unless it is the first. */
function recentValue(entry: HistoryEntry, { txCount, received, sent }: ScriptTotals): Buffer {
  if (txCount === 1) return historyValue(entry)
  const totals = Buffer.allocUnsafe(TOTALS_SIZE)
  totals.writeUInt32BE(txCount)
  totals.writeBigUInt64BE(received, 4)
  totals.writeBigUInt64BE(sent, 12)
  return Buffer.concat([historyValue(entry), totals])
}

function readRowTotals(value: Buffer): ScriptTotals {
  const { received, sent, size } = readHistoryValue(0, value)
  if (value.length === size) return { txCount: 1, received: BigInt(received), sent: BigInt(sent) }
  return {
    txCount: value.readUInt32BE(size),
    received: value.readBigUInt64BE(size + 4),
    sent: value.readBigUInt64BE(size + 12),
  }
}

export function readRecentEntry(key: Buffer, value: Buffer): HistoryEntry {
  const { size: _, ...entry } = readHistoryValue(key.readUIntBE(SCRIPT_KEY_SIZE, TXNUM_SIZE), value)
  return entry
}

/** Writes entries sorted by script and transaction number, all newer than the stored ones. */
export class RecentHistoryWriter {
  readonly #writer: KvWriter
  readonly #script = Buffer.alloc(SCRIPT_KEY_SIZE)
  #totals = NO_TOTALS
  #isFirst = true

  constructor(writer: KvWriter) {
    this.#writer = writer
  }

  add(scripts: Buffer, scriptAt: number, entry: HistoryEntry): void {
    const isSame = !this.#isFirst && this.#script.compare(scripts, scriptAt, scriptAt + SCRIPT_KEY_SIZE) === 0
    if (!isSame) {
      scripts.copy(this.#script, 0, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
      this.#totals = recentTotals(this.#writer, this.#script)
      this.#isFirst = false
    }
    this.#totals = {
      txCount: this.#totals.txCount + 1,
      received: this.#totals.received + BigInt(entry.received),
      sent: this.#totals.sent + BigInt(entry.sent),
    }
    this.#writer.put('recentHistory', historyKey(scripts, scriptAt, entry.txnum), recentValue(entry, this.#totals))
  }
}

/** Returns the totals of a script's recent entries, optionally only of those before a transaction number. */
export function recentTotals(reader: KvReader, script: Buffer, before?: number): ScriptTotals {
  const [newest] = reader.range('recentHistory', { ...entriesBefore(script, before), reverse: true, limit: 1 })
  return newest === undefined ? NO_TOTALS : readRowTotals(newest.value)
}

/** Returns up to `limit` recent entries, newest first, from the `position`-th oldest on. */
export function recentEntries(reader: KvReader, script: Buffer, position: number, limit: number): HistoryEntry[] {
  const range = { ...entriesBefore(script, txnumAfter(reader, script, position)), reverse: true, limit }
  return Array.from(reader.range('recentHistory', range), ({ key, value }) => readRecentEntry(key, value))
}

/** Returns the recent entries from a transaction number on, newest first. */
export function recentEntriesFrom(reader: KvReader, script: Buffer, txnum: number): HistoryEntry[] {
  if (txnum >= END_TXNUM) return []
  const range = { ...prefixRange(script), gte: historyKey(script, 0, txnum), reverse: true }
  return Array.from(reader.range('recentHistory', range), ({ key, value }) => readRecentEntry(key, value))
}

/** Returns a transaction number after the `position`-th oldest entry and not after the next one. */
function txnumAfter(reader: KvReader, script: Buffer, position: number): number {
  let low = 0
  let high = END_TXNUM - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (recentTotals(reader, script, middle).txCount < position) low = middle + 1
    else high = middle
  }
  return low
}

function entriesBefore(script: Buffer, before: number | undefined) {
  const all = prefixRange(script)
  return before === undefined || before >= END_TXNUM ? all : { ...all, lt: historyKey(script, 0, before) }
}
