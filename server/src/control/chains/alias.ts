/**
 * The address under which a contract of one chain acts on a rollup above it.
 *
 * Arbitrum and the OP Stack shift it by one constant, so that a contract over there cannot pass for whatever stands
 * at its own address here. Which chains do so is data: `aliasedFrom` of a chain.
 */

import type { Hex } from 'viem'

const OFFSET = 0x1111000000000000000000000000000000001111n
const ADDRESSES = 2n ** 160n

/** Where `address` of the lower chain appears. */
export function aliasOf(address: Hex): Hex {
  return toAddress(BigInt(address) + OFFSET)
}

/** Whose alias `address` would be: every address is somebody's, so code over there must confirm it. */
export function unaliased(address: Hex): Hex {
  return toAddress(BigInt(address) - OFFSET)
}

function toAddress(value: bigint): Hex {
  return `0x${(((value % ADDRESSES) + ADDRESSES) % ADDRESSES).toString(16).padStart(40, '0')}`
}
