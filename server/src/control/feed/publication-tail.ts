/**
 * Follows the publication order for many readers: one query reads new publications for all of them.
 *
 * The newest entries stay in memory. A reader takes what it wants when it is ready, so a slow reader delays no other and
 * costs no memory; if it falls behind what is kept, it reads from the database until it has caught up. Every reader has
 * one position in the order, whichever way it reads, so it gets each entry once.
 */
import pLimit from 'p-limit'
import { severityRank } from '../../../../vocabulary/severities.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import type { FeedFilter } from './feed.ts'
import {
  getLastPosition,
  getPublications,
  NOW,
  type PublicationPosition,
  type PublishedEvent,
  readPosition,
} from './publications.ts'

export type PublicationReader = {
  /** Where the reader is: everything up to here was returned or does not match. */
  readonly position: () => PublicationPosition
  /** Returns the next entries that match, or none if none come within `waitMs` or before `signal` aborts. */
  readonly next: (wait: { readonly signal: AbortSignal; readonly waitMs: number }) => Promise<readonly PublishedEvent[]>
  readonly close: () => void
}

export type PublicationTail = {
  /** Opens a reader after a cursor, `BEGINNING` or `NOW`. Throws if the cursor is malformed. */
  readonly open: (filter: FeedFilter, after: string) => Promise<PublicationReader>
  /** Reads new publications. Called after each notification of new events. */
  readonly wake: () => void
  readonly close: () => Promise<void>
}

/** About 10 MB of events. */
const MAX_KEPT = 5_000
const PAGE = 500
/** Entries that a reader gets at once. */
const MAX_TAKEN = 100
/** A notification can be lost, and a backfill sends none. */
const READ_INTERVAL_MS = 5_000
/** Readers that reconnect together must not take every database connection. */
const MAX_CATCHING_UP = 3

export function createPublicationTail({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Logger
}): PublicationTail {
  const catchUp = pLimit(MAX_CATCHING_UP)
  const waiting = new Set<() => void>()
  /** Every entry after `floor` up to `end`, oldest first. */
  let kept: PublishedEvent[] = []
  let floor: PublicationPosition = { position: 0 }
  let end: PublicationPosition = floor
  let readers = 0
  let starting: Promise<void> | undefined
  let reading: Promise<void> | undefined
  let isStale = false
  let closed = false

  const readNew = async (): Promise<void> => {
    for (;;) {
      isStale = false
      const { events, next } = await getPublications(database, { includeInit: true }, { after: end, limit: PAGE })
      if (!isSame(next, end)) {
        kept.push(...events)
        end = next
        const dropped = kept.length - MAX_KEPT
        if (dropped > 0) {
          floor = kept[dropped - 1]?.position ?? floor
          kept = kept.slice(dropped)
        }
        wakeReaders()
      } else if (!isStale) return
      if (closed) return
    }
  }
  const wakeReaders = (): void => {
    const woken = [...waiting]
    waiting.clear()
    for (const resume of woken) resume()
  }
  const wake = (): void => {
    if (closed || readers === 0 || starting !== undefined) return
    isStale = true
    reading ??= readNew()
      .catch((error: unknown) =>
        log.warn({ reason: reasonOf(error) }, 'reading new events for streams failed; retrying at the next interval'),
      )
      .finally(() => {
        reading = undefined
        // A notification may have arrived after the last read.
        if (isStale) wake()
      })
  }
  /** Nothing is read without readers, so the first one starts at the end of the order. */
  const startAtEnd = async (): Promise<void> => {
    await reading
    end = await getLastPosition(database)
    floor = end
    kept = []
  }
  const timer = setInterval(wake, READ_INTERVAL_MS)

  /** Returns whether there may be new entries; false after `ms`. */
  const hasNewsWithin = (ms: number, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (hasNews: boolean): void => {
        clearTimeout(timeout)
        signal.removeEventListener('abort', resume)
        waiting.delete(resume)
        resolve(hasNews)
      }
      const resume = (): void => settle(true)
      const timeout = setTimeout(() => settle(false), ms)
      waiting.add(resume)
      signal.addEventListener('abort', resume)
    })

  function takeKept(after: PublicationPosition, filter: FeedFilter) {
    const first = kept.findLastIndex(({ position }) => !isAfter(position, after)) + 1
    const events: PublishedEvent[] = []
    for (const event of kept.slice(first)) {
      if (!matchesFilter(event, filter)) continue
      events.push(event)
      if (events.length === MAX_TAKEN) return { events, next: event.position }
    }
    return { events, next: isAfter(end, after) ? end : after }
  }

  async function readStored(after: PublicationPosition, filter: FeedFilter) {
    const { events, next } = await catchUp(() => getPublications(database, filter, { after, limit: MAX_TAKEN }))
    // Only after the restore of a backup does nothing follow a position before the kept entries.
    return { events, next: isSame(next, after) ? floor : next }
  }

  return {
    open: async (filter, after) => {
      const given = after === NOW ? undefined : readPosition(after)
      readers++
      try {
        if (readers === 1) starting = startAtEnd().finally(() => (starting = undefined))
        await starting
        wake()
      } catch (error) {
        readers--
        throw error
      }
      let position = given ?? end
      let isOpen = true
      return {
        position: () => position,
        next: async ({ signal, waitMs }) => {
          const deadline = performance.now() + waitMs
          for (;;) {
            if (signal.aborted || closed) return []
            const { events, next } = isAfter(floor, position)
              ? await readStored(position, filter)
              : takeKept(position, filter)
            const isCaughtUp = isSame(next, position)
            position = next
            if (events.length > 0) return events
            if (isCaughtUp && !(await hasNewsWithin(Math.max(0, deadline - performance.now()), signal))) return []
          }
        },
        close: () => {
          if (isOpen) readers--
          isOpen = false
        },
      }
    },
    wake,
    close: async () => {
      closed = true
      clearInterval(timer)
      wakeReaders()
      await reading
    },
  }
}

/** A position without an entry is after every entry of its publication. */
const isAfter = (a: PublicationPosition, b: PublicationPosition): boolean =>
  a.position > b.position ||
  (a.position === b.position && (a.entry ?? Number.POSITIVE_INFINITY) > (b.entry ?? Number.POSITIVE_INFINITY))

const isSame = (a: PublicationPosition, b: PublicationPosition): boolean =>
  a.position === b.position && a.entry === b.entry

/** What the SQL of the feed selects, for an event in memory. */
export const matchesFilter = (event: PublishedEvent, filter: FeedFilter): boolean =>
  (filter.chainId === undefined || event.chainId === filter.chainId) &&
  (filter.address === undefined || event.address === filter.address) &&
  (filter.key === undefined || event.eventKey === filter.key) &&
  (filter.category === undefined || event.category === filter.category) &&
  (filter.includeInit || !event.isInit) &&
  severityRank(event.severity) >= severityRank(filter.minSeverity ?? 'info')
