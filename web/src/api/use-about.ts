import { useQuery } from '@tanstack/react-query'
import { whyNoContracts } from '../text/not-shown.ts'
import { ask, service } from './service.ts'

/** What this installation is; it does not change while a page is open. */
export const useAbout = () =>
  useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => ask(service.GET('/public/about', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Why there are no contracts here; undefined where there are, and until it is known. */
export function useNoContracts(): string | undefined {
  const { data } = useAbout()
  return data === undefined ? undefined : whyNoContracts(data)
}
