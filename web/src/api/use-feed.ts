/** The control feed: pages fetched on request, and live events over a server-sent event stream. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type EventFilter, matches, writeFilter } from './event-filter.ts'
import { type ControlEvent, service, unwrap } from './service.ts'

const PAGE_SIZE = 50

const feedKey = (filter: EventFilter) => ['control', 'events', writeFilter(filter)] as const

export const useFeed = (filter: EventFilter, isEnabled = true) =>
  useInfiniteQuery({
    enabled: isEnabled,
    queryKey: feedKey(filter),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) }
      return unwrap(service.GET('/public/control/events', { params: { query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

/** With the number of the connection that delivered it, counted from 1. */
type LiveEvent = ControlEvent & { readonly connectionNumber: number }

export type Connection = 'connecting' | 'live' | 'lost'

/** The events published and retracted since the page was opened. */
export type LiveEvents = {
  /** Newest first. */
  readonly published: readonly LiveEvent[]
  readonly retracted: ReadonlySet<number>
  readonly connection: Connection
}

const NO_EVENTS: LiveEvents = { published: [], retracted: new Set(), connection: 'connecting' }
/** Browsers reconnect on their own, but not after an error response. */
const RECONNECT_MS = 5_000
const MAX_LIVE_EVENTS = 500

/**
 * Collects the live events that match the filter. `key` is the query that fetched the events on the page; it is fetched
 * again after every connect, because events may have been missed.
 *
 * The stream is open only while the tab is visible: a browser opens at most six connections to a host, and streams of
 * background tabs would use them up.
 */
export function useLiveEvents(filter: EventFilter, key: readonly unknown[] = feedKey(filter)): LiveEvents {
  const [live, setLive] = useState(NO_EVENTS)
  const client = useQueryClient()
  const filterText = writeFilter(filter)
  useEffect(() => {
    setLive((before) => ({ ...NO_EVENTS, connection: before.connection }))
    let source: EventSource | undefined
    let reconnectTimer: number | undefined
    let connectionNumber = 0
    const open = () => {
      const opened = new EventSource('/public/control/stream')
      source = opened
      opened.addEventListener('open', () => {
        connectionNumber += 1
        const current = connectionNumber
        setLive((before) => ({ ...before, connection: 'live' }))
        // Events of earlier connections may have been retracted in the meantime: only the fetched list is right.
        void client
          .invalidateQueries({ queryKey: key })
          .then(() => setLive((before) => withoutEarlierConnections(before, current)))
      })
      opened.addEventListener('error', () => {
        setLive((before) => ({ ...before, connection: 'lost' }))
        if (opened.readyState === EventSource.CLOSED) reconnectTimer = window.setTimeout(open, RECONNECT_MS)
      })
      opened.addEventListener('published', ({ data }: MessageEvent<string>) => {
        const event = JSON.parse(data) as ControlEvent
        if (!matches(event, filter)) return
        const added = { ...event, connectionNumber }
        setLive((before) => ({ ...before, published: [added, ...before.published].slice(0, MAX_LIVE_EVENTS) }))
      })
      opened.addEventListener('retracted', ({ data }: MessageEvent<string>) => {
        const { id } = JSON.parse(data) as { id: number }
        setLive((before) => ({ ...before, retracted: new Set(before.retracted).add(id) }))
      })
    }
    const close = () => {
      window.clearTimeout(reconnectTimer)
      source?.close()
      source = undefined
    }
    const onVisibilityChange = () => {
      if (document.visibilityState === 'hidden') close()
      else if (source === undefined) open()
    }
    onVisibilityChange()
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange)
      close()
    }
    // The filter as text: the object is a new one with every render.
  }, [filterText, client])
  return live
}

const withoutEarlierConnections = (live: LiveEvents, current: number): LiveEvents => ({
  ...live,
  published: live.published.filter(({ connectionNumber }) => connectionNumber >= current),
})

/** Merges fetched and live events: each event once, newest first, without retracted events. */
export function mergeLiveEvents(fetched: readonly ControlEvent[], live: LiveEvents): readonly ControlEvent[] {
  const fetchedIds = new Set(fetched.map(({ id }) => id))
  const added = live.published.filter(({ id }) => !fetchedIds.has(id))
  return [...added, ...fetched]
    .filter(({ id }) => !live.retracted.has(id))
    .sort((a, b) => (a.blockTime === b.blockTime ? b.id - a.id : a.blockTime < b.blockTime ? 1 : -1))
}
