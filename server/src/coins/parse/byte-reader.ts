/**
 * A bounds-checked cursor over a buffer.
 *
 * Every read checks the remaining length first, and every count is checked against the bytes that so many items need.
 * So no input makes the parser loop, recurse or allocate beyond the input's own length.
 */
import { ParseError } from './parse-error.ts'

export class ByteReader {
  readonly bytes: Buffer
  at: number
  readonly end: number

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  skip(count: number, what: string): number {
    const start = this.at
    if (count > this.end - start) throw new ParseError(`${what}: ${count - (this.end - start)} bytes missing`, start)
    this.at = start + count
    return start
  }

  u8(what: string): number {
    return this.bytes[this.skip(1, what)] as number
  }

  u32(what: string): number {
    return this.bytes.readUInt32LE(this.skip(4, what))
  }

  /** Reads an amount. No supported chain has amounts of 2^53 or more. */
  amount(what: string): number {
    const at = this.skip(8, what)
    const high = this.bytes.readUInt32LE(at + 4)
    if (high >= 0x20_0000) throw new ParseError(`${what}: amount out of range`, at)
    return high * 0x1_0000_0000 + this.bytes.readUInt32LE(at)
  }

  /** Reads a CompactSize integer. Like Core, it accepts the shortest encoding only. */
  compactSize(what: string): number {
    const start = this.at
    const first = this.u8(what)
    if (first < 0xfd) return first
    if (first === 0xfd) {
      const value = this.bytes.readUInt16LE(this.skip(2, what))
      if (value < 0xfd) throw new ParseError(`${what}: size not in its shortest form`, start)
      return value
    }
    if (first === 0xfe) {
      const value = this.u32(what)
      if (value < 0x1_0000) throw new ParseError(`${what}: size not in its shortest form`, start)
      return value
    }
    // Core accepts no size above 32 MB, and smaller sizes have a shorter encoding.
    throw new ParseError(`${what}: size out of range`, start)
  }

  /** Reads a count of items that take at least `least` bytes each. */
  count(least: number, what: string): number {
    const start = this.at
    const count = this.compactSize(what)
    if (count * least > this.end - this.at) throw new ParseError(`${what}: ${count} do not fit`, start)
    return count
  }
}
