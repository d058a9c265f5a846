import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { service, unwrap } from './service.ts'

export type Plans = Schemas['Plans']

/** The plans of both APIs. They do not change while a page is open. */
export const usePlans = () =>
  useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => unwrap(service.GET('/public/plans', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
