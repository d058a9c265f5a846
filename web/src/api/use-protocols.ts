import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { service, unwrap } from './service.ts'

export const useProtocols = () =>
  useQuery({
    queryKey: ['control', 'protocols'],
    queryFn: async ({ signal }) => (await unwrap(service.GET('/public/control/protocols', { signal }))).data,
  })

export const useProtocol = (slug: string) =>
  useQuery({
    queryKey: ['control', 'protocol', slug],
    queryFn: async ({ signal }) =>
      (await unwrap(service.GET('/public/control/protocols/{slug}', { params: { path: { slug } }, signal }))).data,
  })

/** More than the page of the protocol has already. */
const EVENTS_PER_PAGE = 100

/** All events of a protocol, newest first. */
export const useProtocolEvents = (slug: string, isEnabled: boolean) =>
  useInfiniteQuery({
    enabled: isEnabled,
    queryKey: ['control', 'protocol', slug, 'events'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        service.GET('/public/control/protocols/{slug}/events', {
          params: {
            path: { slug },
            query: { limit: EVENTS_PER_PAGE, ...(pageParam !== undefined && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const useOverview = () =>
  useQuery({
    queryKey: ['control', 'overview'],
    queryFn: async ({ signal }) => (await unwrap(service.GET('/public/control/overview', { signal }))).data,
    refetchInterval: 60_000,
  })

/** How long each chain was up to date on past days. */
export const useStatusHistory = () =>
  useQuery({
    queryKey: ['status', 'history'],
    queryFn: async ({ signal }) => (await unwrap(service.GET('/public/status/history', { signal }))).data,
    refetchInterval: 60_000,
  })

export const useStatus = () =>
  useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => unwrap(service.GET('/public/status', { signal })),
    refetchInterval: 10_000,
  })
