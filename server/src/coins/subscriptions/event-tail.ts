/** Follows the events of accounts for streams: a notification names the accounts with new events. */
import pLimit from 'p-limit'
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import { listen } from '../../platform/notifications.ts'
import { COIN_EVENTS_CHANNEL, findLastPosition, getCoinEvents, type PositionedEvent } from './event-store.ts'

export type CoinEventReader = {
  /** Where the reader is: everything up to here was returned. */
  readonly position: () => number
  /** Returns the next events, or none if none come within `waitMs` or before `signal` aborts. */
  readonly next: (wait: {
    readonly signal: AbortSignal
    readonly waitMs: number
  }) => Promise<readonly PositionedEvent[]>
}

export type CoinEventTail = {
  /** Opens a reader of an account after a position; by default after the last one. */
  readonly open: (accountId: string, after?: number) => Promise<CoinEventReader>
  readonly close: () => Promise<void>
}

/** Events that a reader gets at once. */
const MAX_TAKEN = 100
/** Readers that continue together must not take every database connection. */
const MAX_READING = 3

export async function openCoinEventTail({
  database,
  url,
  log,
}: {
  readonly database: Database
  readonly url: string
  readonly log: Logger
}): Promise<CoinEventTail> {
  const limited = pLimit(MAX_READING)
  /** Readers that wait, by account. */
  const waiting = new Map<string, Set<() => void>>()
  const wake = (accountIds: Iterable<string>): void => {
    for (const id of accountIds) for (const resume of waiting.get(id) ?? []) resume()
  }
  const notifications = await listen({
    url,
    channel: COIN_EVENTS_CHANNEL,
    log,
    // Without names, every account may have new events.
    onNotification: (payload) => wake(payload === '' ? [...waiting.keys()] : payload.split(' ')),
    onLost: () => wake([...waiting.keys()]),
  })

  function waitFor(accountId: string, ms: number, signal: AbortSignal): { until: Promise<void>; end: () => void } {
    const { promise: until, resolve } = Promise.withResolvers<void>()
    const own = waiting.get(accountId) ?? new Set()
    waiting.set(accountId, own.add(resolve))
    const timeout = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(), { once: true })
    const end = (): void => {
      clearTimeout(timeout)
      own.delete(resolve)
      if (own.size === 0) waiting.delete(accountId)
    }
    return { until, end }
  }

  return {
    open: async (accountId, after) => {
      let position = after ?? (await limited(() => findLastPosition(database, accountId)))
      return {
        position: () => position,
        next: async ({ signal, waitMs }) => {
          // Before the read, so that events which are stored meanwhile end the wait.
          const { until, end } = waitFor(accountId, waitMs, signal)
          const read = () => limited(() => getCoinEvents(database, accountId, { after: position, limit: MAX_TAKEN }))
          try {
            let events = await read()
            if (events.length === 0) {
              await until
              if (signal.aborted) return []
              events = await read()
            }
            position = events.at(-1)?.position ?? position
            return events
          } finally {
            end()
          }
        },
      }
    },
    close: notifications.close,
  }
}
