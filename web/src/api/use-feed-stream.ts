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

/** With the number of the line it came over: one that was opened anew knows nothing of what the last one missed. */
type Heard = ControlEvent & { readonly line: number }

export type News = {
  /** Newest first. */
  readonly published: readonly Heard[]
  readonly retracted: ReadonlySet<number>
  readonly line: Line
}

/** Whether news arrive: not yet, as they happen, or not any more. */
export type Line = 'connecting' | 'live' | 'lost'

const NOTHING: News = { published: [], retracted: new Set(), line: 'connecting' }
/** A browser tries again by itself, but not where something answered for a service that is down. */
const REOPEN_MS = 5_000
/** A page that stays open for days. */
const MOST_KEPT = 500

/**
 * `key` is what the events shown were fetched by. Only a window that is seen listens: a browser keeps six lines to a
 * service, and who opens contracts in tabs would wait for the seventh for ever.
 */
export function useFeedStream(filter: EventFilter, key: readonly unknown[] = feedKey(filter)): News {
  const [news, setNews] = useState(NOTHING)
  const client = useQueryClient()
  const asText = writeFilter(filter)
  useEffect(() => {
    setNews((before) => ({ ...NOTHING, line: before.line }))
    let source: EventSource | undefined
    let reopening: number | undefined
    let lines = 0
    const open = () => {
      const opened = new EventSource('/public/control/stream')
      source = opened
      opened.addEventListener('open', () => {
        lines += 1
        const own = lines
        setNews((before) => ({ ...before, line: 'live' }))
        // Whatever happened before we listened. What an earlier line told may have been taken back unheard.
        void client.invalidateQueries({ queryKey: key }).then(() => setNews((before) => heardSince(before, own)))
      })
      opened.addEventListener('error', () => {
        setNews((before) => ({ ...before, line: 'lost' }))
        if (opened.readyState === EventSource.CLOSED) reopening = window.setTimeout(open, REOPEN_MS)
      })
      opened.addEventListener('published', ({ data }: MessageEvent<string>) => {
        const event = JSON.parse(data) as ControlEvent
        if (!matches(event, filter)) return
        const heard = { ...event, line: lines }
        setNews((before) => ({ ...before, published: [heard, ...before.published].slice(0, MOST_KEPT) }))
      })
      opened.addEventListener('retracted', ({ data }: MessageEvent<string>) => {
        const { id } = JSON.parse(data) as { id: number }
        setNews((before) => ({ ...before, retracted: new Set(before.retracted).add(id) }))
      })
    }
    const close = () => {
      window.clearTimeout(reopening)
      source?.close()
      source = undefined
    }
    const onSeen = () => {
      if (document.visibilityState === 'hidden') close()
      else if (source === undefined) open()
    }
    onSeen()
    document.addEventListener('visibilitychange', onSeen)
    return () => {
      document.removeEventListener('visibilitychange', onSeen)
      close()
    }
    // The filter by its words: the object is a new one with every render.
  }, [asText, client])
  return news
}

const heardSince = (news: News, line: number): News => ({
  ...news,
  published: news.published.filter((heard) => heard.line >= line),
})

/** What was fetched and what arrived since, each event once, newest first, without what was taken back. */
export function withNews(fetched: readonly ControlEvent[], news: News): readonly ControlEvent[] {
  const known = new Set(fetched.map(({ id }) => id))
  const fresh = news.published.filter(({ id }) => !known.has(id))
  return [...fresh, ...fetched]
    .filter(({ id }) => !news.retracted.has(id))
    .sort((a, b) => (a.blockTime === b.blockTime ? b.id - a.id : a.blockTime < b.blockTime ? 1 : -1))
}
