/**
 * News, as the service tells them: events that were published and events that were taken back since the page opened.
 *
 * The list that is on screen is fetched; what arrives here is kept beside it until the next fetch.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type EventFilter, matches, writeFilter } from './event-filter.ts'
import type { ControlEvent } from './service.ts'
import { feedKey } from './use-feed.ts'

export type News = {
  /** Newest first. */
  readonly published: readonly ControlEvent[]
  readonly retracted: ReadonlySet<number>
  readonly line: Line
  /** How often the line was opened: after the first time something may have been missed. */
  readonly openings: number
}

/** Whether news arrive: not yet, as they happen, or not any more. */
export type Line = 'connecting' | 'live' | 'lost'

const NOTHING: News = { published: [], retracted: new Set(), line: 'connecting', openings: 0 }
/** A browser tries again by itself, but not where something answered for a service that is down. */
const REOPEN_MS = 5_000
/** A page that stays open for days. */
const MOST_KEPT = 500

export function useFeedStream(filter: EventFilter): News {
  const [news, setNews] = useState(NOTHING)
  const client = useQueryClient()
  const asText = writeFilter(filter)
  useEffect(() => {
    setNews((before) => ({ ...NOTHING, line: before.line }))
    let source: EventSource | undefined
    let reopening: number | undefined
    const open = () => {
      const opened = new EventSource('/public/control/stream')
      source = opened
      opened.addEventListener('open', () => {
        setNews((before) => ({ ...before, line: 'live', openings: before.openings + 1 }))
        // Whatever happened before we listened.
        void client.invalidateQueries({ queryKey: feedKey(filter) })
      })
      opened.addEventListener('error', () => {
        setNews((before) => ({ ...before, line: 'lost' }))
        if (opened.readyState === EventSource.CLOSED) reopening = window.setTimeout(open, REOPEN_MS)
      })
      opened.addEventListener('published', ({ data }: MessageEvent<string>) => {
        const event = JSON.parse(data) as ControlEvent
        if (!matches(event, filter)) return
        setNews((before) => ({ ...before, published: [event, ...before.published].slice(0, MOST_KEPT) }))
      })
      opened.addEventListener('retracted', ({ data }: MessageEvent<string>) => {
        const { id } = JSON.parse(data) as { id: number }
        setNews((before) => ({ ...before, retracted: new Set(before.retracted).add(id) }))
      })
    }
    open()
    return () => {
      window.clearTimeout(reopening)
      source?.close()
    }
    // The filter by its words: the object is a new one with every render.
  }, [asText, client])
  return news
}

/** What was fetched and what arrived since, each event once, newest first, without what was taken back. */
export function withNews(fetched: readonly ControlEvent[], news: News): readonly ControlEvent[] {
  const known = new Set(fetched.map(({ id }) => id))
  const fresh = news.published.filter(({ id }) => !known.has(id))
  return [...fresh, ...fetched]
    .filter(({ id }) => !news.retracted.has(id))
    .sort((a, b) => (a.blockTime === b.blockTime ? b.id - a.id : a.blockTime < b.blockTime ? 1 : -1))
}
