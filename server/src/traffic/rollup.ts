/** A batch of the log, added up by everything the analytics ask for. */
import { latencyBucketOf } from './latency.ts'
import type { RequestRecord } from './request-record.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Requests alike in everything but their moment; empty text where the log has nothing. */
export type RollupRow = {
  readonly startsAt: number
  readonly accountId: string
  readonly keyId: string
  readonly endpoint: string
  readonly chain: string
  readonly status: number
  readonly code: string
  readonly latencyBucket: number
  requests: number
  bytes: number
  latencyUs: number
}

/** Sums by periods of `periodMs`, counted from the epoch: hours and UTC days both fall on it. */
export function rollUp(records: readonly RequestRecord[], periodMs: number): readonly RollupRow[] {
  const rows = new Map<string, RollupRow>()
  for (const { at, accountId, keyId, endpoint, chain = '', status, code = '', latencyUs, bytes } of records) {
    const startsAt = at - (at % periodMs)
    const latencyBucket = latencyBucketOf(latencyUs)
    const name = `${startsAt} ${accountId} ${keyId} ${endpoint} ${chain} ${status} ${code} ${latencyBucket}`
    const row = rows.get(name)
    if (row === undefined) {
      const sums = { requests: 1, bytes, latencyUs }
      rows.set(name, { startsAt, accountId, keyId, endpoint, chain, status, code, latencyBucket, ...sums })
    } else {
      row.requests++
      row.bytes += bytes
      row.latencyUs += latencyUs
    }
  }
  return [...rows.values()]
}
