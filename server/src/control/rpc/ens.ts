/**
 * Resolves ENS names through the registries of the configured chains.
 *
 * Only the operator's endpoints are called. Names whose resolver refers to a gateway (CCIP-Read) or answers for the
 * names below its own (ENSIP-10) have no address here: a gateway would learn what visitors search for.
 */
import { ens_normalize } from '@adraffy/ens-normalize'
import { keccak256, stringToHex } from 'viem/utils'
import type { Config } from '../../config/config.ts'
import type { Timing } from '../../lib/clock.ts'
import type { Hex } from '../../lib/hex.ts'
import { findChain, ZERO_ADDRESS } from '../chains/chains.ts'
import type { EndpointReporter } from './endpoint-log.ts'
import { createRpcPool, type RpcPool } from './pool.ts'
import { ethCallWord, getBlockNumber, type StateBlock } from './requests.ts'
import { NoEndpointError } from './rpc-error.ts'

export type ResolvedName = { readonly name: string; readonly chainId: number; readonly address: Hex }

export type NameLookup = {
  readonly names: readonly ResolvedName[]
  /** False if a registry could not be asked. */
  readonly isComplete: boolean
}

export type NameResolver = {
  /** Looks up a text that may be a name. Never throws because of an endpoint. */
  readonly resolve: (text: string) => Promise<NameLookup>
  readonly close: () => void
}

const NOTHING: NameLookup = { names: [], isComplete: true }
const FAILED: NameLookup = { names: [], isComplete: false }

const MAX_NAME = 255
const NOT_IN_NAMES = /[\s/:@?#]/

/** Labels with dots between them. A URL, an e-mail address or an amount is no name. */
function isDotted(text: string): boolean {
  const labels = text.split('.')
  return labels.length > 1 && !labels.includes('') && !NOT_IN_NAMES.test(text) && !/\d/.test(labels.at(-1) ?? '')
}

/** The normalized name (ENSIP-15); undefined if the text is none. */
export function ensNameOf(text: string): string | undefined {
  if (text.length > MAX_NAME || !isDotted(text)) return undefined
  try {
    return ens_normalize(text)
  } catch {
    return undefined
  }
}

/** Visitors wait for a search. */
const TIMEOUT_MS = 3_000
const FRESH_MS = 60_000
const MAX_CACHED = 1_000
/** More lookups at once are refused, so that visitors do not use up the endpoints. */
const MAX_RUNNING = 8

type Registry = { readonly chainId: number; readonly address: Hex; readonly pool: RpcPool }
type Deps = { readonly timing: Timing; readonly report: EndpointReporter }

/** A chain has a registry by its definition or by the configuration, which can also turn it off. */
export function createNameResolver({ timing, report }: Deps, evmChains: Config['evmChains']): NameResolver {
  const registries = Object.entries(evmChains).flatMap(([slug, settings]): readonly Registry[] => {
    const chain = findChain(slug)
    const address = settings?.ensRegistry ?? chain?.ensRegistry
    if (settings === undefined || chain === undefined || address === undefined || address === 'none') return []
    const options = { chain: slug, chainId: chain.id, urls: settings.rpcUrls, timeoutMs: TIMEOUT_MS }
    return [{ chainId: chain.id, address: address as Hex, pool: createRpcPool({ timing, report }, options) }]
  })
  const cached = new Map<string, { readonly until: number; readonly lookup: NameLookup }>()
  let running = 0
  const lookUp = async (name: string): Promise<NameLookup> => {
    if (running >= MAX_RUNNING) return FAILED
    running += 1
    try {
      const lookups = await Promise.all(registries.map((registry) => lookUpIn(registry, name)))
      const names = lookups.flatMap((lookup) => lookup.names)
      return { names, isComplete: lookups.every(({ isComplete }) => isComplete) }
    } finally {
      running -= 1
    }
  }
  return {
    resolve: async (text) => {
      const name = registries.length === 0 ? undefined : ensNameOf(text)
      if (name === undefined) return NOTHING
      const known = cached.get(name)
      if (known !== undefined && known.until > timing.now()) return known.lookup
      const lookup = await lookUp(name)
      cached.delete(name)
      if (!lookup.isComplete) return lookup
      cached.set(name, { until: timing.now() + FRESH_MS, lookup })
      const oldest = cached.keys().next().value
      if (cached.size > MAX_CACHED && oldest !== undefined) cached.delete(oldest)
      return lookup
    },
    close: () => {
      for (const { pool } of registries) pool.close()
    },
  }
}

/** The node of a normalized name in the registry (ERC-137). */
const nodeOf = (name: string): Hex =>
  name.split('.').reduceRight((node: Hex, label) => keccak256(`${node}${keccak256(stringToHex(label)).slice(2)}`), ROOT)
const ROOT: Hex = `0x${'00'.repeat(32)}`

async function lookUpIn({ chainId, address: registry, pool }: Registry, name: string): Promise<NameLookup> {
  try {
    const { value: number } = await pool.request(getBlockNumber)
    const node = nodeOf(name).slice(2)
    const resolver = await addressAt(pool, registry, `0x0178b8bf${node}`, { number }) // resolver(bytes32)
    if (resolver === undefined) return NOTHING
    const address = await addressAt(pool, resolver, `0x3b3b57de${node}`, { number }) // addr(bytes32)
    return address === undefined ? NOTHING : { names: [{ name, chainId, address }], isComplete: true }
  } catch (error) {
    if (error instanceof NoEndpointError) return FAILED
    throw error
  }
}

/** The address that a call returns; undefined if it is zero or the call reverts. */
async function addressAt(pool: RpcPool, to: Hex, data: Hex, block: StateBlock): Promise<Hex | undefined> {
  try {
    const { value: word } = await pool.request(ethCallWord(to, data, block))
    if (word === undefined || !word.startsWith(`0x${'00'.repeat(12)}`)) return undefined
    const address: Hex = `0x${word.slice(26)}`
    return address === ZERO_ADDRESS ? undefined : address
  } catch (error) {
    const isReverted = error instanceof NoEndpointError && error.isUnanimous('reverted')
    if (isReverted) return undefined
    throw error
  }
}
