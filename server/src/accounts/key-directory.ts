/**
 * Finds the holder of an API key, from a cache where possible.
 *
 * Every change of a key or a plan is notified to all processes, which drop the entry at once. While the connection for
 * notifications is lost, nothing is served from the cache. Concurrent lookups of one key share a single query, so that
 * many requests with an uncached key do not take every database connection.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Database } from '../platform/database.ts'
import { listen } from '../platform/notifications.ts'
import { findHolder, isExpired, type KeyHolder } from './api-keys.ts'

export type KeyDirectory = {
  /** The holder of an active key. */
  readonly find: (hash: string) => Promise<KeyHolder | undefined>
  /** As `find`, if the key is cached. Most requests find theirs here, without a promise. */
  readonly findCached: (hash: string) => KeyHolder | undefined
  readonly close: () => Promise<void>
}

/** Enough for every key in daily use. */
const MAX_CACHED = 20_000

export async function openKeyDirectory({
  database,
  url,
  clock,
  log,
}: {
  readonly database: Database
  readonly url: string
  readonly clock: Clock
  readonly log: Logger
}): Promise<KeyDirectory> {
  const cached = new LRUCache<string, KeyHolder>({ max: MAX_CACHED })
  /** Queries under way. A change drops them as well, because they may have read the row before it. */
  const pending = new Map<string, Promise<KeyHolder | undefined>>()
  let changes = 0
  const notifications = await listen({
    url,
    channel: 'key_changed',
    log,
    onNotification: (hash) => {
      changes++
      cached.delete(hash)
      pending.delete(hash)
    },
    onLost: () => {
      changes++
      cached.clear()
      pending.clear()
    },
  })

  async function read(hash: string): Promise<KeyHolder | undefined> {
    const [changesBefore, wasListening] = [changes, notifications.isListening()]
    const holder = await findHolder(database, hash)
    // A change during the query may make its result stale: it is returned, but not cached.
    if (holder !== undefined && wasListening && notifications.isListening() && changes === changesBefore)
      cached.set(hash, holder)
    return holder
  }

  async function readOnce(hash: string): Promise<KeyHolder | undefined> {
    const query = pending.get(hash) ?? read(hash)
    if (notifications.isListening()) pending.set(hash, query)
    try {
      return await query
    } finally {
      if (pending.get(hash) === query) pending.delete(hash)
    }
  }

  const active = (holder: KeyHolder | undefined): KeyHolder | undefined =>
    holder === undefined || isExpired(holder, clock.now()) ? undefined : holder

  return {
    find: async (hash) => active(cached.get(hash) ?? (await readOnce(hash))),
    findCached: (hash) => active(cached.get(hash)),
    close: notifications.close,
  }
}
