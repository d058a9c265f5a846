/** Names of watched contracts, and the symbols and decimals of tokens among them. */
import { useQuery } from '@tanstack/react-query'
import type { Token } from '../../../vocabulary/tokens.ts'
import { service, unwrap } from './service.ts'
import { useAbout } from './use-about.ts'

const keyOf = (chain: string, address: string): string => `${chain} ${address.toLowerCase()}`

/** Returns a lookup of names. Accounts are shown by address until the names have loaded, and if they have none. */
export function useNames(): (chain: string, address: string) => string | undefined {
  const { data } = useNamesQuery()
  return (chain, address) => data?.get(keyOf(chain, address))?.name
}

/** Returns a lookup of tokens. */
export function useTokens(): (chain: string, address: string) => Token | undefined {
  const { data } = useNamesQuery()
  return (chain, address) => data?.get(keyOf(chain, address))?.token
}

/** Whether the names of contracts and chains have loaded. A page that waits for this does not shift its layout later. */
export function useHasNames(): boolean {
  const [names, about] = [useNamesQuery(), useAbout()]
  return names.isFetched && about.isFetched
}

const useNamesQuery = () =>
  useQuery({
    queryKey: ['control', 'names'],
    queryFn: async ({ signal }) => {
      const { data: names } = await unwrap(service.GET('/public/control/names', { signal }))
      return new Map(names.map(({ chainSlug, address, name, token }) => [keyOf(chainSlug, address), { name, token }]))
    },
    staleTime: 300_000,
  })
