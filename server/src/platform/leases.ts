/**
 * Leases: each has at most one holder at a time, and another process takes it over soon after the holder dies.
 *
 * Expiry uses the database's clock, so that the clocks of two machines cannot disagree. Each new holder gets a higher
 * `fence`; a transaction that only the current holder may commit locks the row and compares it (`holdsLease`).
 */

import type { Database, Queryable } from './database.ts'
import { sql } from './sql.ts'

export type Lease = { readonly name: string; readonly holder: string; readonly fence: number }

/** Takes the lease if it is free, expired or already held by `holder`; otherwise returns undefined. */
export async function takeLease(
  database: Queryable,
  name: string,
  holder: string,
  ttlMs: number,
): Promise<Lease | undefined> {
  const { rows } = await database.query<{ fence: number }>(
    sql`insert into lease as held (name, holder, fence, expires_at)
     values ($1, $2, 1, now() + $3 * interval '1 millisecond')
     on conflict (name) do update
       set holder = excluded.holder, expires_at = excluded.expires_at,
           fence = held.fence + (held.holder <> excluded.holder)::int
       where held.holder = excluded.holder or held.expires_at <= now()
     returning fence`,
    [name, holder, ttlMs],
  )
  return rows[0] === undefined ? undefined : { name, holder, fence: rows[0].fence }
}

/** Returns whether the lease is still held, and locks it until the transaction ends. */
export async function holdsLease(client: Queryable, lease: Lease): Promise<boolean> {
  const { rows } = await client.query(
    sql`select 1 from lease where name = $1 and holder = $2 and fence = $3 for share`,
    [lease.name, lease.holder, lease.fence],
  )
  return rows.length === 1
}

/** Releases the lease, so that another process need not wait until it expires. */
export async function releaseLease(database: Database, lease: Lease): Promise<void> {
  await database.query(sql`update lease set expires_at = '-infinity' where name = $1 and holder = $2 and fence = $3`, [
    lease.name,
    lease.holder,
    lease.fence,
  ])
}
