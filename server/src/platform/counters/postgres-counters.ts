/**
 * Counters in PostgreSQL: one statement for all demands that arrived together. Its grants are known before it commits.
 *
 * These statements have a connection of their own until the counters are closed. To take it from the pool each time needs
 * timers, listeners and promises.
 */

import type { Month } from '../../lib/clock.ts'
import type { Database, DatabaseClient } from '../database.ts'
import { isStoreOutage } from '../errors.ts'
import { sql } from '../sql.ts'
import type { CounterStore, Demand, Grant, Usage } from './counters.ts'

export function postgresCounters(database: Database): CounterStore {
  let held: DatabaseClient | undefined
  let connecting: Promise<DatabaseClient> | undefined

  const connect = async (): Promise<DatabaseClient> => {
    const client = await database.connect()
    held = client
    client.once('end', () => release(client, true))
    return client
  }
  const hold = (): Promise<DatabaseClient> => {
    connecting ??= connect().finally(() => (connecting = undefined))
    return connecting
  }
  const release = (client: DatabaseClient | undefined, isBroken: boolean): void => {
    if (held !== client) return
    held = undefined
    client?.release(isBroken)
  }

  return {
    take: async (demands, at, month, onKnown) => {
      // Sorted: two batches that lock rows in opposite order would deadlock.
      const sorted = demands.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
      const statement = {
        name: 'take_requests',
        text: sql`select subject, granted, refused_by, window_opens_at, month_total
          from take_requests($1, $2, $3, $4, $5, $6, $7)`,
        values: [
          arrayText(sorted, ({ subject }) => `"${subject.replaceAll(/["\\]/g, '\\$&')}"`),
          arrayText(sorted, ({ count }) => count),
          arrayText(sorted, ({ perWindow }) => perWindow),
          arrayText(sorted, ({ windowMs }) => windowMs),
          arrayText(sorted, ({ perMonth }) => perMonth ?? 'null'),
          String(at),
          firstDayOf(month),
        ],
      }
      const known = new Map<string, Grant>()
      const grants = () =>
        demands.map(({ subject }) => {
          const grant = known.get(subject)
          if (grant === undefined) throw new Error('take_requests left a subject out')
          return grant
        })
      const client = held ?? (await hold())
      try {
        await client.queryAhead(statement, (columns) => {
          known.set(String(columns[0]), grantOf(columns))
          if (known.size === demands.length) onKnown?.(grants())
        })
        return grants()
      } catch (error) {
        release(client, true)
        throw error
      }
    },
    giveBack: async (returns) => {
      const sorted = returns.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
      let client: DatabaseClient
      try {
        client = await database.connect()
      } catch (error) {
        if (isStoreOutage(error)) return false
        throw error
      }
      try {
        await client.query({
          name: 'return_requests',
          text: sql`select return_requests($1, $2, $3, $4, $5)`,
          values: [
            sorted.map(({ subject }) => subject),
            sorted.map(({ count }) => count),
            sorted.map(({ grantedAt }) => grantedAt),
            sorted.map(({ stepMs }) => stepMs),
            sorted.map(({ month }) => firstDayOf(month)),
          ],
        })
        client.release()
        return true
      } catch (error) {
        client.release(true)
        throw error
      }
    },
    usageOf: async (subjects, month) => {
      const { rows } = await database.query<{ subject: string; used: number; last_at: Date }>(
        sql`select subject, case when month = $2 then month_used - month_returned else 0 end as used, last_at
         from request_counter where subject = any($1)`,
        [subjects, firstDayOf(month)],
      )
      return new Map(
        rows.map((row): [string, Usage] => [row.subject, { monthUsed: row.used, lastAt: row.last_at.getTime() }]),
      )
    },
    close: async () => release(held, false),
  }
}

/** Deletes the counters of subjects that start with `prefix` and were not used for a day. */
export async function deleteIdleCounters(database: Database, prefix: string): Promise<void> {
  // A counter that is locked is in use. Waiting for it could deadlock: a batch locks several, in its own order.
  await database.query(
    sql`delete from request_counter where subject in (select subject from request_counter
       where starts_with(subject, $1) and last_at < now() - interval '1 day' for update skip locked)`,
    [prefix],
  )
}

const firstDayOf = (month: Month): string => `${month.name}-01`

const grantOf = ([, granted, refusedBy, windowOpensAt, monthUsed]: readonly (string | null)[]): Grant => ({
  granted: Number(granted),
  refusedBy: refusedBy as Grant['refusedBy'],
  windowOpensAt: Number(windowOpensAt),
  monthUsed: Number(monthUsed),
})

/** An array of one value per demand, in PostgreSQL's text format. */
const arrayText = (demands: readonly Demand[], textOf: (demand: Demand) => string | number): string =>
  `{${demands.map(textOf).join(',')}}`
