/**
 * Which logs matter: everything catalogued of contracts under watch, and the rare events of everyone.
 *
 * Owns the set of known addresses in memory; the store owns it for ever.
 */

import type { Hex } from '../../lib/hex.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { EventRecord } from '../catalog/event-record.ts'
import type { Log } from '../rpc/parse.ts'
import type { LogFilter } from '../rpc/requests.ts'
import type { KnownContract } from './watch-store.ts'

export type Scope = {
  readonly known: ReadonlyMap<Hex, KnownContract>
  /** Topics for a question without addresses at the head, where one question covers both reaches. */
  readonly allTopics: readonly Hex[]
  readonly chainwideTopics: readonly Hex[]
  readonly covers: (log: Log) => boolean
  readonly isKnown: (address: Hex) => boolean
  readonly kindOf: (address: Hex) => string | undefined
  readonly add: (contracts: readonly KnownContract[]) => void
}

export function createScope(catalog: Pick<Catalog, 'topicsFor'>, contracts: readonly KnownContract[]): Scope {
  const known = new Map(contracts.map((contract) => [contract.address, contract]))
  const chainwide: ReadonlySet<Hex | undefined> = new Set(catalog.topicsFor('chainwide'))
  return {
    known,
    allTopics: catalog.topicsFor('known'),
    chainwideTopics: catalog.topicsFor('chainwide'),
    covers: (log) => known.has(log.address) || chainwide.has(log.topics[0]),
    isKnown: (address) => known.has(address),
    kindOf: (address) => known.get(address)?.kind,
    add: (more) => {
      for (const contract of more) known.set(contract.address, contract)
    },
  }
}

/** Above this one question without addresses, as at the head, is cheaper than one for every 200 of them. */
const MANY_CONTRACTS = 4_000

/** What the follower looks for, as questions over a range; what they find is still to be held against `covers`. */
export function filtersOf(scope: Scope): readonly LogFilter[] {
  if (scope.known.size > MANY_CONTRACTS) return [{ topics: scope.allTopics, addresses: undefined }]
  return [...chainwideFilters(scope), ...contractFilters(scope, [...scope.known.keys()])]
}

export function chainwideFilters({ chainwideTopics }: Scope): readonly LogFilter[] {
  return chainwideTopics.length === 0 ? [] : [{ topics: chainwideTopics, addresses: undefined }]
}

export function contractFilters({ allTopics }: Scope, addresses: readonly Hex[]): readonly LogFilter[] {
  return chunksOf(addresses).map((some) => ({ topics: allTopics, addresses: some }))
}

/** Providers limit the addresses of one filter; 200 pass everywhere. */
const ADDRESSES_A_FILTER = 200

export function chunksOf(addresses: readonly Hex[]): readonly (readonly Hex[])[] {
  return Array.from({ length: Math.ceil(addresses.length / ADDRESSES_A_FILTER) }, (_, at) =>
    addresses.slice(at * ADDRESSES_A_FILTER, (at + 1) * ADDRESSES_A_FILTER),
  )
}

/** Contracts nobody knew, seen to change: not in setup, or every proxy ever made would come under watch. */
export function discoveredIn(events: readonly EventRecord[], { known }: Scope): readonly Hex[] {
  const strangers = events.filter(({ isInit, address }) => !isInit && !known.has(address))
  return [...new Set(strangers.map(({ address }) => address))]
}
