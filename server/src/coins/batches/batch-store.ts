/**
 * Analysis batches in PostgreSQL.
 *
 * A worker claims a batch until a time and extends the claim while it works. Every later write names the end of the
 * claim, so a worker whose claim ended cannot overwrite the work of the next one.
 */

import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export type BatchStatus = 'queued' | 'running' | 'completed'
export type WebhookStatus = 'waiting' | 'delivered' | 'retrying' | 'failed'

export type StoredBatch = {
  readonly id: string
  readonly accountId: string
  readonly chain: 'btc' | 'ltc'
  readonly addresses: string[]
  readonly utxoLimit: number | null
  readonly status: BatchStatus
  /** JSON; integers beyond 2^53 keep all digits. */
  readonly results: string | null
  readonly createdAt: Date
  readonly completedAt: Date | null
  readonly webhookUrl: string | null
  readonly webhookSecret: string | null
  readonly webhookStatus: WebhookStatus | null
  readonly webhookAttempts: number
  readonly webhookError: string | null
}

const COLUMNS = sql`id, account_id as "accountId", chain, addresses, most_coins as "utxoLimit", status, results,
  created_at as "createdAt", completed_at as "completedAt", webhook_url as "webhookUrl",
  webhook_secret as "webhookSecret", webhook_status as "webhookStatus", webhook_attempts as "webhookAttempts",
  webhook_error as "webhookError"`

export async function insertBatch(database: Queryable, batch: StoredBatch): Promise<void> {
  await database.query(
    sql`insert into analysis_batch (id, account_id, chain, addresses, most_coins, status, results, created_at, completed_at,
       webhook_url, webhook_secret, webhook_status)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      batch.id,
      batch.accountId,
      batch.chain,
      batch.addresses,
      batch.utxoLimit,
      batch.status,
      batch.results,
      batch.createdAt,
      batch.completedAt,
      batch.webhookUrl,
      batch.webhookSecret,
      batch.webhookStatus,
    ],
  )
}

export async function findBatch(database: Queryable, accountId: string, id: string): Promise<StoredBatch | undefined> {
  const { rows } = await database.query<StoredBatch>(
    sql`select ${COLUMNS} from analysis_batch where id = $1 and account_id = $2`,
    [id, accountId],
  )
  return rows[0]
}

export async function countOpenBatches(database: Queryable, accountId: string): Promise<number> {
  const { rows } = await database.query<{ open: number }>(
    sql`select count(*)::int as open from analysis_batch where account_id = $1 and status <> 'completed'`,
    [accountId],
  )
  return rows[0]?.open ?? 0
}

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
     returning ${COLUMNS}`,
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

/** Claims a due callback. The attempt is counted first, so that a callback that crashes the process ends too. */
export async function claimCallback(database: Queryable, now: Date, until: Date): Promise<StoredBatch | undefined> {
  const { rows } = await database.query<StoredBatch>(
    sql`update analysis_batch set webhook_attempts = webhook_attempts + 1, webhook_next_at = $2
     where id = (
       select id from analysis_batch where webhook_next_at <= $1 order by webhook_next_at limit 1 for update skip locked)
     returning ${COLUMNS}`,
    [now, until],
  )
  return rows[0]
}

export async function settleCallback(
  database: Queryable,
  id: string,
  {
    status,
    nextAt,
    error,
  }: { readonly status: WebhookStatus; readonly nextAt: Date | null; readonly error: string | null },
): Promise<void> {
  await database.query(
    sql`update analysis_batch set webhook_status = $2, webhook_next_at = $3, webhook_error = $4 where id = $1`,
    [id, status, nextAt, error],
  )
}

export async function deleteBatchesBefore(database: Queryable, before: Date): Promise<number> {
  const { rowCount } = await database.query(
    sql`delete from analysis_batch where completed_at < $1 and webhook_next_at is null`,
    [before],
  )
  return rowCount ?? 0
}
