import { useInfiniteQuery } from '@tanstack/react-query'
import { type EventFilter, writeFilter } from './event-filter.ts'
import { ask, service } from './service.ts'

const PAGE = 50

export const feedKey = (filter: EventFilter) => ['control', 'events', writeFilter(filter)] as const

/** The feed, page after page. */
export const useFeed = (filter: EventFilter) =>
  useInfiniteQuery({
    queryKey: feedKey(filter),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }
      return ask(service.GET('/public/control/events', { params: { query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
