/** A batch of the log, added up by everything the analytics ask for. */
import { latencyBucketOf } from './latency.ts'
import type { RequestRecord } from './request-record.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Requests alike in everything but their moment; empty text where the log has nothing. */
type Kind = {
  /** Of the hour or UTC day. */
  readonly startsAt: number
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
  readonly chain: string
  readonly status: number
  readonly code: string
  readonly latencyBucket: number
}
export type RollupRow = Kind & { requests: number; bytes: number; latencyUs: number }

export function sumByHour(records: readonly RequestRecord[]): readonly RollupRow[] {
  const rows = new Map<string, RollupRow>()
  for (const { at, accountId, keyId, endpoint, chain = '', status, code = '', latencyUs, bytes } of records) {
    const [startsAt, latencyBucket] = [at - (at % HOUR_MS), latencyBucketOf(latencyUs)]
    add(rows, {
      startsAt,
      accountId,
      keyId,
      endpoint,
      chain,
      status,
      code,
      latencyBucket,
      requests: 1,
      bytes,
      latencyUs,
    })
  }
  return [...rows.values()]
}

export function sumByDay(hours: readonly RollupRow[]): readonly RollupRow[] {
  const rows = new Map<string, RollupRow>()
  for (const hour of hours) add(rows, { ...hour, startsAt: hour.startsAt - (hour.startsAt % DAY_MS) })
  return [...rows.values()]
}

function add(rows: Map<string, RollupRow>, row: RollupRow): void {
  const { startsAt, accountId, keyId, endpoint, chain, status, code, latencyBucket } = row
  const name = `${startsAt} ${accountId} ${keyId} ${endpoint} ${chain} ${status} ${code} ${latencyBucket}`
  const sum = rows.get(name)
  if (sum === undefined) rows.set(name, row)
  else {
    sum.requests += row.requests
    sum.bytes += row.bytes
    sum.latencyUs += row.latencyUs
  }
}
