/**
 * The EVM chains under watch, as data.
 *
 * Owns everything about a chain that is not read from its nodes. No other file names a chain: code asks for a
 * property here. Node addresses and what an operator may tune are configuration.
 */

export type Chain = {
  readonly id: number
  /** How the interface names it. */
  readonly slug: string
  readonly name: string
  /** Blocks on top of an event before it is published, unless the operator says otherwise. */
  readonly confirmations: number
  /** Milliseconds between blocks: paces polling, estimates what is left of a backfill. */
  readonly blockTimeMs: number
  /**
   * Blocks that may still be undone. Deeper than this the chain itself calls its blocks final, and a node that
   * disagrees is wrong.
   */
  readonly reorgLimit: number
  /** Blocks in one request for logs without an address filter, to begin with: busy chains hold more per block. */
  readonly chainwideRange: number
  /**
   * The chain whose contracts act here under an alias, see `alias.ts`: an account without code may then be a contract
   * over there.
   */
  readonly aliasedFrom?: number
  readonly explorer: string
}

/** Deployed at one address on every chain here (https://www.multicall3.com). */
export const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'

export const CHAINS: readonly Chain[] = [
  {
    id: 1,
    slug: 'ethereum',
    name: 'Ethereum',
    confirmations: 2,
    blockTimeMs: 12_000,
    reorgLimit: 128, // two epochs of 32 justify and finalise; a missed vote costs a third and fourth
    chainwideRange: 500,
    explorer: 'https://etherscan.io',
  },
  {
    id: 42161,
    slug: 'arbitrum',
    name: 'Arbitrum One',
    confirmations: 1,
    blockTimeMs: 250,
    reorgLimit: 7_200, // half an hour: a batch posted to Ethereum and final there
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
    reorgLimit: 256, // before milestones, reorganisations of more than 150 blocks have happened
    chainwideRange: 500,
    explorer: 'https://polygonscan.com',
  },
  {
    id: 56,
    slug: 'bnb',
    name: 'BNB Smart Chain',
    confirmations: 3,
    blockTimeMs: 750,
    reorgLimit: 256, // final after a few blocks when validators vote, else after 15 of them have had their 16 blocks each
    chainwideRange: 500,
    explorer: 'https://bscscan.com',
  },
]

const bySlug = new Map(CHAINS.map((chain) => [chain.slug, chain]))
const byId = new Map(CHAINS.map((chain) => [chain.id, chain]))

/** By slug, or by id as a number or in decimal digits. */
export function findChain(slugOrId: string | number): Chain | undefined {
  if (typeof slugOrId === 'number') return byId.get(slugOrId)
  return bySlug.get(slugOrId) ?? (/^[1-9]\d{0,15}$/.test(slugOrId) ? byId.get(Number(slugOrId)) : undefined)
}
