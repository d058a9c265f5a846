/**
 * Pages of the coin log: coins that were created, and tombstones of coins that were spent, sorted by outpoint and then by
 * the number of the transaction that created them.
 *
 * An outpoint is the first eight bytes of a txid, read into two integers, and an output index.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { PAGE_BYTES } from './history-page.ts'

// The first byte of a record. Bits 0 to 2: how many bytes the txid shares with the one before.
const MAX_SHARED = 7
const TOMBSTONE = 8
/** Bits 4 and 5: the size of the output index, which is 0, 1 or 3 bytes. */
const VOUT_SHIFT = 4
const VOUT_SIZES = [0, 1, 3] as const
/** Bits 6 and 7: the size of the transaction number minus 2. */
const TXNUM_SHIFT = 6
const LEAST_TXNUM = 2

const COUNT_SIZE = 2
const PREFIX_SIZE = 8
const LONGEST_RECORD = 1 + PREFIX_SIZE + 3 + 5 + SCRIPT_KEY_SIZE + 8

/** A record as the writer takes it and the reader returns it. */
export type CoinRecord = {
  readonly high: number
  readonly low: number
  readonly vout: number
  readonly txnum: number
  readonly isTombstone: boolean
  /** The buffer with the script key, and its offset. A tombstone has neither script nor value. */
  readonly bytes: Buffer
  readonly scriptAt: number
  readonly value: number
}

/** Compares two records by outpoint and transaction number. */
export function compareCoins(x: CoinRecord, y: CoinRecord): number {
  return x.high - y.high || x.low - y.low || x.vout - y.vout || x.txnum - y.txnum
}

function txnumSize(txnum: number): number {
  return txnum < 0x1_0000 ? 2 : txnum < 0x100_0000 ? 3 : txnum < 0x1_0000_0000 ? 4 : 5
}

export class CoinPageWriter {
  readonly #bytes = Buffer.allocUnsafe(PAGE_BYTES + LONGEST_RECORD)
  #at = COUNT_SIZE
  #count = 0
  #high = 0
  #low = 0

  get count(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#at + LONGEST_RECORD > PAGE_BYTES
  }

  add(record: CoinRecord): void {
    const { high, low, vout, txnum, isTombstone } = record
    const bytes = this.#bytes
    const shared =
      this.#count === 0
        ? 0
        : high === this.#high
          ? Math.min(MAX_SHARED, 4 + (Math.clz32(low ^ this.#low) >>> 3))
          : Math.clz32(high ^ this.#high) >>> 3
    const voutCode = vout === 0 ? 0 : vout < 0x1_00 ? 1 : 2
    const size = txnumSize(txnum)
    bytes[this.#at] =
      shared | (isTombstone ? TOMBSTONE : 0) | (voutCode << VOUT_SHIFT) | ((size - LEAST_TXNUM) << TXNUM_SHIFT)
    let at = this.#at + 1
    for (let i = shared; i < PREFIX_SIZE; i++) bytes[at++] = i < 4 ? high >>> (24 - 8 * i) : low >>> (56 - 8 * i)
    if (voutCode === 1) bytes[at++] = vout
    else if (voutCode === 2) at = bytes.writeUIntBE(vout, at, 3)
    at = bytes.writeUIntBE(txnum, at, size)
    if (!isTombstone) {
      const { bytes: script, scriptAt } = record
      for (let i = 0; i < SCRIPT_KEY_SIZE; i++) bytes[at++] = script[scriptAt + i] as number
      let rest = record.value
      for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80
      for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80
      bytes[at++] = rest
    }
    this.#at = at
    this.#high = high
    this.#low = low
    this.#count++
  }

  /** Returns a copy of the page and begins the next one. */
  take(): Buffer {
    this.#bytes.writeUInt16BE(this.#count)
    const page = Buffer.from(this.#bytes.subarray(0, this.#at))
    this.#at = COUNT_SIZE
    this.#count = 0
    return page
  }
}

/** Reads the records of a page in order. The fields are those of the current record, after `next` returned true. */
export class CoinPageReader implements CoinRecord {
  bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #left = 0
  high = 0
  low = 0
  vout = 0
  txnum = 0
  isTombstone = false
  scriptAt = 0
  value = 0

  open(page: Buffer): this {
    this.bytes = page
    this.#left = page.readUInt16BE(0)
    this.#at = COUNT_SIZE
    this.high = 0
    this.low = 0
    return this
  }

  next(): boolean {
    if (this.#left === 0) return false
    this.#left--
    const { bytes } = this
    let at = this.#at
    const tag = bytes[at++] as number
    const shared = tag & MAX_SHARED
    let { high, low } = this
    if (shared < 4) {
      high = shared === 0 ? 0 : high & (-1 << (32 - 8 * shared))
      for (let i = shared; i < 4; i++) high |= (bytes[at++] as number) << (24 - 8 * i)
      this.high = high >>> 0
    }
    const kept = Math.max(0, shared - 4)
    low = kept === 0 ? 0 : low & (-1 << (32 - 8 * kept))
    for (let i = kept; i < 4; i++) low |= (bytes[at++] as number) << (24 - 8 * i)
    this.low = low >>> 0
    this.vout = 0
    for (const end = at + (VOUT_SIZES[(tag >>> VOUT_SHIFT) & 3] as number); at < end; at++)
      this.vout = this.vout * 0x1_00 + (bytes[at] as number)
    let txnum = 0
    for (const end = at + (tag >>> TXNUM_SHIFT) + LEAST_TXNUM; at < end; at++)
      txnum = txnum * 0x1_00 + (bytes[at] as number)
    this.txnum = txnum
    this.isTombstone = (tag & TOMBSTONE) !== 0
    if (!this.isTombstone) {
      this.scriptAt = at
      at += SCRIPT_KEY_SIZE
      let byte = bytes[at++] as number
      let value = byte & 0x7f
      for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
        byte = bytes[at++] as number
        value += (byte & 0x7f) * scale
      }
      this.value = value
    }
    this.#at = at
    return true
  }
}
