/**
 * SHA-256 of a range of a buffer, written into a range of another.
 *
 * `crypto.hash` returns a binary string (one character per byte) two to three times as fast as a Buffer, which costs
 * an ArrayBuffer for 32 bytes. Most inputs are scripts and transactions of less than 300 bytes.
 */
import { createHash, hash } from 'node:crypto'

const HASH_SIZE = 32
// The first hash of a double hash. Hashing never yields, so one buffer per thread is enough.
const inner = Buffer.allocUnsafe(HASH_SIZE)

/** Writes the first `size` bytes of the SHA-256 of `bytes` from `start` to `end` into `out` at `at`. */
export function sha256Into(bytes: Buffer, start: number, end: number, out: Buffer, at: number, size = HASH_SIZE): void {
  out.write(hash('sha256', bytes.subarray(start, end), 'binary'), at, size, 'latin1')
}

/** Writes the double SHA-256 of `bytes` from `start` to `end` into `out` at `at`. */
export function sha256dInto(bytes: Buffer, start: number, end: number, out: Buffer, at: number): void {
  inner.write(hash('sha256', bytes.subarray(start, end), 'binary'), 0, HASH_SIZE, 'latin1')
  out.write(hash('sha256', inner, 'binary'), at, HASH_SIZE, 'latin1')
}

export function sha256(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer')
}

export function sha256d(bytes: Buffer): Buffer {
  return sha256(sha256(bytes))
}

/** RIPEMD-160 of SHA-256, as in addresses. */
export function hash160(bytes: Buffer): Buffer {
  return createHash('ripemd160').update(sha256(bytes)).digest()
}
