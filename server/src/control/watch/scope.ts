/**
 * Which logs are read: all catalog events of watched contracts, and the chain-wide events of every contract.
 *
 * Holds the watched addresses of one chain in memory.
 */

import type { Hex } from '../../lib/hex.ts'
import type { Catalog, EventRecord } from '../catalog/catalog.ts'
import type { Log } from '../rpc/parse.ts'
import type { LogFilter } from '../rpc/requests.ts'
import type { WatchedContract } from './watch-store.ts'

export type Scope = {
  readonly watched: ReadonlyMap<Hex, WatchedContract>
  /** Topics of watched and chain-wide events: at the head one request without addresses covers both. */
  readonly allTopics: readonly Hex[]
  readonly chainwideTopics: readonly Hex[]
  readonly covers: (log: Log) => boolean
  readonly isWatched: (address: Hex) => boolean
  readonly kindOf: (address: Hex) => string | undefined
  readonly add: (contracts: readonly WatchedContract[]) => void
  readonly remove: (addresses: readonly Hex[]) => void
}

export function createScope(catalog: Pick<Catalog, 'topicsFor'>, contracts: readonly WatchedContract[]): Scope {
  const watched = new Map(contracts.map((contract) => [contract.address, contract]))
  const chainwide: ReadonlySet<Hex | undefined> = new Set(catalog.topicsFor('chainwide'))
  return {
    watched,
    allTopics: catalog.topicsFor('watched'),
    chainwideTopics: catalog.topicsFor('chainwide'),
    covers: (log) => watched.has(log.address) || chainwide.has(log.topics[0]),
    isWatched: (address) => watched.has(address),
    kindOf: (address) => watched.get(address)?.kind,
    add: (more) => {
      for (const contract of more) watched.set(contract.address, contract)
    },
    remove: (addresses) => {
      for (const address of addresses) watched.delete(address)
    },
  }
}

/** Above this number one request without addresses is cheaper than one for every 200 addresses. */
const MANY_CONTRACTS = 4_000

/** The filters that find what the follower reads. Their logs still have to pass `covers`. */
export function filtersOf(scope: Scope): readonly LogFilter[] {
  if (scope.watched.size > MANY_CONTRACTS) return [{ topics: scope.allTopics, addresses: undefined }]
  return [...chainwideFilters(scope), ...contractFilters(scope, [...scope.watched.keys()])]
}

export function chainwideFilters({ chainwideTopics }: Scope): readonly LogFilter[] {
  return chainwideTopics.length === 0 ? [] : [{ topics: chainwideTopics, addresses: undefined }]
}

export function contractFilters({ allTopics }: Scope, addresses: readonly Hex[]): readonly LogFilter[] {
  return chunksOf(addresses).map((some) => ({ topics: allTopics, addresses: some }))
}

/** Providers limit the addresses of one filter. All known ones accept 200. */
const ADDRESSES_PER_FILTER = 200

export function chunksOf(addresses: readonly Hex[]): readonly (readonly Hex[])[] {
  return Array.from({ length: Math.ceil(addresses.length / ADDRESSES_PER_FILTER) }, (_, at) =>
    addresses.slice(at * ADDRESSES_PER_FILTER, (at + 1) * ADDRESSES_PER_FILTER),
  )
}

/** Contracts that are not watched and changed. Setup does not count, or every new proxy would be watched. */
export function discoveredIn(events: readonly EventRecord[], { watched }: Scope): readonly Hex[] {
  const discovered = events.filter(({ isInit, address }) => !isInit && !watched.has(address))
  return [...new Set(discovered.map(({ address }) => address))]
}
