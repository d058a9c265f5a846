import { useQuery } from '@tanstack/react-query'
import { ask, service } from './service.ts'

/** What this installation is; it does not change while a page is open. */
export const useAbout = () =>
  useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => ask(service.GET('/public/about', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
