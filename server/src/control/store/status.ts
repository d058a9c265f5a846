/** SQL of what is seen of each chain: for people, not for the watcher. */
import type { Queryable } from '../../platform/database.ts'

export type ChainStatus = {
  readonly chainId: number
  readonly head: number | undefined
  readonly cursor: number | undefined
  /** The second pass has confirmed every block up to this one. */
  readonly auditedTo: number | undefined
  readonly jobsOpen: number
  readonly lastError: string | undefined
  readonly seenAt: Date | undefined
}

export async function saveStatus(
  database: Queryable,
  chainId: number,
  { head, lastError }: { readonly head: number | undefined; readonly lastError: string | undefined },
): Promise<void> {
  await database.query(
    `insert into chain_status as s (chain_id, head, last_error) values ($1, $2, $3)
     on conflict (chain_id) do update set
       head = coalesce(excluded.head, s.head), last_error = excluded.last_error, updated_at = now()`,
    [chainId, head ?? null, lastError ?? null],
  )
}

type Row = {
  chain_id: number
  head: number | null
  number: number | null
  audited_to: number | null
  jobs: number
  last_error: string | null
  updated_at: Date | null
}

export async function getStatuses(database: Queryable): Promise<readonly ChainStatus[]> {
  const { rows } = await database.query<Row>(
    `select coalesce(c.chain_id, s.chain_id) as chain_id, s.head, c.number, c.audited_to, s.last_error, s.updated_at,
       (select count(*) from scan_job j where j.chain_id = c.chain_id and j.phase <> 'done') as jobs
     from chain_cursor c full join chain_status s on s.chain_id = c.chain_id order by 1`,
  )
  return rows.map((row) => ({
    chainId: row.chain_id,
    head: row.head ?? undefined,
    cursor: row.number ?? undefined,
    auditedTo: row.audited_to ?? undefined,
    jobsOpen: row.jobs,
    lastError: row.last_error ?? undefined,
    seenAt: row.updated_at ?? undefined,
  }))
}
