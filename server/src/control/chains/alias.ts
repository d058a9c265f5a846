/**
 * Address aliases: the sender address that an L1 contract has on a rollup.
 *
 * Arbitrum and the OP Stack add a constant to the address, so that an L1 contract cannot impersonate the L2 contract at
 * the same address. `aliasedFrom` of a chain names its L1.
 */

import type { Hex } from 'viem'

const OFFSET = 0x1111000000000000000000000000000000001111n
const ADDRESSES = 2n ** 160n

/** The alias of an L1 address on the rollup. */
export function aliasOf(address: Hex): Hex {
  return toAddress(BigInt(address) + OFFSET)
}

/** The L1 address that has this alias. Every address is the alias of some L1 address, so only code there confirms it. */
export function unaliased(address: Hex): Hex {
  return toAddress(BigInt(address) - OFFSET)
}

function toAddress(value: bigint): Hex {
  return `0x${(((value % ADDRESSES) + ADDRESSES) % ADDRESSES).toString(16).padStart(40, '0')}`
}
