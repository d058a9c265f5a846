/**
 * Checks addresses and topics against the bloom filter of a block header (`logsBloom`).
 *
 * The filter has 2,048 bits over every address and topic logged in the block (Yellow Paper, 4.3.1). A missing bit proves
 * that a log is absent; present bits prove nothing. The hash of an item is computed once, so checking a block costs a
 * few character reads.
 */

import { type Hex, keccak256 } from 'viem'

/** The three bits of an item, each as the position of its hex digit in the filter's text and the mask in that digit. */
export type BloomBits = readonly { readonly at: number; readonly mask: number }[]

const BLOOM_BYTES = 256
/** `0x` and two digits per byte. */
const BLOOM_LENGTH = 2 + BLOOM_BYTES * 2

/** `item` is a 20-byte address or a 32-byte topic. */
export function bloomBits(item: Hex): BloomBits {
  const hash = keccak256(item)
  return [0, 1, 2].map((pair) => {
    // The low eleven bits of each of the first three byte pairs are the index of a bit, counted from the filter's end.
    const bit = Number.parseInt(hash.slice(2 + pair * 4, 6 + pair * 4), 16) & 0x7ff
    return { at: BLOOM_LENGTH - 1 - (bit >> 2), mask: 1 << (bit & 3) }
  })
}

/** Whether the filter may contain the item. True if the text is not a filter, which some nodes omit. */
export function mayHold(bloom: string, bits: BloomBits): boolean {
  if (bloom.length !== BLOOM_LENGTH) return true
  return bits.every(({ at, mask }) => (Number.parseInt(bloom.charAt(at), 16) & mask) !== 0)
}

export type BloomTest = (bloom: string) => boolean

/** Whether the block may have a log with one of the topics, emitted by one of the addresses if given. */
export function bloomTest(topics: readonly Hex[], addresses?: readonly Hex[]): BloomTest {
  const topicBits = topics.map(bloomBits)
  const addressBits = addresses?.map(bloomBits)
  return (bloom) =>
    topicBits.some((bits) => mayHold(bloom, bits)) &&
    (addressBits === undefined || addressBits.some((bits) => mayHold(bloom, bits)))
}
