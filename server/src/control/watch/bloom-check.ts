/**
 * Checks the logs of a block against the bloom filter in its header.
 *
 * The filter has 2,048 bits over every address and topic logged in the block (Yellow Paper, 4.3.1). It has no false
 * negatives: if it has bits that no log sets, logs are missing. It has false positives: a topic that matches without a log
 * is only suspicious. Pure.
 */
import { keccak256 } from 'viem/utils'
import type { Hex } from '../../lib/hex.ts'
import type { Log } from '../rpc/parse.ts'

type Emitted = Pick<Log, 'address' | 'topics'>

/** The three bits of an item, each as the position of its hex digit in the filter's text and the mask in that digit. */
export type BloomBits = readonly { readonly at: number; readonly mask: number }[]

/** `0x` and two digits for each of 256 bytes. */
const BLOOM_LENGTH = 514

/** `item` is a 20-byte address or a 32-byte topic. */
export function bloomBits(item: Hex): BloomBits {
  const hash = keccak256(item)
  return [0, 1, 2].map((pair) => {
    // The low eleven bits of each of the first three byte pairs are the index of a bit, counted from the filter's end.
    const bit = Number.parseInt(hash.slice(2 + pair * 4, 6 + pair * 4), 16) & 0x7ff
    return { at: BLOOM_LENGTH - 1 - (bit >> 2), mask: 1 << (bit & 3) }
  })
}

/** Whether the filter may contain the item. */
export function mayContain(bloom: Hex, bits: BloomBits): boolean {
  return bits.every(({ at, mask }) => (Number.parseInt(bloom.charAt(at), 16) & mask) !== 0)
}

const cached = new Map<Hex, BloomBits>()
const MAX_CACHED = 20_000

/** Hashing is the most expensive part, and the same topics recur. */
function bitsOf(item: Hex): BloomBits {
  const found = cached.get(item) ?? bloomBits(item)
  if (cached.size >= MAX_CACHED) cached.clear()
  cached.set(item, found)
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
  const digits = new Uint8Array(BLOOM_LENGTH)
  const seen = new Set<Hex>()
  for (const { address, topics } of logs)
    for (const item of [address, ...topics]) {
      if (seen.has(item)) continue
      seen.add(item)
      for (const { at, mask } of bitsOf(item)) digits[at] = (digits[at] ?? 0) | mask
    }
  return digits
}

/** The bloom filter of these logs as in a block header. */
export function bloomOf(logs: readonly Emitted[]): Hex {
  return `0x${[...digitsOf(logs).subarray(2)].map((digit) => digit.toString(16)).join('')}`
}

const SET_BITS: Readonly<Record<string, number>> = Object.fromEntries(
  Array.from({ length: 16 }, (_, digit) => [digit.toString(16), [1, 2, 4, 8].filter((bit) => digit & bit).length]),
)

/** The share of set bits. */
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
  const hasMatchWithoutLog = topics.some((topic) => !seen.has(topic) && mayContain(bloom, bitsOf(topic)))
  if (!hasMatchWithoutLog) return false
  return logs.length === 0 || topics.length * saturationOf(bloom) ** 3 < 1
}
