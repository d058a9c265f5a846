/**
 * Reading from a replica, and from the primary while the replica is away.
 *
 * Only for statements that read: what the replica could not answer is asked once more.
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

/** A replica that is away is left alone this long, or every request would wait for it first. */
const REST_MS = 5_000

export function readsFrom({ replica, primary, log, clock }: ReplicaDeps): ReadDatabase {
  let restsUntil = 0
  const first = async <T>(ask: (database: Database) => Promise<T>): Promise<T> => {
    if (clock.now() < restsUntil) return await ask(primary)
    try {
      const answer = await ask(replica)
      if (restsUntil > 0) log.info('the read replica answers again')
      restsUntil = 0
      return answer
    } catch (error) {
      if (!isAway(error)) throw error
      if (restsUntil === 0) log.warn({ reason: reasonOf(error) }, 'the read replica is away; reading from the primary')
      restsUntil = clock.now() + REST_MS
      return await ask(primary)
    }
  }
  // The pool's own ways to ask, in all their forms.
  const query = (...asked: unknown[]) => first((database) => (database.query as Asking).apply(database, asked))
  const connect = () => first((database) => database.connect())
  return { query: query as ReadDatabase['query'], connect: connect as ReadDatabase['connect'] }
}

type Asking = (...asked: unknown[]) => Promise<unknown>

/** 40001: the replica canceled the statement because it conflicts with what it replays from the primary. */
const isAway = (error: unknown): boolean => isStoreOutage(error) || systemCodeOf(error) === '40001'
