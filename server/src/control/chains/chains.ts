/**
 * The EVM chains as data, and their addresses. Further chains come from the configuration.
 *
 * No other code names a chain: it uses the properties defined here. Endpoint URLs and what an operator may tune are
 * configuration.
 */

import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ChainDefinition } from '../../config/chain-definitions.ts'
import { ConfigError } from '../../config/config.ts'
import type { Hex } from '../../lib/hex.ts'

export type Chain = ChainDefinition

export const ZERO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'

/** Deployed at this address on every supported chain (https://www.multicall3.com). */
export const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'

const chains: Chain[] = [
  {
    id: 1,
    slug: 'ethereum',
    name: 'Ethereum',
    confirmations: 2,
    blockTimeMs: 12_000,
    reorgLimit: 128, // four epochs: two finalize a block, and missed votes can delay it by two more
    chainwideRange: 500,
    explorer: 'https://etherscan.io',
    ensRegistry: '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e',
  },
  {
    id: 42161,
    slug: 'arbitrum',
    name: 'Arbitrum One',
    confirmations: 1,
    blockTimeMs: 250,
    reorgLimit: 7_200, // half an hour: the time until a batch is final on Ethereum
    chainwideRange: 500,
    aliasedFrom: 1,
    explorer: 'https://arbiscan.io',
  },
  {
    id: 8453,
    slug: 'base',
    name: 'Base',
    confirmations: 1,
    blockTimeMs: 2_000,
    reorgLimit: 900, // half an hour, as on every rollup that settles on Ethereum
    chainwideRange: 500,
    aliasedFrom: 1,
    explorer: 'https://basescan.org',
  },
  {
    id: 10,
    slug: 'optimism',
    name: 'OP Mainnet',
    confirmations: 1,
    blockTimeMs: 2_000,
    reorgLimit: 900,
    chainwideRange: 500,
    aliasedFrom: 1,
    explorer: 'https://optimistic.etherscan.io',
  },
  {
    id: 137,
    slug: 'polygon',
    name: 'Polygon PoS',
    confirmations: 5,
    blockTimeMs: 2_000,
    reorgLimit: 256, // before milestones, reorgs of more than 150 blocks happened
    chainwideRange: 500,
    explorer: 'https://polygonscan.com',
  },
  {
    id: 56,
    slug: 'bnb',
    name: 'BNB Smart Chain',
    confirmations: 3,
    blockTimeMs: 750,
    reorgLimit: 256, // final after a few blocks with validator votes, otherwise after 15 validators with 16 blocks each
    chainwideRange: 500,
    explorer: 'https://bscscan.com',
  },
]

/** The built-in chains, and those that the configuration adds at the start of the process. */
export const CHAINS: readonly Chain[] = chains

const bySlug = new Map(chains.map((chain) => [chain.slug, chain]))
const byId = new Map(chains.map((chain) => [chain.id, chain]))

/** Adds the chains of the configuration. One that was added before stays as it is; the id of another chain is refused. */
export function addChains(definitions: readonly ChainDefinition[]): void {
  for (const chain of definitions) {
    const same = byId.get(chain.id) ?? bySlug.get(chain.slug)
    if (same !== undefined && (same.slug !== chain.slug || same.id !== chain.id))
      throw new ConfigError([
        `CHAINS_FILE: ${chain.slug} (${chain.id}) is the chain ${same.slug} (${same.id}), which is there already; use ${same.slug}, or another id`,
      ])
    if (same !== undefined) continue
    chains.push(chain)
    bySlug.set(chain.slug, chain)
    byId.set(chain.id, chain)
  }
}

/** Finds a chain by slug, or by id as a number or decimal text. */
export function findChain(slugOrId: string | number): Chain | undefined {
  if (typeof slugOrId === 'number') return byId.get(slugOrId)
  return bySlug.get(slugOrId) ?? (/^[1-9]\d{0,15}$/.test(slugOrId) ? byId.get(Number(slugOrId)) : undefined)
}

/** Parses an EVM address in any case: the address in lower case, or the reason it is invalid, to be appended to the field's name. */
export function parseAddress(text: string): { readonly address: Hex } | { readonly refusal: string } {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return { refusal: 'must be 0x and 40 hexadecimal characters' }
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && checksummed(digits.toLowerCase()) !== digits)
    return { refusal: 'has a wrong EIP-55 checksum: a character was mistyped' }
  return { address: `0x${digits.toLowerCase()}` }
}

/** EIP-55: a letter is upper case if the digit of the hash at its position is 8 or more. */
function checksummed(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  return digits.replace(/[a-f]/g, (letter, at: number) =>
    Number.parseInt(hash[at] as string, 16) >= 8 ? letter.toUpperCase() : letter,
  )
}

/**
 * Arbitrum and the OP Stack add this to the address of an L1 contract that calls an L2 contract, so that it cannot
 * impersonate the L2 contract at the same address.
 */
const ALIAS_OFFSET = 0x1111000000000000000000000000000000001111n
const ADDRESSES = 2n ** 160n

/** The alias of an L1 address: the sender address that the L1 contract has on a rollup. */
export function aliasOf(address: Hex): Hex {
  return toAddress(BigInt(address) + ALIAS_OFFSET)
}

/** The L1 address that has this alias. Every address is the alias of some L1 address, so only code there confirms it. */
export function unaliased(address: Hex): Hex {
  return toAddress(BigInt(address) - ALIAS_OFFSET)
}

function toAddress(value: bigint): Hex {
  return `0x${(((value % ADDRESSES) + ADDRESSES) % ADDRESSES).toString(16).padStart(40, '0')}`
}
