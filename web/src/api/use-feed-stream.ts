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
  readonly isLive: boolean
}

const NOTHING: News = { published: [], retracted: new Set(), isLive: false }
/** A page that stays open for days. */
const MOST_KEPT = 500

export function useFeedStream(filter: EventFilter): News {
  const [news, setNews] = useState(NOTHING)
  const client = useQueryClient()
  const asText = writeFilter(filter)
  useEffect(() => {
    setNews((before) => ({ ...NOTHING, isLive: before.isLive }))
    const source = new EventSource('/public/control/stream')
    source.addEventListener('open', () => {
      setNews((before) => ({ ...before, isLive: true }))
      // Whatever happened before we listened.
      void client.invalidateQueries({ queryKey: feedKey(filter) })
    })
    source.addEventListener('error', () => setNews((before) => ({ ...before, isLive: false })))
    source.addEventListener('published', ({ data }: MessageEvent<string>) => {
      const event = JSON.parse(data) as ControlEvent
      if (!matches(event, filter)) return
      setNews((before) => ({ ...before, published: [event, ...before.published].slice(0, MOST_KEPT) }))
    })
    source.addEventListener('retracted', ({ data }: MessageEvent<string>) => {
      const { id } = JSON.parse(data) as { id: number }
      setNews((before) => ({ ...before, retracted: new Set(before.retracted).add(id) }))
    })
    return () => source.close()
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
