/**
 * Checks the logs of a block against the bloom filter in its header.
 *
 * A bloom filter has no false negatives: if it has bits that no log sets, logs are missing. It has false positives: a
 * topic that matches without a log is only suspicious. Pure.
 */
import type { Hex } from '../../lib/hex.ts'
import { type BloomBits, bloomBits, mayHold } from '../catalog/bloom.ts'
import type { Log } from '../rpc/parse.ts'

type Emitted = Pick<Log, 'address' | 'topics'>

const known = new Map<Hex, BloomBits>()
const KEPT = 20_000

/** Hashing is the most expensive part, and the same topics recur. */
function bitsOf(item: Hex): BloomBits {
  const found = known.get(item) ?? bloomBits(item)
  if (known.size >= KEPT) known.clear()
  known.set(item, found)
  return found
}

/** Whether the logs set every bit of the bloom filter. Additional bits are allowed. */
export function coversBloom(logs: readonly Emitted[], bloom: Hex): boolean {
  const covered = digitsOf(logs)
  for (let at = 2; at < bloom.length; at += 1)
    if ((Number.parseInt(bloom.charAt(at), 16) & ~(covered[at] ?? 0)) !== 0) return false
  return true
}

/** The bloom filter of these logs: one hex digit per element, at its position in the header's text. */
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
 * Whether a filtered result may be incomplete: a topic matches the bloom filter and has no log. In a dense filter that
 * is common for complete results too (the share of set bits, cubed, per topic), so there only an empty result, the usual
 * failure of nodes, is suspicious. The second pass covers the rest.
 */
export function isSuspicious(bloom: Hex, topics: readonly Hex[], logs: readonly Log[]): boolean {
  const seen = new Set(logs.map((log) => log.topics[0]))
  const hasMatchWithoutLog = topics.some((topic) => !seen.has(topic) && mayHold(bloom, bitsOf(topic)))
  if (!hasMatchWithoutLog) return false
  return logs.length === 0 || topics.length * saturationOf(bloom) ** 3 < 1
}
