/**
 * A history entry: what one transaction paid to a script and spent from it.
 *
 * Encodes both stored forms: a single row while the entry is recent, and packed with its neighbors in a sorted run.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { RowReader, RowWriter } from './row-bytes.ts'

export const RECEIVED = 2
export const SENT = 4
const SAME_SCRIPT = 1

export type HistoryEntry = {
  readonly txnum: number
  /** `RECEIVED`, `SENT` or both. An output of amount 0 still sets `RECEIVED`. */
  readonly flags: number
  readonly received: number
  readonly sent: number
}

/** Totals of history entries of one script. */
export type ScriptTotals = { readonly txCount: number; readonly received: bigint; readonly sent: bigint }

export const NO_TOTALS: ScriptTotals = { txCount: 0, received: 0n, sent: 0n }

const single = new RowWriter(32)

export function historyValue(entry: HistoryEntry): Buffer {
  single.u8(entry.flags)
  if ((entry.flags & RECEIVED) !== 0) single.varint(entry.received)
  if ((entry.flags & SENT) !== 0) single.varint(entry.sent)
  return single.take()
}

export function readHistoryValue(txnum: number, value: Buffer): HistoryEntry {
  const reader = new RowReader(value)
  const flags = reader.u8()
  const received = (flags & RECEIVED) === 0 ? 0 : reader.varint()
  return { txnum, flags, received, sent: (flags & SENT) === 0 ? 0 : reader.varint() }
}

/** An LMDB page has 4,096 bytes, 16 of them header. A value of up to this size takes exactly one overflow page. */
export const PACKED_SIZE = 4_064
/** Tag, script key, transaction number, two amounts. */
const LONGEST_ENTRY = 1 + SCRIPT_KEY_SIZE + 6 + 8 + 8

/** Packs entries of many scripts, sorted by script and then by transaction number, into one row. */
export class HistoryPacker {
  readonly #base: number
  readonly #row = new RowWriter(PACKED_SIZE + LONGEST_ENTRY)
  #txnum = 0
  #count = 0

  /** `base`: the lowest transaction number that an entry may have. */
  constructor(base: number) {
    this.#base = base
  }

  get count(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#row.at + LONGEST_ENTRY > PACKED_SIZE
  }

  /** `isNew`: the previous entry belongs to another script. */
  add(scripts: Buffer, scriptAt: number, entry: HistoryEntry, isNew: boolean): void {
    const isSame = !isNew && this.#count > 0
    if (this.#count === 0) this.#row.uint(0, 2)
    this.#row.u8(entry.flags | (isSame ? SAME_SCRIPT : 0))
    if (isSame) {
      this.#row.varint(entry.txnum - this.#txnum)
    } else {
      this.#row.slice(scripts, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
      this.#row.varint(entry.txnum - this.#base)
    }
    if ((entry.flags & RECEIVED) !== 0) this.#row.varint(entry.received)
    if ((entry.flags & SENT) !== 0) this.#row.varint(entry.sent)
    this.#txnum = entry.txnum
    this.#count++
  }

  take(): Buffer {
    const packed = this.#row.take()
    packed.writeUInt16BE(this.#count)
    this.#count = 0
    return packed
  }
}

export const packedCount = (packed: Buffer): number => packed.readUInt16BE(0)

export type PackedEntry = HistoryEntry & { readonly script: Buffer }

export function* unpack(packed: Buffer, base: number): Generator<PackedEntry> {
  const reader = new RowReader(packed)
  const count = reader.uint(2)
  let script: Buffer = packed.subarray(0, 0)
  let txnum = 0
  for (let i = 0; i < count; i++) {
    const tag = reader.u8()
    if ((tag & SAME_SCRIPT) === 0) {
      script = reader.slice(SCRIPT_KEY_SIZE)
      txnum = base
    }
    txnum += reader.varint()
    const flags = tag & (RECEIVED | SENT)
    const received = (flags & RECEIVED) === 0 ? 0 : reader.varint()
    yield { script, txnum, flags, received, sent: (flags & SENT) === 0 ? 0 : reader.varint() }
  }
}

/** Unpacks the entries of one script, without allocating objects for the others. */
export function unpackScript(packed: Buffer, base: number, wanted: Buffer): HistoryEntry[] {
  const reader = new RowReader(packed)
  const count = reader.uint(2)
  const entries: HistoryEntry[] = []
  let order = -1
  let txnum = 0
  for (let i = 0; i < count; i++) {
    const tag = reader.u8()
    if ((tag & SAME_SCRIPT) === 0) {
      order = packed.compare(wanted, 0, SCRIPT_KEY_SIZE, reader.at, reader.at + SCRIPT_KEY_SIZE)
      if (order > 0) break
      reader.at += SCRIPT_KEY_SIZE
      txnum = base
    }
    txnum += reader.varint()
    const flags = tag & (RECEIVED | SENT)
    const received = (flags & RECEIVED) === 0 ? 0 : reader.varint()
    const sent = (flags & SENT) === 0 ? 0 : reader.varint()
    if (order === 0) entries.push({ txnum, flags, received, sent })
  }
  return entries
}
