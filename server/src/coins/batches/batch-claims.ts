/**
 * Claims of the batch worker.
 *
 * A worker claims a batch until a time and extends the claim while it works. Every later write names the end of the
 * claim, so a worker whose claim ended cannot overwrite the work of the next one.
 */
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { BATCH_COLUMNS, type StoredBatch } from './batch-store.ts'

/** Claims the oldest batch that is queued, or whose claim has ended. */
export async function claimBatch(
  database: Queryable,
  chains: readonly string[],
  now: Date,
  until: Date,
): Promise<StoredBatch | undefined> {
  const { rows } = await database.query<StoredBatch>(
    sql`update analysis_batch set status = 'running', claimed_until = $3
     where id = (
       select id from analysis_batch
       where status <> 'completed' and chain = any ($1) and (claimed_until is null or claimed_until <= $2)
       order by created_at limit 1 for update skip locked)
     returning ${BATCH_COLUMNS}`,
    [chains, now, until],
  )
  return rows[0]
}

/** Extends a claim; false if another worker has the batch now. */
export async function extendClaim(database: Queryable, id: string, claimedUntil: Date, until: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    sql`update analysis_batch set claimed_until = $3 where id = $1 and claimed_until = $2 and status = 'running'`,
    [id, claimedUntil, until],
  )
  return rowCount === 1
}

/** Queues a claimed batch again. No worker claims it before `notBefore`. */
export async function releaseBatch(
  database: Queryable,
  id: string,
  { claimedUntil, notBefore }: { readonly claimedUntil: Date; readonly notBefore: Date },
): Promise<void> {
  await database.query(
    sql`update analysis_batch set status = 'queued', claimed_until = $3 where id = $1 and claimed_until = $2`,
    [id, claimedUntil, notBefore],
  )
}

/** Stores the results and makes the callback due; false if another worker has the batch now. */
export async function completeBatch(
  database: Queryable,
  id: string,
  { claimedUntil, results, now }: { readonly claimedUntil: Date; readonly results: string; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await database.query(
    sql`update analysis_batch set status = 'completed', results = $3, completed_at = $4::timestamptz, claimed_until = null,
       webhook_next_at = case when webhook_url is null then null else $4::timestamptz end
     where id = $1 and claimed_until = $2 and status = 'running'`,
    [id, claimedUntil, results, now],
  )
  return rowCount === 1
}
