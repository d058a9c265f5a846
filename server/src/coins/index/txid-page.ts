/**
 * Pages of a sorted run: prefixes of txids with their transaction numbers, sorted by both.
 *
 * A prefix is stored as the distance to the one before, which takes about two bytes of five in a large run.
 */

import { PAGE_BYTES } from './history-page.ts'
import { TXNUM_SIZE } from './layout.ts'

/** Prefix length of txids in runs. Shorter than elsewhere: every match is checked against the whole txid. */
export const RUN_TXID_SIZE = 5

/** Number of records 2, size of a number 1. */
const HEAD = 3
const LONGEST_RECORD = 6 + TXNUM_SIZE

/** Bytes for numbers below `span`. */
function numberSize(span: number): number {
  let size = 1
  for (let limit = 0x1_00; limit < span; limit *= 0x1_00) size++
  return size
}

export class TxidPageWriter {
  readonly #bytes = Buffer.allocUnsafe(PAGE_BYTES + LONGEST_RECORD)
  readonly #base: number
  readonly #size: number
  #at = HEAD
  #count = 0
  #last = 0

  /** Numbers are from `base` to below `end`. */
  constructor(base: number, end: number) {
    this.#base = base
    this.#size = numberSize(end - base)
  }

  get count(): number {
    return this.#count
  }

  /** Bytes of the current page. */
  get bytes(): number {
    return this.#count === 0 ? 0 : this.#at
  }

  get isFull(): boolean {
    return this.#at + LONGEST_RECORD > PAGE_BYTES
  }

  add(prefix: number, txnum: number): void {
    const bytes = this.#bytes
    let at = this.#at
    let rest = prefix - this.#last
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80
    for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80
    bytes[at++] = rest
    let value = txnum - this.#base
    for (let i = this.#size - 1; i >= 0; i--) {
      bytes[at + i] = value % 0x1_00
      value = Math.floor(value / 0x1_00)
    }
    this.#at = at + this.#size
    this.#last = prefix
    this.#count++
  }

  /** Returns a copy of the page and begins the next one. */
  take(): Buffer {
    this.#bytes.writeUInt16BE(this.#count)
    this.#bytes[2] = this.#size
    const page = Buffer.from(this.#bytes.subarray(0, this.#at))
    this.#at = HEAD
    this.#count = 0
    this.#last = 0
    return page
  }
}

/** Reads the records of a page in order. The fields are those of the current record, after `next` returned true. */
export class TxidPageReader {
  readonly #base: number
  #bytes: Buffer = Buffer.alloc(0)
  #size = 0
  #at = 0
  #left = 0
  prefix = 0
  txnum = 0

  constructor(base: number) {
    this.#base = base
  }

  open(page: Buffer): this {
    this.#bytes = page
    this.#left = page.readUInt16BE(0)
    this.#size = page[2] as number
    this.#at = HEAD
    this.prefix = 0
    return this
  }

  next(): boolean {
    if (this.#left === 0) return false
    this.#left--
    const bytes = this.#bytes
    let at = this.#at
    let byte = bytes[at++] as number
    let distance = byte & 0x7f
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at++] as number
      distance += (byte & 0x7f) * scale
    }
    this.prefix += distance
    let value = 0
    for (const end = at + this.#size; at < end; at++) value = value * 0x1_00 + (bytes[at] as number)
    this.txnum = this.#base + value
    this.#at = at
    return true
  }
}
