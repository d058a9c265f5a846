/** What a text may name: contracts, protocols, accounts, ENS names, transactions and kinds of events, and the pages of coins. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { coinLinks, isWallet } from '../text/coin-links.ts'
import { type SearchGroup, searchGroups } from '../text/search-groups.ts'
import { service, unwrap } from './service.ts'
import { useAbout } from './use-about.ts'

export type Search = { readonly groups: readonly SearchGroup[]; readonly isComplete: boolean }

const NOTHING: Schemas['SearchResults'] = {
  contracts: [],
  protocols: [],
  accounts: [],
  names: [],
  eventKinds: [],
  transactions: [],
  isComplete: true,
}

/** Watched contracts whose name, protocol or address matches a text of at least two characters. */
export const useContractSuggestions = (text: string) =>
  useQuery({
    queryKey: ['control', 'search', text],
    enabled: text.length > 1,
    queryFn: async ({ signal }) =>
      (await unwrap(service.GET('/public/control/search', { params: { query: { q: text } }, signal }))).data,
    placeholderData: keepPreviousData,
    select: ({ contracts }) => contracts,
  })

/** With `keepsPrevious`, the results of the previous text are shown until those of this one arrive. */
export function useSearchResults(text: string, { keepsPrevious = false } = {}) {
  const about = useAbout().data
  return useQuery({
    queryKey: ['control', 'search', text],
    enabled: text !== '' && about !== undefined,
    queryFn: async ({ signal }) =>
      isWallet(text)
        ? NOTHING
        : (await unwrap(service.GET('/public/control/search', { params: { query: { q: text } }, signal }))).data,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    select: (found): Search => {
      const coins = (about?.coins ?? []).filter(({ enabled }) => enabled).map(({ id }) => id)
      const groups = searchGroups(found, { text, chains: about?.chains ?? [], coins: coinLinks(text, coins) })
      return { groups, isComplete: found.isComplete }
    },
  })
}
