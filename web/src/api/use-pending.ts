import { useInfiniteQuery } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { service, unwrap } from './service.ts'

export type PendingChange = Schemas['PendingChange']

export type PendingQuery = { readonly chain?: string; readonly state?: 'open' | 'closed' }

const PAGE_SIZE = 50
const REFRESH_MS = 15_000

/** Queued changes, fetched again every few seconds: states change without an event. */
export const usePending = (query: PendingQuery, limit = PAGE_SIZE) =>
  useInfiniteQuery({
    queryKey: ['control', 'pending', query, limit],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        service.GET('/public/control/pending', {
          params: { query: { ...query, limit, ...(pageParam !== undefined && { cursor: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: REFRESH_MS,
  })
