/** SQL of the sums by hour and by day: the reading side. */

import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { Sum } from '../figures.ts'
import type { PeriodRange } from '../range.ts'

/** Whose requests; an account left out is everyone's. */
export type Whose = { readonly accountId: string | undefined; readonly keyId: string | undefined }

/** What sums can be asked by; `chain` and `code` are empty where the request had none. */
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

export async function getSums<By extends Group>(
  database: Queryable,
  whose: Whose,
  range: PeriodRange,
  by: By,
): Promise<readonly (Sum & GroupColumns[By])[]> {
  const columns = by === 'startsAt' ? sql`starts_at as "startsAt"` : GROUPS[by]
  const { rows } = await database.query<Sum & GroupColumns[By]>(
    sql`select ${columns}, status < 400 as "isSuccess", latency_bucket as "latencyBucket", sum(requests)::bigint as requests,
            sum(bytes)::bigint as bytes, sum(latency_us)::bigint as "latencyUs"
     from ${range.period === 'hour' ? sql`request_hour` : sql`request_day`}
     where starts_at >= $1 and starts_at < $2 and ($3::text is null or account_id = $3) and ($4::uuid is null or key_id = $4)
     group by ${GROUPS[by]}, status < 400, latency_bucket`,
    [new Date(range.from), new Date(range.to), whose.accountId ?? null, whose.keyId ?? null],
  )
  return rows
}
