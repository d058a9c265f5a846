/** Reads the request log: pages of entries, newest first, and their number. */
import type { Queryable } from '../platform/database.ts'
import { type Sql, sql } from '../platform/sql.ts'
import type { LogEntry } from './log-entry.ts'
import { getPartitions } from './partitions.ts'
import type { RequestScope } from './rollups.ts'
import { hourAfter, type Period, splitRange, type TimeRange } from './time-range.ts'

export type LogFilter = RequestScope &
  TimeRange & {
    readonly endpoint?: string | undefined
    readonly chain?: string | undefined
    /** First and last status, inclusive. */
    readonly statuses?: readonly [number, number] | undefined
  }

/** The last entry of a page; the next page starts after it. */
export type LogPosition = { readonly at: number; readonly requestId: string }
export type Page = { readonly after?: LogPosition | undefined; readonly skip: number; readonly limit: number }

const COLUMNS = sql`at, request_id as "requestId", account_id as "accountId", key_id as "keyId", endpoint, chain, status, code,
  latency_us as "latencyUs", bytes, network::text as network`

const filterOn = (
  time: Sql,
) => sql`${time} >= $1 and ${time} < $2 and ($3::text is null or account_id = $3) and ($4::uuid is null or key_id = $4)
  and ($5::text is null or endpoint = $5) and ($6::text is null or chain = $6) and ($7::int is null or status between $7 and $8)`

const valuesOf = ({ from, to, accountId, keyId, endpoint, chain, statuses }: LogFilter) => [
  new Date(from),
  new Date(to),
  accountId ?? null,
  keyId ?? null,
  endpoint ?? null,
  chain ?? null,
  statuses?.[0] ?? null,
  statuses?.[1] ?? null,
]

export async function getLogEntries(
  database: Queryable,
  filter: LogFilter,
  { after, skip, limit }: Page,
): Promise<readonly LogEntry[]> {
  const { rows } = await database.query<LogEntry>(
    sql`select ${COLUMNS} from request_log
     where ${filterOn(sql`at`)} and ($9::timestamptz is null or (at, request_id) < ($9, $10))
     order by at desc, request_id desc offset $11 limit $12`,
    [...valuesOf(filter), after === undefined ? null : new Date(after.at), after?.requestId ?? null, skip, limit],
  )
  return rows
}

const COUNTS: Readonly<Record<Period | 'part', Sql>> = {
  day: sql`select coalesce(sum(requests), 0)::bigint as count from request_day where ${filterOn(sql`starts_at`)}`,
  hour: sql`select coalesce(sum(requests), 0)::bigint as count from request_hour where ${filterOn(sql`starts_at`)}`,
  part: sql`select count(*) as count from request_log where ${filterOn(sql`at`)}`,
}

/**
 * Counts the entries of the log from the rollups. Single rows are counted only in the hours in which the range begins
 * and ends. Rollups are kept longer than the log, so days that the log has dropped are left out.
 */
export async function countLogEntries(database: Queryable, filter: LogFilter, now: number): Promise<number> {
  const [oldest] = await getPartitions(database)
  const from = Math.max(filter.from, oldest?.day ?? now)
  // The log has no future entries, so a range that ends now can end with the hour.
  const to = filter.to > now ? hourAfter(now) : filter.to
  let total = 0
  for (const { period, ...part } of splitRange({ from, to })) {
    const { rows } = await database.query<{ count: number }>(COUNTS[period ?? 'part'], valuesOf({ ...filter, ...part }))
    total += rows[0]?.count ?? 0
  }
  return total
}
