/**
 * `logsBloom`: whether a block can hold a log at all.
 *
 * A header commits to a filter of 2,048 bits over every address and topic logged in its block (Yellow Paper, 4.3.1).
 * A bit that is missing proves absence; all bits present proves nothing, but an empty answer for such a block deserves
 * a second look. The hash of what is looked for is taken once: the filter of each block costs a few character reads.
 */

import { type Hex, keccak256 } from 'viem'

/** Three bits, each as the position of its hex digit in the filter's text and the mask within that digit. */
export type BloomBits = readonly { readonly at: number; readonly mask: number }[]

const BLOOM_BYTES = 256
/** `0x` and two digits a byte. */
const BLOOM_LENGTH = 2 + BLOOM_BYTES * 2

/** `item` is a 20-byte address or a 32-byte topic. */
export function bloomBits(item: Hex): BloomBits {
  const hash = keccak256(item)
  return [0, 1, 2].map((pair) => {
    // Each of the first three pairs of bytes names a bit by its low eleven bits, counted from the filter's end.
    const bit = Number.parseInt(hash.slice(2 + pair * 4, 6 + pair * 4), 16) & 0x7ff
    return { at: BLOOM_LENGTH - 1 - (bit >> 2), mask: 1 << (bit & 3) }
  })
}

/** Whether `bloom` may cover the item. A text that is no filter (some nodes leave it out) proves nothing: true. */
export function mayHold(bloom: string, bits: BloomBits): boolean {
  if (bloom.length !== BLOOM_LENGTH) return true
  return bits.every(({ at, mask }) => (Number.parseInt(bloom.charAt(at), 16) & mask) !== 0)
}

export type BloomTest = (bloom: string) => boolean

/** May a block with this filter hold a log with one of the topics, emitted by one of the addresses where given? */
export function bloomTest(topics: readonly Hex[], addresses?: readonly Hex[]): BloomTest {
  const topicBits = topics.map(bloomBits)
  const addressBits = addresses?.map(bloomBits)
  return (bloom) =>
    topicBits.some((bits) => mayHold(bloom, bits)) &&
    (addressBits === undefined || addressBits.some((bits) => mayHold(bloom, bits)))
}
