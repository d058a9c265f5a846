/**
 * Lines of history that stand alone because their blocks are recent.
 *
 * Each carries the sums of its script's lines up to itself, counted from the first recent one: the newest line tells
 * the totals, and any line is found by its place, so a script with all recent lines costs what one with a few does.
 * Lines leave newest first (a rewind) or all at once (a run), and the sums of the others stay true.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { type HistoryEntry, historyValue, NO_TOTALS, readHistoryValue, type ScriptTotals } from './history-entry.ts'
import { type KvReader, type KvWriter, prefixRange } from './kv.ts'
import { historyKey, TXNUM_SIZE } from './layout.ts'

const SUMS_SIZE = 4 + 8 + 8
const BEYOND_NUMBERS = 2 ** (8 * TXNUM_SIZE)

function recentValue(row: HistoryEntry, { txCount, received, sent }: ScriptTotals): Buffer {
  const sums = Buffer.allocUnsafe(SUMS_SIZE)
  sums.writeUInt32BE(txCount)
  sums.writeBigUInt64BE(received, 4)
  sums.writeBigUInt64BE(sent, 12)
  return Buffer.concat([sums, historyValue(row)])
}

const readSums = (value: Buffer): ScriptTotals => ({
  txCount: value.readUInt32BE(0),
  received: value.readBigUInt64BE(4),
  sent: value.readBigUInt64BE(12),
})

export function readRecentRow(key: Buffer, value: Buffer): HistoryEntry {
  return readHistoryValue(key.readUIntBE(SCRIPT_KEY_SIZE, TXNUM_SIZE), value.subarray(SUMS_SIZE))
}

/** Takes lines sorted by script and number, all newer than those there are. */
export class RecentHistoryWriter {
  readonly #writer: KvWriter
  readonly #script = Buffer.alloc(SCRIPT_KEY_SIZE)
  #sums = NO_TOTALS
  #isFirst = true

  constructor(writer: KvWriter) {
    this.#writer = writer
  }

  add(scripts: Buffer, scriptAt: number, row: HistoryEntry): void {
    const isSame = !this.#isFirst && this.#script.compare(scripts, scriptAt, scriptAt + SCRIPT_KEY_SIZE) === 0
    if (!isSame) {
      scripts.copy(this.#script, 0, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
      this.#sums = recentTotals(this.#writer, this.#script)
      this.#isFirst = false
    }
    this.#sums = {
      txCount: this.#sums.txCount + 1,
      received: this.#sums.received + BigInt(row.received),
      sent: this.#sums.sent + BigInt(row.sent),
    }
    this.#writer.put('recentHistory', historyKey(scripts, scriptAt, row.txnum), recentValue(row, this.#sums))
  }
}

/** The sums of a script's recent lines, of those before a number where one is given. */
export function recentTotals(reader: KvReader, script: Buffer, before?: number): ScriptTotals {
  const [newest] = reader.range('recentHistory', { ...linesBefore(script, before), reverse: true, limit: 1 })
  return newest === undefined ? NO_TOTALS : readSums(newest.value)
}

/** At most `limit` recent lines, newest first, beginning with the one that has `place - 1` older ones. */
export function recentEntries(reader: KvReader, script: Buffer, place: number, limit: number): HistoryEntry[] {
  const range = { ...linesBefore(script, numberAfter(reader, script, place)), reverse: true, limit }
  return Array.from(reader.range('recentHistory', range), ({ key, value }) => readRecentRow(key, value))
}

/** A number behind the line at `place` and not behind the next one. */
function numberAfter(reader: KvReader, script: Buffer, place: number): number {
  let low = 0
  let high = BEYOND_NUMBERS - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (recentTotals(reader, script, middle).txCount < place) low = middle + 1
    else high = middle
  }
  return low
}

function linesBefore(script: Buffer, before: number | undefined) {
  const all = prefixRange(script)
  return before === undefined || before >= BEYOND_NUMBERS ? all : { ...all, lt: historyKey(script, 0, before) }
}
