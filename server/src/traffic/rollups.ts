/**
 * Rollups of the request log by hour and by UTC day: requests with the same account, key, endpoint, chain, status, code
 * and latency bucket, counted together.
 */
import type { DatabaseClient, Queryable } from '../platform/database.ts'
import { identifier, sql } from '../platform/sql.ts'
import { latencyBucketOf } from './latency.ts'
import type { NewLogEntry } from './log-entry.ts'
import { DAY_MS, HOUR_MS, type PeriodRange } from './time-range.ts'

/** The key of a rollup row. `chain` and `code` are empty if the request had none. */
type RollupKey = {
  /** Start of the hour or UTC day. */
  readonly startsAt: number
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
  readonly chain: string
  readonly status: number
  readonly code: string
  readonly latencyBucket: number
}
export type RollupRow = RollupKey & { requests: number; bytes: number; latencyUs: number }

/** Adds up entries by hour. */
export function createHours() {
  const rows = new Map<string, RollupRow>()
  // Requests that arrive together are often alike. To compare them costs less than to name their row.
  let alike:
    | { readonly entry: NewLogEntry; readonly startsAt: number; readonly rows: Map<number, RollupRow> }
    | undefined
  return {
    add: (entry: NewLogEntry): void => {
      const { at, accountId, keyId, endpoint, chain = '', status, code = '', latencyUs, bytes } = entry
      const [startsAt, latencyBucket] = [at - (at % HOUR_MS), latencyBucketOf(latencyUs)]
      if (alike?.startsAt !== startsAt || !isAlike(alike.entry, entry)) alike = { entry, startsAt, rows: new Map() }
      let row = alike.rows.get(latencyBucket)
      if (row === undefined) {
        const key = { startsAt, accountId, keyId, endpoint, chain, status, code, latencyBucket }
        row = findOrAdd(rows, { ...key, requests: 0, bytes: 0, latencyUs: 0 })
        alike.rows.set(latencyBucket, row)
      }
      row.requests += 1
      row.bytes += bytes
      row.latencyUs += latencyUs
    },
    rows: (): readonly RollupRow[] => [...rows.values()],
  }
}

/** Whether two entries differ only in their time, id, latency, size and network. */
export const isAlike = (a: NewLogEntry, b: NewLogEntry): boolean =>
  a.keyId === b.keyId &&
  a.accountId === b.accountId &&
  a.endpoint === b.endpoint &&
  a.chain === b.chain &&
  a.status === b.status &&
  a.code === b.code

export function rollUpByDay(hours: readonly RollupRow[]): readonly RollupRow[] {
  const rows = new Map<string, RollupRow>()
  for (const hour of hours) {
    const startsAt = hour.startsAt - (hour.startsAt % DAY_MS)
    const row = findOrAdd(rows, { ...hour, startsAt, requests: 0, bytes: 0, latencyUs: 0 })
    row.requests += hour.requests
    row.bytes += hour.bytes
    row.latencyUs += hour.latencyUs
  }
  return [...rows.values()]
}

/** Returns the row with the same key; adds this one if there is none. */
function findOrAdd(rows: Map<string, RollupRow>, row: RollupRow): RollupRow {
  const { startsAt, accountId, keyId, endpoint, chain, status, code, latencyBucket } = row
  const name = `${startsAt} ${accountId} ${keyId} ${endpoint} ${chain} ${status} ${code} ${latencyBucket}`
  const found = rows.get(name)
  if (found !== undefined) return found
  rows.set(name, row)
  return row
}

/** Adds rows to a rollup table. They are sorted, because two processes that lock rows in opposite order would deadlock. */
export async function addRollups(
  client: DatabaseClient,
  table: 'request_hour' | 'request_day',
  rows: readonly RollupRow[],
): Promise<void> {
  const column = <T>(read: (row: RollupRow) => T) => rows.map(read)
  await client.query({
    name: `add_rollups_${table}`,
    text: sql`insert into ${identifier(table)} as stored
           select * from unnest(
             $1::timestamptz[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::smallint[],
             $9::bigint[], $10::bigint[], $11::bigint[])
             as added (starts_at, account_id, key_id, endpoint, chain, status, code, latency_bucket, requests, bytes, latency_us)
           order by account_id, starts_at, key_id, endpoint, chain, status, code, latency_bucket
           on conflict (account_id, starts_at, key_id, endpoint, chain, status, code, latency_bucket) do update
             set requests = stored.requests + excluded.requests, bytes = stored.bytes + excluded.bytes,
                 latency_us = stored.latency_us + excluded.latency_us`,
    values: [
      column(({ startsAt }) => new Date(startsAt).toISOString()),
      column(({ accountId }) => accountId),
      column(({ keyId }) => keyId),
      column(({ endpoint }) => endpoint),
      column(({ chain }) => chain),
      column(({ status }) => status),
      column(({ code }) => code),
      column(({ latencyBucket }) => latencyBucket),
      column(({ requests }) => requests),
      column(({ bytes }) => bytes),
      column(({ latencyUs }) => latencyUs),
    ],
  })
}

/** The requests a query covers: of one account or of all, of one key or of all. */
export type RequestScope = { readonly accountId: string | undefined; readonly keyId: string | undefined }

/** Requests of one group with the same outcome and latency bucket. */
export type RollupGroup = {
  readonly isSuccess: boolean
  readonly latencyBucket: number
  readonly requests: number
  readonly bytes: number
  readonly latencyUs: number
}

const GROUPS = {
  endpoint: sql`endpoint`,
  chain: sql`chain`,
  startsAt: sql`starts_at`,
  status: sql`status, code`,
}
export type Group = keyof typeof GROUPS

type GroupColumns = {
  readonly endpoint: { readonly endpoint: string }
  readonly chain: { readonly chain: string }
  readonly startsAt: { readonly startsAt: Date }
  readonly status: { readonly status: number; readonly code: string }
}

/** Reads rollups of a time range, grouped by one column, outcome and latency bucket. */
export async function getRollups<By extends Group>(
  database: Queryable,
  scope: RequestScope,
  range: PeriodRange,
  by: By,
): Promise<readonly (RollupGroup & GroupColumns[By])[]> {
  const columns = by === 'startsAt' ? sql`starts_at as "startsAt"` : GROUPS[by]
  const { rows } = await database.query<RollupGroup & GroupColumns[By]>(
    sql`select ${columns}, status < 400 as "isSuccess", latency_bucket as "latencyBucket", sum(requests)::bigint as requests,
            sum(bytes)::bigint as bytes, sum(latency_us)::bigint as "latencyUs"
     from ${range.period === 'hour' ? sql`request_hour` : sql`request_day`}
     where starts_at >= $1 and starts_at < $2 and ($3::text is null or account_id = $3) and ($4::uuid is null or key_id = $4)
     group by ${GROUPS[by]}, status < 400, latency_bucket`,
    [new Date(range.from), new Date(range.to), scope.accountId ?? null, scope.keyId ?? null],
  )
  return rows
}
