/**
 * Pages of a sorted run: history entries of many scripts, sorted by script key and then by transaction number.
 *
 * A page stores what differs from the entry before: the rest of the script key, the distance to the transaction number,
 * and an amount only if it differs. Most scripts receive once and spend the same amount once. Script keys are read into
 * three integers, so that a merge compares numbers and allocates nothing per entry.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { type HistoryEntry, RECEIVED, SENT } from './history-entry.ts'

/** An LMDB page has 4,096 bytes, 16 of them header. A value of up to this size takes exactly one overflow page. */
export const PAGE_BYTES = 4_064

// The first byte of an entry. Bits 1 and 2 are `RECEIVED` and `SENT`.
const SAME_SCRIPT = 1
/** Bit 3, if the script is the same: the only amount equals the last amount of the entry before. */
const SAME_AMOUNT = 8
/** Bits 3 to 5, if the script differs: how many bytes it shares with the script before. */
const SHARED_SHIFT = 3
const MAX_SHARED = 7
/** Bits 6 and 7: the size of the number, minus 1 (distance to the entry before) or minus 2 (distance to the base). */
const SIZE_SHIFT = 6
const LEAST_SIZE = 2

const COUNT_SIZE = 2
/** Tag, script key, transaction number, two amounts. */
const LONGEST_ENTRY = 1 + SCRIPT_KEY_SIZE + 5 + 8 + 8

/** Bytes that a big-endian number needs. */
const sizeOf = (value: number): number =>
  value < 0x1_00 ? 1 : value < 0x1_0000 ? 2 : value < 0x100_0000 ? 3 : value < 0x1_0000_0000 ? 4 : 5

/** Writes one page after the other. */
export class HistoryPageWriter {
  readonly #bytes = Buffer.allocUnsafe(PAGE_BYTES + LONGEST_ENTRY)
  readonly #base: number
  #at = COUNT_SIZE
  #count = 0
  #a = 0
  #b = 0
  #c = 0
  #txnum = 0
  #amount = -1

  /** `base`: the lowest transaction number that an entry may have. */
  constructor(base: number) {
    this.#base = base
  }

  get count(): number {
    return this.#count
  }

  /** Bytes of the current page. */
  get bytes(): number {
    return this.#count === 0 ? 0 : this.#at
  }

  get isFull(): boolean {
    return this.#at + LONGEST_ENTRY > PAGE_BYTES
  }

