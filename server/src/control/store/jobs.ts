/** SQL of the backfill's jobs and of the limits it has learned. */
import type { Queryable } from '../../platform/database.ts'
import { toBytes, toHex } from './bytes.ts'
import type { Job, JobPhase, JobScope, LearnedLimit, LimitKey, NewJob } from './watch-store.ts'

type Row = {
  id: number
  scope: JobScope
  addresses: Buffer[]
  from_block: number
  to_block: number
  next_block: number
  phase: JobPhase
  announce: boolean
}

/** Those with work left: gaps first, because they are news. */
export async function getJobs(database: Queryable, chainId: number): Promise<readonly Job[]> {
  const { rows } = await database.query<Row>({
    name: 'get_jobs',
    text: `select id, scope, addresses, from_block, to_block, next_block, phase, announce from scan_job
           where chain_id = $1 and phase <> 'done' order by announce desc, id limit 100`,
    values: [chainId],
  })
  return rows.map((row) => ({
    id: row.id,
    scope: row.scope,
    addresses: row.addresses.map(toHex),
    from: row.from_block,
    to: row.to_block,
    next: row.next_block,
    phase: row.phase,
    announce: row.announce,
  }))
}

export async function insertJobs(client: Queryable, chainId: number, jobs: readonly NewJob[]): Promise<void> {
  for (const job of jobs)
    await client.query(
      `insert into scan_job (chain_id, scope, addresses, from_block, to_block, next_block, announce)
       values ($1, $2, $3, $4, $5, $4, $6)`,
      [chainId, job.scope, job.addresses.map(toBytes), job.from, job.to, job.announce],
    )
}

/** False when the job is no longer where it was: someone else moved it. */
export async function updateJob(
  client: Queryable,
  job: Job,
  to: { readonly next: number; readonly phase: JobPhase; readonly events: number },
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'move_job',
    text: `update scan_job set next_block = $4, phase = $5, events = events + $6, updated_at = now()
           where id = $1 and next_block = $2 and phase = $3`,
    values: [job.id, job.next, job.phase, to.next, to.phase, to.events],
  })
  return rowCount === 1
}

export async function findLimit(
  database: Queryable,
  chainId: number,
  { host, filter }: LimitKey,
): Promise<LearnedLimit | undefined> {
  const { rows } = await database.query<{ size: number; ceiling: number | null }>(
    'select size, ceiling from endpoint_limit where chain_id = $1 and host = $2 and filter = $3',
    [chainId, host, filter],
  )
  const row = rows[0]
  return row && { size: row.size, ceiling: row.ceiling ?? undefined }
}

export async function saveLimit(
  database: Queryable,
  chainId: number,
  { host, filter }: LimitKey,
  { size, ceiling }: LearnedLimit,
): Promise<void> {
  await database.query(
    `insert into endpoint_limit (chain_id, host, filter, size, ceiling) values ($1, $2, $3, $4, $5)
     on conflict (chain_id, host, filter) do update set size = excluded.size, ceiling = excluded.ceiling`,
    [chainId, host, filter, size, ceiling ?? null],
  )
}
