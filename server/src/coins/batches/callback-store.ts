/** Callbacks of completed batches in PostgreSQL. */
import type { Queryable } from '../../platform/database.ts'
import { DELIVERIES_NOT_HELD } from '../../platform/deliveries/delivery-hold.ts'
import type { ClaimRequest, Delivery } from '../../platform/deliveries/delivery-queue.ts'
import { sql } from '../../platform/sql.ts'
import { BATCH_COLUMNS, openBatch, type StoredBatch, type WebhookStatus } from './batch-store.ts'

/** A due callback. The recipient is one account on one host. */
export type ClaimedCallback = Delivery & { readonly batch: StoredBatch }

/**
 * Claims due callbacks, the longest due first, within the limits of their recipients and hosts. The attempt is counted
 * first, so that a callback that crashes the process is not retried forever.
 */
export async function claimCallbacks(
  database: Queryable,
  { now, until, limit, recipients, hosts }: ClaimRequest,
): Promise<readonly ClaimedCallback[]> {
  const { rows } = await database.query<StoredBatch & { recipient: string; host: string }>(
    sql`with due as (
       select id, webhook_next_at, webhook_host as host, account_id || ' ' || webhook_host as recipient
       from analysis_batch
       where webhook_next_at <= $1 and ${DELIVERIES_NOT_HELD}
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
     select ${BATCH_COLUMNS}, host, recipient from claimed join allowed using (id)`,
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
  return rows.map(({ recipient, host, ...batch }) => ({ recipient, host, batch: openBatch(database, batch) }))
}

export type SettledCallback = {
  readonly batchId: string
  /** The attempt that was claimed, so that a later attempt of another process is not overwritten. */
  readonly attempts: number
  readonly status: WebhookStatus
  readonly error: string | null
  readonly nextAt: Date | null
}

/** Records outcomes of claims that are still held. */
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
