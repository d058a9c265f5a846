/** The definitions of EVM chains that are data: the presets of `chains.json`, and those of the operator's file. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { withoutByteOrderMark } from '../lib/byte-order-mark.ts'
import { reasonOf } from '../lib/errors.ts'
import { faultText, fileFaults } from '../lib/fault-texts.ts'

export type ChainDefinition = {
  readonly id: number
  /** The name in the API. */
  readonly slug: string
  readonly name: string
  /** Confirmations before an event is published, unless configured otherwise. */
  readonly confirmations: number
  /** The block that counts as the head. A chain whose blocks are replaced often publishes only finalized ones. */
  readonly finality?: 'latest' | 'safe' | 'finalized' | undefined
  /** Milliseconds between blocks. */
  readonly blockTimeMs: number
  /** Depth of the deepest possible reorg. Deeper blocks are final on this chain. */
  readonly reorgLimit: number
  /** Initial block range of an `eth_getLogs` request without an address filter. */
  readonly chainwideRange: number
  /** The L1 whose contracts act here under an alias, see `aliasOf`: an account without code may be an L1 contract. */
  readonly aliasedFrom?: number | undefined
  readonly explorer: string
  /** The registry that resolves ENS names, unless configured otherwise. */
  readonly ensRegistry?: string | undefined
}

export const CHAIN_SLUG = /^[a-z][a-z\d-]{0,30}[a-z\d]$/

/** The database stores ids of chains in 31 bits. */
const id = z.int().min(1).max(2_147_483_647)

const definition = z
  .strictObject({
    id,
    slug: z.string().regex(CHAIN_SLUG, 'must have 2 to 32 lower-case letters, digits and hyphens'),
    name: z.string().min(1).max(64),
    explorer: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .transform((url) => url.replace(/\/+$/, '')),
    blockTimeMs: z.int().min(50).max(3_600_000),
    confirmations: z.int().min(0).max(10_000).optional(),
    finality: z.enum(['latest', 'safe', 'finalized']).optional(),
    reorgLimit: z.int().min(1).max(100_000).default(256),
    chainwideRange: z.int().min(1).max(10_000).default(500),
    aliasedFrom: id.optional(),
  })
  .refine(
    ({ confirmations, finality }) => confirmations !== undefined || (finality !== undefined && finality !== 'latest'),
    'must have confirmations, or the finality safe or finalized',
  )
  .refine((chain) => chain.aliasedFrom !== chain.id, { path: ['aliasedFrom'], message: 'must be another chain' })
  .transform(({ confirmations = 0, ...rest }): ChainDefinition => ({ confirmations, ...rest }))

const file = z.strictObject({ $schema: z.string().optional(), chains: z.array(definition).max(1_000) })

/** Chains that are off until an endpoint is configured. */
export const PRESETS: readonly ChainDefinition[] = file.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'chains.json'), 'utf8')),
).chains

/**
 * Returns the presets, and the chains of the operator's file instead of presets with the same slug or id. Faults begin
 * with the name of the setting.
 */
export function readChainDefinitions(
  path: string | undefined,
  { folder, builtIn }: { readonly folder: string; readonly builtIn: readonly string[] },
): { readonly definitions: readonly ChainDefinition[]; readonly faults: readonly string[] } {
  if (path === undefined) return { definitions: PRESETS, faults: [] }
  try {
    const text = withoutByteOrderMark(readFileSync(resolve(folder, path), 'utf8'))
    const parsed = file.safeParse(JSON.parse(text), { error: faultText })
    if (!parsed.success)
      return {
        definitions: PRESETS,
        faults: fileFaults(parsed.error).map(({ path: at, text }) =>
          ['CHAINS_FILE', ...(at.length === 0 ? [] : [at.join('.')]), text].join(': '),
        ),
      }
    const own = parsed.data.chains
    const faults = [
      ...own
        .filter(({ slug }) => builtIn.includes(slug))
        .map(({ slug }) => `CHAINS_FILE: ${slug} is built in; remove it`),
      ...own
        .filter(({ slug }, at) => own.findIndex((other) => other.slug === slug) !== at)
        .map(({ slug }) => `CHAINS_FILE: ${slug} is there twice`),
      ...own
        .filter((one, at) => own.findIndex((other) => other.id === one.id) !== at)
        .map((one) => `CHAINS_FILE: the id ${one.id} is there twice`),
    ]
    const kept = PRESETS.filter(({ slug, id: number }) => !own.some((one) => one.slug === slug || one.id === number))
    return { definitions: [...kept, ...own], faults }
  } catch (error) {
    return { definitions: PRESETS, faults: [`CHAINS_FILE: cannot be read as JSON: ${reasonOf(error)}`] }
  }
}
