/**
 * What a block's bloom says about an answer to "which logs does it hold?".
 *
 * A bloom never denies a log that is there, so an answer that leaves bits unexplained is incomplete; and it may admit
 * a log that is not, so an admitted topic is a doubt and no proof. Pure.
 */
import type { Hex } from '../../lib/hex.ts'
import { type BloomBits, bloomBits, mayHold } from '../catalog/bloom.ts'
import type { Log } from '../rpc/parse.ts'

type Emitted = Pick<Log, 'address' | 'topics'>

const known = new Map<Hex, BloomBits>()
const KEPT = 20_000

/** Hashing costs more than everything else here, and the same topics come again and again. */
function bitsOf(item: Hex): BloomBits {
  const found = known.get(item) ?? bloomBits(item)
  if (known.size >= KEPT) known.clear()
  known.set(item, found)
  return found
}

/** Every bit of the header is explained by a log of the answer. More bits than the header's are no harm. */
export function coversBloom(logs: readonly Emitted[], bloom: Hex): boolean {
  const explained = digitsOf(logs)
  for (let at = 2; at < bloom.length; at += 1)
    if ((Number.parseInt(bloom.charAt(at), 16) & ~(explained[at] ?? 0)) !== 0) return false
  return true
}

/** The bloom of these logs, one hex digit an element, at the digit's position in the header's text. */
function digitsOf(logs: readonly Emitted[]): Uint8Array {
  const digits = new Uint8Array(514)
  const seen = new Set<Hex>()
  for (const { address, topics } of logs)
    for (const item of [address, ...topics]) {
      if (seen.has(item)) continue
      seen.add(item)
      for (const { at, mask } of bitsOf(item)) digits[at] = (digits[at] ?? 0) | mask
    }
  return digits
}

export function bloomOf(logs: readonly Emitted[]): Hex {
  return `0x${[...digitsOf(logs).subarray(2)].map((digit) => digit.toString(16)).join('')}`
}

const SET_BITS: Readonly<Record<string, number>> = Object.fromEntries(
  Array.from({ length: 16 }, (_, digit) => [digit.toString(16), [1, 2, 4, 8].filter((bit) => digit & bit).length]),
)

export function saturationOf(bloom: Hex): number {
  let set = 0
  for (let at = 2; at < bloom.length; at += 1) set += SET_BITS[bloom.charAt(at)] ?? 0
  return set / 2_048
}

/**
 * Whether a filtered answer deserves a closer look: a topic is admitted and absent. In a crowded bloom honest answers
 * look like that too (the share of set bits, cubed, for every topic asked for), so there only an empty answer, the
 * way nodes usually fail, is doubted; the second pass through another endpoint watches over the rest.
 */
export function isDoubtful(bloom: Hex, topics: readonly Hex[], logs: readonly Log[]): boolean {
  const seen = new Set(logs.map((log) => log.topics[0]))
  const isAdmittedAndAbsent = topics.some((topic) => !seen.has(topic) && mayHold(bloom, bitsOf(topic)))
  if (!isAdmittedAndAbsent) return false
  return logs.length === 0 || topics.length * saturationOf(bloom) ** 3 < 1
}
