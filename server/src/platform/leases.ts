/**
 * Leases: at most one holder of a name at a time, taken over soon after the holder dies.
 *
 * Time is the database's, so that the clocks of two machines cannot disagree. Each new holder gets a higher `fence`:
 * a write that must not come from a holder of the past locks the row and compares it (`holdsLease`).
 */

import type { Database, Queryable } from './database.ts'
import { sql } from './sql.ts'

export type Lease = { readonly name: string; readonly holder: string; readonly fence: number }

/** Takes the lease if it is free, expired or already ours; undefined while someone else holds it. */
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

/** Inside a transaction: keeps the lease from changing hands until it ends, and says whether it is still ours. */
export async function holdsLease(client: Queryable, lease: Lease): Promise<boolean> {
  const { rows } = await client.query(
    sql`select 1 from lease where name = $1 and holder = $2 and fence = $3 for share`,
    [lease.name, lease.holder, lease.fence],
  )
  return rows.length === 1
}

/** Gives the lease up at once, so that another process need not wait for its end. */
export async function releaseLease(database: Database, lease: Lease): Promise<void> {
  await database.query(sql`update lease set expires_at = '-infinity' where name = $1 and holder = $2 and fence = $3`, [
    lease.name,
    lease.holder,
    lease.fence,
  ])
}
