/** SQL of the log's partitions, one for each UTC day, and of everything else that grows old here. */

import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { identifier, literal, sql } from '../../platform/sql.ts'
import { DAY_MS } from '../rollup.ts'

/** Making and dropping partitions needs the whole table for a moment; whoever cannot have it soon tries again later. */
const LOCK_WITHIN = sql`2s`
/** Two processes that make the same partition at once would trip over each other. */
const PARTITION_LOCK = 7_438_003

const dayName = (day: number): string => new Date(day).toISOString().slice(0, 10)
const nameOf = (day: number): string => `request_log_${dayName(day).replaceAll('-', '')}`

/** `days` are midnights in UTC; a partition that exists stays as it is. */
export async function makePartitions(database: Database, days: readonly number[]): Promise<void> {
  const existing = new Set((await getPartitions(database)).map(({ day }) => day))
  const missing = days.filter((day) => !existing.has(day))
  if (missing.length === 0) return
  await alone(database, async (client) => {
    for (const day of missing)
      await client.query(
        sql`create table if not exists ${identifier(nameOf(day))} partition of request_log
         for values from (${literal(`${dayName(day)} 00:00+00`)}) to (${literal(`${dayName(day + DAY_MS)} 00:00+00`)})`,
      )
  })
}

/** Drops the log of days before `oldestDay`, and says which. */
export async function dropPartitions(database: Database, oldestDay: number): Promise<readonly string[]> {
  const old = (await getPartitions(database)).filter(({ day }) => day < oldestDay)
  if (old.length > 0)
    await alone(database, async (client) => {
      for (const { name } of old) await client.query(sql`drop table if exists ${identifier(name)}`)
    })
  return old.map(({ name }) => name)
}

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

/** Hours from before `oldestHour`, and writers that have not written for a day: they ended. */
export async function forgetOld(database: Queryable, oldestHour: number): Promise<void> {
  await database.query(sql`delete from request_hour where starts_at < $1`, [new Date(oldestHour)])
  await database.query(sql`delete from request_log_writer where last_at < now() - interval '1 day'`)
}

async function alone(database: Database, work: (client: Queryable) => Promise<void>): Promise<void> {
  await inTransaction(database, async (client) => {
    await client.query(sql`set local lock_timeout = '${LOCK_WITHIN}'`)
    await client.query(sql`select pg_advisory_xact_lock($1)`, [PARTITION_LOCK])
    await work(client)
  })
}
