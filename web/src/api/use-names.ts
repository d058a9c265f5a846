/** Names of watched contracts. */
import { useQuery } from '@tanstack/react-query'
import { service, unwrap } from './service.ts'

const keyOf = (chain: string, address: string): string => `${chain} ${address.toLowerCase()}`

/** Returns a lookup of names. Accounts are shown by address until the names have loaded, and if they have none. */
export function useNames(): (chain: string, address: string) => string | undefined {
  const { data } = useQuery({
    queryKey: ['control', 'names'],
    queryFn: async ({ signal }) => {
      const { data: names } = await unwrap(service.GET('/public/control/names', { signal }))
      return new Map(names.map(({ chainSlug, address, name }) => [keyOf(chainSlug, address), name]))
    },
    staleTime: 300_000,
  })
  return (chain, address) => data?.get(keyOf(chain, address))
}