  /** Adds an entry of the script key with the bytes 0 to 3 in `a`, 4 to 7 in `b`, and 8 and 9 in `c`. */
  add(a: number, b: number, c: number, txnum: number, flags: number, received: number, sent: number): void {
    const tagAt = this.#at
    this.#at++
    const isSame = this.#count > 0 && a === this.#a && b === this.#b && c === this.#c
    const distance = txnum - this.#txnum
    if (isSame && distance < 0x1_0000_0000) {
      const size = sizeOf(distance)
      this.#number(distance, size)
      const only = flags === RECEIVED ? received : flags === SENT ? sent : -1
      const isRepeated = only >= 0 && only === this.#amount
      this.#bytes[tagAt] = flags | SAME_SCRIPT | (isRepeated ? SAME_AMOUNT : 0) | ((size - 1) << SIZE_SHIFT)
      if (!isRepeated) this.#amounts(flags, received, sent)
    } else {
      const shared = this.#count === 0 ? 0 : this.#shared(a, b)
      this.#script(a, b, c, shared)
      const size = Math.max(LEAST_SIZE, sizeOf(txnum - this.#base))
      this.#number(txnum - this.#base, size)
      this.#bytes[tagAt] = flags | (shared << SHARED_SHIFT) | ((size - LEAST_SIZE) << SIZE_SHIFT)
      this.#amounts(flags, received, sent)
      this.#a = a
      this.#b = b
      this.#c = c
    }
    this.#txnum = txnum
    this.#count++
  }

  #shared(a: number, b: number): number {
    if (a !== this.#a) return Math.clz32(a ^ this.#a) >>> 3
    if (b !== this.#b) return 4 + (Math.clz32(b ^ this.#b) >>> 3)
    return MAX_SHARED
  }

  #script(a: number, b: number, c: number, shared: number): void {
    const bytes = this.#bytes
    for (let i = shared; i < SCRIPT_KEY_SIZE; i++) {
      bytes[this.#at++] = i < 4 ? a >>> (24 - 8 * i) : i < 8 ? b >>> (56 - 8 * i) : c >>> (72 - 8 * i)
    }
  }

  #number(value: number, size: number): void {
    const bytes = this.#bytes
    if (size === 5) bytes[this.#at++] = Math.floor(value / 0x1_0000_0000)
    for (let shift = (Math.min(size, 4) - 1) * 8; shift >= 0; shift -= 8) bytes[this.#at++] = value >>> shift
  }

  #amounts(flags: number, received: number, sent: number): void {
    if ((flags & RECEIVED) !== 0) this.#varint(received)
    if ((flags & SENT) !== 0) this.#varint(sent)
    this.#amount = (flags & SENT) === 0 ? received : sent
  }

  #varint(value: number): void {
    const bytes = this.#bytes
    let at = this.#at
    let rest = value
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80
    // The rest fits in 31 bits: bit operations are many times faster.
    for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80
    bytes[at++] = rest
    this.#at = at
  }

  /** Returns a copy of the page and begins the next one. */
  take(): Buffer {
    this.#bytes.writeUInt16BE(this.#count)
    const page = Buffer.from(this.#bytes.subarray(0, this.#at))
    this.#at = COUNT_SIZE
    this.#count = 0
    this.#amount = -1
    return page
  }
}

export const pageCount = (page: Buffer): number => page.readUInt16BE(0)

/** Reads the entries of a page in order. The fields are those of the current entry, after `next` returned true. */
export class HistoryPageReader {
  readonly #base: number
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #left = 0
  #amount = -1
  a = 0
  b = 0
  c = 0
  txnum = 0
  flags = 0
  received = 0
  sent = 0

  constructor(base: number) {
    this.#base = base
  }

  open(page: Buffer): this {
    this.#bytes = page
    this.#left = pageCount(page)
    this.#at = COUNT_SIZE
    this.#amount = -1
    this.a = 0
    this.b = 0
    this.c = 0
    return this
  }

  next(): boolean {
    if (this.#left === 0) return false
    this.#left--
    const tag = this.#bytes[this.#at++] as number
    const flags = tag & (RECEIVED | SENT)
    this.flags = flags
    if ((tag & SAME_SCRIPT) === 0) {
      this.#script((tag >>> SHARED_SHIFT) & MAX_SHARED)
      this.txnum = this.#base + this.#number((tag >>> SIZE_SHIFT) + LEAST_SIZE)
    } else {
      this.txnum += this.#number((tag >>> SIZE_SHIFT) + 1)
      if ((tag & SAME_AMOUNT) !== 0) {
        this.received = flags === RECEIVED ? this.#amount : 0
        this.sent = flags === SENT ? this.#amount : 0
        return true
      }
    }
    this.received = (flags & RECEIVED) === 0 ? 0 : this.#varint()
    this.sent = (flags & SENT) === 0 ? 0 : this.#varint()
    this.#amount = (flags & SENT) === 0 ? this.received : this.sent
    return true
  }

  #script(shared: number): void {
    const bytes = this.#bytes
    let at = this.#at
    let { a, b } = this
    if (shared < 4) {
      a = shared === 0 ? 0 : (a & (-1 << (32 - 8 * shared))) >>> 0
      for (let i = shared; i < 4; i++) a |= (bytes[at++] as number) << (24 - 8 * i)
      this.a = a >>> 0
      b = 0
    }
    const kept = Math.max(0, shared - 4)
    b = kept === 0 ? 0 : (b & (-1 << (32 - 8 * kept))) >>> 0
    for (let i = kept; i < 4; i++) b |= (bytes[at++] as number) << (24 - 8 * i)
    this.b = b >>> 0
    this.c = ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
    this.#at = at + 2
  }

  #number(size: number): number {
    const bytes = this.#bytes
    let value = 0
    for (let i = 0; i < size; i++) value = value * 0x1_00 + (bytes[this.#at++] as number)
    return value
  }

  #varint(): number {
    const bytes = this.#bytes
    let byte = bytes[this.#at++] as number
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[this.#at++] as number
      value += (byte & 0x7f) * scale
    }
    return value
  }

  /** Writes the script key of the current entry. */
  writeScript(out: Buffer, at: number): void {
    out.writeUInt32BE(this.a, at)
    out.writeUInt32BE(this.b, at + 4)
    out.writeUInt16BE(this.c, at + 8)
  }

  entry(): HistoryEntry {
    return { txnum: this.txnum, flags: this.flags, received: this.received, sent: this.sent }
  }
}

/** Reads the entries of one script from a page. */
export function entriesOfScript(page: Buffer, base: number, script: Buffer): HistoryEntry[] {
  const a = script.readUInt32BE(0)
  const b = script.readUInt32BE(4)
  const c = script.readUInt16BE(8)
  const reader = new HistoryPageReader(base).open(page)
  const entries: HistoryEntry[] = []
  while (reader.next()) {
    if (reader.a < a) continue
    if (reader.a > a) break
    if (reader.b === b && reader.c === c) entries.push(reader.entry())
    else if (reader.b > b || (reader.b === b && reader.c > c)) break
  }
  return entries
}
