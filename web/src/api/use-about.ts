import { useQuery } from '@tanstack/react-query'
import { noContractsReason } from '../text/unavailable.ts'
import { service, unwrap } from './service.ts'

/** The version, chains and options of the service. They do not change while a page is open. */
export const useAbout = () =>
  useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => unwrap(service.GET('/public/about', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Why the service shows no contracts. Undefined if it does, and until that is known. */
export function useNoContractsReason(): string | undefined {
  const { data } = useAbout()
  return data === undefined ? undefined : noContractsReason(data)
}
