/** Writes and reads the bytes of index rows: big-endian numbers, which sort, and varints, which are short. */

export class RowWriter {
  #bytes: Buffer
  at = 0

  constructor(capacity = 4096) {
    this.#bytes = Buffer.allocUnsafe(capacity)
  }

  #room(count: number): void {
    if (this.at + count <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.at + count))
    this.#bytes.copy(grown, 0, 0, this.at)
    this.#bytes = grown
  }

  u8(value: number): void {
    this.#room(1)
    this.#bytes[this.at++] = value
  }

  /** Big-endian, up to 6 bytes. */
  uint(value: number, size: number): void {
    this.#room(size)
    this.at = this.#bytes.writeUIntBE(value, this.at, size)
  }

  /** Seven bits per byte, least significant first; up to 2^53. */
  varint(value: number): void {
    this.#room(8)
    const bytes = this.#bytes
    let { at } = this
    let rest = value
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80
    // The rest fits in 31 bits: bit operations are many times faster.
    for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80
    bytes[at++] = rest
    this.at = at
  }

  slice(from: Buffer, start: number, end: number): void {
    this.#room(end - start)
    this.at += from.copy(this.#bytes, this.at, start, end)
  }

  /** Returns a copy of the written bytes and resets the writer. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.at))
    this.at = 0
    return taken
  }
}

export class RowReader {
  readonly bytes: Buffer
  at: number

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  u8(): number {
    return this.bytes[this.at++] as number
  }

  uint(size: number): number {
    const value = this.bytes.readUIntBE(this.at, size)
    this.at += size
    return value
  }

  varint(): number {
    let byte = this.bytes[this.at++] as number
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = this.bytes[this.at++] as number
      value += (byte & 0x7f) * scale
    }
    return value
  }

  slice(size: number): Buffer {
    const start = this.at
    this.at += size
    return this.bytes.subarray(start, this.at)
  }
}

/** Writes an amount or total up to 2^53 in eight bytes. */
export function writeAmount(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32BE(Math.floor(value / 0x1_0000_0000), at)
  bytes.writeUInt32BE(value % 0x1_0000_0000, at + 4)
}

export function readAmount(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4)
}
