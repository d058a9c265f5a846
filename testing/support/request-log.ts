/** Rows of the request log for tests, and a recount that is independent of the program. */

import assert from 'node:assert/strict'
import type { Database } from '../../server/src/platform/database.ts'
import { identifier, literal, sql } from '../../server/src/platform/sql.ts'
import { latencyBucketOf } from '../../server/src/traffic/latency.ts'
import type { NewLogEntry } from '../../server/src/traffic/log-entry.ts'
import { createLogRows, type LogRows } from '../../server/src/traffic/log-rows.ts'

export function logRowsOf(entries: readonly NewLogEntry[]): LogRows {
  const rows = createLogRows()
  for (const entry of entries) rows.add(entry)
  return rows
}

/** Asserts that hourly and daily rollups equal the rows of every day that the log contains. */
export async function assertSumsEqualLog(database: Database): Promise<void> {
  for (const period of ['hour', 'day'] as const) {
    const { rows: different } = await database.query(
      sql`with counted as (
         select date_trunc(${literal(period)}, at) as starts_at, account_id, key_id, endpoint, coalesce(chain, '') as chain, status,
                coalesce(code, '') as code, count(*) as requests, sum(bytes) as bytes, sum(latency_us) as latency_us
         from request_log group by 1, 2, 3, 4, 5, 6, 7
       ), summed as (
         select starts_at, account_id, key_id, endpoint, chain, status, code, sum(requests)::bigint as requests,
                sum(bytes)::bigint as bytes, sum(latency_us)::bigint as latency_us
         from ${identifier(`request_${period}`)} group by 1, 2, 3, 4, 5, 6, 7
       )
       (table counted except table summed) union all (table summed except table counted)`,
    )
    assert.deepEqual(different.slice(0, 2), [], `rollups by ${period}`)
    assert.deepEqual(await classesSummed(database, period), await classesCounted(database))
  }
}

type Classes = ReadonlyMap<number, number>

async function classesSummed(database: Database, period: 'hour' | 'day'): Promise<Classes> {
  const { rows } = await database.query<{ bucket: number; requests: number }>(
    sql`select latency_bucket as bucket, sum(requests)::bigint as requests from ${identifier(`request_${period}`)} group by 1 order by 1`,
  )
  return new Map(rows.map(({ bucket, requests }) => [bucket, requests]))
}

async function classesCounted(database: Database): Promise<Classes> {
  const { rows } = await database.query<{ us: number; requests: number }>(
    sql`select latency_us as us, count(*) as requests from request_log group by 1 order by 1`,
  )
  const classes = new Map<number, number>()
  for (const { us, requests } of rows)
    classes.set(latencyBucketOf(us), (classes.get(latencyBucketOf(us)) ?? 0) + requests)
  return classes
}
