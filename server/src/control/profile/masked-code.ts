/** The hash of runtime code without what differs between instances: immutables and the metadata of the compiler. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Hex } from '../../lib/hex.ts'
import { instructions, OP } from '../code/instructions.ts'

export type Masked = {
  /** Length without metadata. */
  readonly bytes: number
  /** Where the words of immutables are. */
  readonly immutables?: readonly number[]
  readonly hash: Hex
}

/** First bytes of the metadata: a map of one to three entries, the first of which is `ipfs`, `bzzr0`, `bzzr1` or `solc`. */
const METADATA = /^a[1-3](?:6469706673|65627a7a7230|65627a7a7231|64736f6c63)/

/** The code without metadata, which no instruction of compiled code reaches: INVALID stands before it. */
export function withoutMetadata(code: Uint8Array): Uint8Array {
  const size = ((code.at(-2) ?? 0) << 8) | (code.at(-1) ?? 0)
  const start = code.length - size - 2
  if (start <= 0 || code[start - 1] !== OP.INVALID) return code
  return METADATA.test(bytesToHex(code.subarray(start, start + 8))) ? code.subarray(0, start) : code
}

/** The code of a release: compilers push 32 zero bytes in place of an immutable. */
export function maskedCode(code: Uint8Array): Masked {
  const body = withoutMetadata(code)
  const immutables: number[] = []
  let at = 0
  for (const { op, pushed } of instructions(body)) {
    if (op === OP.PUSH32 && pushed.length === 32 && pushed.every((byte) => byte === 0)) immutables.push(at + 1)
    at += 1 + (op >= OP.PUSH0 && op <= OP.PUSH32 ? op - OP.PUSH0 : 0)
  }
  return { bytes: body.length, ...(immutables.length > 0 && { immutables }), hash: hashOf(body) }
}

/** The hash of the code of an instance, with zeros in place of these words. */
export function hashWithout(body: Uint8Array, immutables: readonly number[]): Hex {
  const masked = Uint8Array.from(body)
  for (const at of immutables) masked.fill(0, at, at + 32)
  return hashOf(masked)
}

const hashOf = (code: Uint8Array): Hex => `0x${bytesToHex(keccak_256(code))}`
