/** Analysis batches in PostgreSQL. */
import type { Queryable } from '../../platform/database.ts'
import { hostDigest, sealContexts, vaultOf } from '../../platform/sealed-columns.ts'
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

/** The columns of a `StoredBatch`. */
export const BATCH_COLUMNS = sql`id, account_id as "accountId", chain, addresses, utxo_limit as "utxoLimit", status, results,
  created_at as "createdAt", completed_at as "completedAt", webhook_url as "webhookUrl",
  webhook_secret as "webhookSecret", webhook_status as "webhookStatus", webhook_attempts as "webhookAttempts",
  webhook_error as "webhookError"`

export async function insertBatch(database: Queryable, batch: StoredBatch): Promise<void> {
  const [vault, context] = [vaultOf(database), sealContexts.batchWebhook(batch.accountId)]
  await database.query(
    sql`insert into analysis_batch (id, account_id, chain, addresses, utxo_limit, status, results, created_at, completed_at,
       webhook_url, webhook_secret, webhook_status, webhook_host)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
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
      batch.webhookUrl === null ? null : vault.seal(batch.webhookUrl, context),
      batch.webhookSecret === null ? null : vault.seal(batch.webhookSecret, context),
      batch.webhookStatus,
      batch.webhookUrl === null ? null : hostDigest(vault, batch.webhookUrl),
    ],
  )
}

export async function findBatch(database: Queryable, accountId: string, id: string): Promise<StoredBatch | undefined> {
  const { rows } = await database.query<StoredBatch>(
    sql`select ${BATCH_COLUMNS} from analysis_batch where id = $1 and account_id = $2`,
    [id, accountId],
  )
  return rows[0] && openBatch(database, rows[0])
}

/** Returns a batch with the URL and the secret of its callback readable. */
export function openBatch(database: Queryable, batch: StoredBatch): StoredBatch {
  const open = (sealed: string | null) =>
    sealed === null ? null : vaultOf(database).open(sealed, sealContexts.batchWebhook(batch.accountId))
  return { ...batch, webhookUrl: open(batch.webhookUrl), webhookSecret: open(batch.webhookSecret) }
}

export async function countOpenBatches(database: Queryable, accountId: string): Promise<number> {
  const { rows } = await database.query<{ open: number }>(
    sql`select count(*)::int as open from analysis_batch where account_id = $1 and status <> 'completed'`,
    [accountId],
  )
  return rows[0]?.open ?? 0
}

/** Deletes batches completed before a time, except those whose callback is not settled. */
export async function deleteBatchesBefore(database: Queryable, before: Date): Promise<number> {
  const { rowCount } = await database.query(
    sql`delete from analysis_batch where completed_at < $1 and webhook_next_at is null`,
    [before],
  )
  return rowCount ?? 0
}
