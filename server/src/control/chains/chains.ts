/**
 * The supported EVM chains as data.
 *
 * No other code names a chain: it uses the properties defined here. Endpoint URLs and what an operator may tune are
 * configuration.
 */

export type Chain = {
  readonly id: number
  /** The name in the API. */
  readonly slug: string
  readonly name: string
  /** Confirmations before an event is published, unless configured otherwise. */
  readonly confirmations: number
  /** Milliseconds between blocks. */
  readonly blockTimeMs: number
  /** Depth of the deepest possible reorg. Deeper blocks are final on this chain. */
  readonly reorgLimit: number
  /** Initial block range of an `eth_getLogs` request without an address filter. */
  readonly chainwideRange: number
  /** The L1 whose contracts act here under an alias, see `alias.ts`: an account without code may be an L1 contract. */
  readonly aliasedFrom?: number
  readonly explorer: string
}

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** Deployed at this address on every supported chain (https://www.multicall3.com). */
export const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'

export const CHAINS: readonly Chain[] = [
  {
    id: 1,
    slug: 'ethereum',
    name: 'Ethereum',
    confirmations: 2,
    blockTimeMs: 12_000,
    reorgLimit: 128, // four epochs: two finalize a block, and missed votes can delay it by two more
    chainwideRange: 500,
    explorer: 'https://etherscan.io',
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

const bySlug = new Map(CHAINS.map((chain) => [chain.slug, chain]))
const byId = new Map(CHAINS.map((chain) => [chain.id, chain]))

/** Finds a chain by slug, or by id as a number or decimal text. */
export function findChain(slugOrId: string | number): Chain | undefined {
  if (typeof slugOrId === 'number') return byId.get(slugOrId)
  return bySlug.get(slugOrId) ?? (/^[1-9]\d{0,15}$/.test(slugOrId) ? byId.get(Number(slugOrId)) : undefined)
}
