/**
 * Analysis batches in PostgreSQL.
 *
 * A worker claims a batch until a time and extends the claim while it works. Every later write names the end of the
 * claim, so a worker whose claim ended cannot overwrite the work of the next one.
 */
import type { Queryable } from '../../platform/database.ts'
import type { ClaimRequest, Delivery } from '../../platform/deliveries/delivery-queue.ts'
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

/** A due callback. The recipient is one account on one host. */
export type ClaimedCallback = Delivery & { readonly batch: StoredBatch }

/**
 * Claims due callbacks, the longest due first, within the limits of their recipients and hosts. The attempt is counted
 * first, so that a callback that crashes the process ends too.
 */
export async function claimCallbacks(
  database: Queryable,
  { now, until, limit, recipients, hosts }: ClaimRequest,
): Promise<readonly ClaimedCallback[]> {
  const { rows } = await database.query<StoredBatch & { recipient: string; host: string }>(
    sql`with due as (
       select id, webhook_next_at, host, account_id || ' ' || host as recipient
       from analysis_batch,
         lower(substring(webhook_url from '^[a-zA-Z]+://([^/?#]*)')) as host
       where webhook_next_at <= $1
     ), ranked as (
       select id, webhook_next_at, host, recipient,
         row_number() over (partition by recipient order by webhook_next_at, id) as of_recipient,
         row_number() over (partition by host order by webhook_next_at, id) as of_host
       from due
     ), allowed as (
       select id, host, recipient from ranked
       where of_recipient <= coalesce(($4::jsonb ->> recipient)::int, $5)
         and of_host <= coalesce(($6::jsonb ->> host)::int, $7)
       order by webhook_next_at, id limit $3
     ), locked as (
       select id from analysis_batch
       where id in (select id from allowed) and webhook_next_at <= $1 for update skip locked
     ), claimed as (
       update analysis_batch set webhook_attempts = webhook_attempts + 1, webhook_next_at = $2
       where id in (select id from locked)
       returning *
     )
     select ${COLUMNS}, host, recipient from claimed join allowed using (id)`,
    [
      new Date(now),
      new Date(until),
      limit,
      JSON.stringify(Object.fromEntries(recipients.listed)),
      recipients.others,
      JSON.stringify(Object.fromEntries(hosts.listed)),
      hosts.others,
    ],
  )
  return rows.map(({ recipient, host, ...batch }) => ({ recipient, host, batch }))
}

export type SettledCallback = {
  readonly batchId: string
  /** Of the claim: the later attempt of another process is not overwritten. */
  readonly attempts: number
  readonly status: WebhookStatus
  readonly error: string | null
  readonly nextAt: Date | null
}

export async function settleCallbacks(database: Queryable, settled: readonly SettledCallback[]): Promise<void> {
  await database.query(
    sql`update analysis_batch b set webhook_status = s.status, webhook_next_at = s.next_at, webhook_error = s.error
     from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::timestamptz[])
       as s (id, attempts, status, error, next_at)
     where b.id = s.id and b.webhook_attempts = s.attempts`,
    [
      settled.map(({ batchId }) => batchId),
      settled.map(({ attempts }) => attempts),
      settled.map(({ status }) => status),
      settled.map(({ error }) => error),
      settled.map(({ nextAt }) => nextAt),
    ],
  )
}

export async function deleteBatchesBefore(database: Queryable, before: Date): Promise<number> {
  const { rowCount } = await database.query(
    sql`delete from analysis_batch where completed_at < $1 and webhook_next_at is null`,
    [before],
  )
  return rowCount ?? 0
}
