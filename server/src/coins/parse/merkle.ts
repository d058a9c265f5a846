/** The merkle root of a block's txids. */
import { ParseError } from './parse-error.ts'
import { sha256dInto } from './sha256.ts'

/**
 * Computes the merkle root of `count` txids.
 *
 * A level with an odd number of hashes repeats its last one, so a block that contains that transaction twice has the
 * same root (CVE-2012-2459). Equal neighbors other than that repetition are refused.
 */
export function merkleRoot(ids: Buffer, count: number): Buffer {
  const level = Buffer.allocUnsafe((count + 1) * 32)
  ids.copy(level, 0, 0, count * 32)
  for (let length = count; length > 1; length = (length + 1) >> 1) {
    for (let i = 0; i + 1 < length; i += 2) {
      if (level.compare(level, (i + 1) * 32, (i + 2) * 32, i * 32, (i + 1) * 32) === 0) {
        throw new ParseError('merkle tree repeats a transaction')
      }
    }
    if (length % 2 === 1) level.copy(level, length * 32, (length - 1) * 32, length * 32)
    for (let i = 0; i < length; i += 2) sha256dInto(level, i * 32, (i + 2) * 32, level, i * 16)
  }
  return Buffer.from(level.subarray(0, 32))
}
