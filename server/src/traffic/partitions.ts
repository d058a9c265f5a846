/**
 * The partitions of the request log, one for each UTC day: created ahead of time, dropped when they are older than the
 * operator wants to keep.
 */
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { type Database, inTransaction, type Queryable } from '../platform/database.ts'
import { identifier, literal, sql } from '../platform/sql.ts'
import { DAY_MS, HOUR_MS, oldestHour } from './time-range.ts'

/** Creating and dropping partitions locks the whole table. An attempt that does not get the lock soon is repeated later. */
const LOCK_TIMEOUT = sql`2s`
/** Serializes processes that create the same partition. */
const PARTITION_LOCK = 7_438_003
/** Days created ahead, so that the log can be written even after a weekend without maintenance. */
const DAYS_AHEAD = 3

const dayName = (day: number): string => new Date(day).toISOString().slice(0, 10)
const nameOf = (day: number): string => `request_log_${dayName(day).replaceAll('-', '')}`

/** Creates the missing partitions of the given days (midnights in UTC). */
export async function createPartitions(database: Database, days: readonly number[]): Promise<void> {
  const existing = new Set((await getPartitions(database)).map(({ day }) => day))
  const missing = days.filter((day) => !existing.has(day))
  if (missing.length === 0) return
  await withLock(database, async (client) => {
    for (const day of missing)
      await client.query(
        sql`create table if not exists ${identifier(nameOf(day))} partition of request_log
         for values from (${literal(`${dayName(day)} 00:00+00`)}) to (${literal(`${dayName(day + DAY_MS)} 00:00+00`)})`,
      )
  })
}

/** Drops the partitions of days before `oldestDay` and returns their names. */
export async function dropPartitions(database: Database, oldestDay: number): Promise<readonly string[]> {
  const old = (await getPartitions(database)).filter(({ day }) => day < oldestDay)
  if (old.length > 0)
    await withLock(database, async (client) => {
      for (const { name } of old) await client.query(sql`drop table if exists ${identifier(name)}`)
    })
  return old.map(({ name }) => name)
}

/** Returns all partitions, oldest first. */
export async function getPartitions(
  database: Queryable,
): Promise<readonly { readonly name: string; readonly day: number }[]> {
  const { rows } = await database.query<{ name: string }>(
    sql`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'request_log'::regclass order by c.relname`,
  )
  return rows.map(({ name }) => {
    const [, year, month, day] = /^request_log_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
    return { name, day: Date.UTC(Number(year), Number(month) - 1, Number(day)) }
  })
}

async function withLock(database: Database, work: (client: Queryable) => Promise<void>): Promise<void> {
  await inTransaction(database, async (client) => {
    await client.query(sql`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query(sql`select pg_advisory_xact_lock($1)`, [PARTITION_LOCK])
    await work(client)
  })
}

export type MaintenanceOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  /** Days of the log to keep, including today. */
  readonly days: number
}

/** Creates the partitions of the next days; drops old partitions, hourly rollups and writers that have ended. */
export async function maintainRequestLog({ database, clock, log, days }: MaintenanceOptions): Promise<void> {
  const today = clock.now() - (clock.now() % DAY_MS)
  await createPartitions(
    database,
    Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => today + ahead * DAY_MS),
  )
  const dropped = await dropPartitions(database, today - (days - 1) * DAY_MS)
  if (dropped.length > 0) log.info({ dropped }, 'dropped old partitions of the request log')
  await database.query(sql`delete from request_hour where starts_at < $1`, [new Date(oldestHour(clock.now(), days))])
  await database.query(sql`delete from request_log_writer where last_at < now() - interval '1 day'`)
}

/** Runs the maintenance at once and then every hour. A failed run is repeated an hour later. */
export function runMaintenance(options: MaintenanceOptions): { readonly stop: () => Promise<void> } {
  let running = Promise.resolve()
  const maintain = () => {
    running = maintainRequestLog(options).catch((error: unknown) =>
      options.log.warn({ err: error }, 'maintenance of the request log failed; it runs again in an hour'),
    )
  }
  maintain()
  const timer = setInterval(maintain, HOUR_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
