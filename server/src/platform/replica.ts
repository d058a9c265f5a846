/**
 * Reads from a replica, and from the primary while the replica is unavailable.
 *
 * Only for statements that read: one that fails on the replica is repeated on the primary.
 */
import type { Clock } from '../lib/clock.ts'
import { reasonOf, systemCodeOf } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import type { Database, ReadDatabase } from './database.ts'
import { isStoreOutage } from './errors.ts'

export type ReplicaDeps = {
  readonly replica: Database
  readonly primary: Database
  readonly log: Logger
  readonly clock: Clock
}

/** The replica is not tried for this long after a failure, so that not every request waits for it. */
const PAUSE_MS = 5_000

export function preferReplica({ replica, primary, log, clock }: ReplicaDeps): ReadDatabase {
  let pausedUntil = 0
  const tryReplica = async <T>(read: (database: Database) => Promise<T>): Promise<T> => {
    if (clock.now() < pausedUntil) return await read(primary)
    try {
      const result = await read(replica)
      if (pausedUntil > 0) log.info('the read replica is available again')
      pausedUntil = 0
      return result
    } catch (error) {
      if (!isReplicaFault(error)) throw error
      if (pausedUntil === 0)
        log.warn({ reason: reasonOf(error) }, 'the read replica is unavailable; reading from the primary')
      pausedUntil = clock.now() + PAUSE_MS
      return await read(primary)
    }
  }
  const query = (...args: unknown[]) => tryReplica((database) => (database.query as AnyQuery).apply(database, args))
  const connect = () => tryReplica((database) => database.connect())
  return { query: query as ReadDatabase['query'], connect }
}

type AnyQuery = (...args: unknown[]) => Promise<unknown>

/** 40001: the replica canceled the statement because it conflicts with what it replays from the primary. */
export const isReplicaFault = (error: unknown): boolean => isStoreOutage(error) || systemCodeOf(error) === '40001'
