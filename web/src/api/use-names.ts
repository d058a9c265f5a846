/** What people call the contracts under watch: an account with a name is told by it. */
import { useQuery } from '@tanstack/react-query'
import { ask, service } from './service.ts'

const keyOf = (chain: string, address: string): string => `${chain} ${address.toLowerCase()}`

/** Names come after everything else: until then, and where there is none, accounts are told by their address. */
export function useNames(): (chain: string, address: string) => string | undefined {
  const { data } = useQuery({
    queryKey: ['control', 'names'],
    queryFn: async ({ signal }) => {
      const { data: names } = await ask(service.GET('/public/control/names', { signal }))
      return new Map(names.map(({ chainSlug, address, name }) => [keyOf(chainSlug, address), name]))
    },
    staleTime: 300_000,
  })
  return (chain, address) => data?.get(keyOf(chain, address))
}
