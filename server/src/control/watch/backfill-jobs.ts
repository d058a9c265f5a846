/** SQL of backfill jobs, of the backfill requests they come from, and of learned range limits. */

import { toBytes, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { RangeLimit, RangeLimitKey } from '../rpc/range-reader.ts'
import type { Job, JobPhase, JobScope, NewJob } from './watch-store.ts'

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

/**
 * The next unfinished jobs of a chain. Gaps come first, because their events are announced; jobs that wait for their
 * second read come last, or a hundred of them would hold up all others.
 */
export async function getJobs(database: Queryable, chainId: number): Promise<readonly Job[]> {
  const { rows } = await database.query<Row>({
    name: 'get_jobs',
    text: sql`select id, scope, addresses, from_block, to_block, next_block, phase, announce from backfill_job
           where chain_id = $1 and phase <> 'done' order by announce desc, phase = 'verify', id limit 100`,
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
      sql`insert into backfill_job (chain_id, scope, addresses, from_block, to_block, next_block, announce)
       values ($1, $2, $3, $4, $5, $4, $6)`,
      [chainId, job.scope, job.addresses.map(toBytes), job.from, job.to, job.announce],
    )
}

/** False if the job is no longer at its position: another process advanced it. */
export async function updateJob(
  client: Queryable,
  job: Job,
  to: { readonly next: number; readonly phase: JobPhase; readonly events: number },
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'update_job',
    text: sql`update backfill_job set next_block = $4, phase = $5, events = events + $6, updated_at = now()
           where id = $1 and next_block = $2 and phase = $3`,
    values: [job.id, job.next, job.phase, to.next, to.phase, to.events],
  })
  return rowCount === 1
}

/** Requests history from this block on. The process that watches the chain reads it. The earliest request counts. */
export async function saveBackfillRequest(database: Queryable, chainId: number, from: number): Promise<void> {
  await database.query(
    sql`insert into backfill_request as stored (chain_id, from_block) values ($1, $2)
     on conflict (chain_id) do update set from_block = least(stored.from_block, excluded.from_block)`,
    [chainId, from],
  )
}

export async function findBackfillRequest(database: Queryable, chainId: number): Promise<number | undefined> {
  const { rows } = await database.query<{ from_block: number }>({
    name: 'find_backfill_request',
    text: sql`select from_block from backfill_request where chain_id = $1`,
    values: [chainId],
  })
  return rows[0]?.from_block
}

/** Deletes the request unless it names an earlier block by now. */
export async function deleteBackfillRequest(client: Queryable, chainId: number, from: number): Promise<void> {
  await client.query(sql`delete from backfill_request where chain_id = $1 and from_block >= $2`, [chainId, from])
}

export type History = {
  /** Undefined if the chain was never watched. */
  readonly startBlock: number | undefined
  readonly isRequested: boolean
  /** Whether every job has read its blocks. The second pass may still follow. */
  readonly isRead: boolean
  /** The blocks of all jobs, and those read so far. */
  readonly blocks: number
  readonly blocksRead: number
  readonly events: number
}

/** The progress of reading a chain's history, over the jobs from `firstJob` on. */
export async function getHistory(database: Queryable, chainId: number, firstJob: number): Promise<History> {
  const { rows } = await database.query<{
    start_block: number | null
    is_requested: boolean
    is_read: boolean
    blocks: number
    blocks_read: number
    events: number
  }>(
    sql`select (select start_block from chain_cursor where chain_id = $1) as start_block,
       exists (select from backfill_request where chain_id = $1) as is_requested,
       coalesce(bool_and(phase <> 'read'), true) as is_read,
       coalesce(sum(to_block - from_block + 1), 0)::bigint as blocks,
       coalesce(sum(case phase when 'read' then next_block else to_block + 1 end - from_block), 0)::bigint as blocks_read,
       coalesce(sum(events), 0)::bigint as events
     from backfill_job where chain_id = $1 and not announce and id >= $2`,
    [chainId, firstJob],
  )
  const row = rows[0]
  if (row === undefined) throw new Error('an aggregate returned no row')
  return {
    startBlock: row.start_block ?? undefined,
    isRequested: row.is_requested,
    isRead: row.is_read,
    blocks: row.blocks,
    blocksRead: row.blocks_read,
    events: row.events,
  }
}

/** The id of the first history job that is still reading, or else of the next job to be created. */
export async function findFirstUnread(database: Queryable, chainId: number): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    sql`select coalesce((select min(id) from backfill_job where chain_id = $1 and not announce and phase = 'read'),
                     (select max(id) + 1 from backfill_job), 1) as id`,
    [chainId],
  )
  return rows[0]?.id ?? 1
}

export async function findLimit(
  database: Queryable,
  chainId: number,
  { host, filter }: RangeLimitKey,
): Promise<RangeLimit | undefined> {
  const { rows } = await database.query<{ size: number; ceiling: number | null }>(
    sql`select size, ceiling from endpoint_limit where chain_id = $1 and host = $2 and filter = $3`,
    [chainId, host, filter],
  )
  const row = rows[0]
  return row && { size: row.size, ceiling: row.ceiling ?? undefined }
}

export async function saveLimit(
  database: Queryable,
  chainId: number,
  { host, filter }: RangeLimitKey,
  { size, ceiling }: RangeLimit,
): Promise<void> {
  await database.query(
    sql`insert into endpoint_limit (chain_id, host, filter, size, ceiling) values ($1, $2, $3, $4, $5)
     on conflict (chain_id, host, filter) do update set size = excluded.size, ceiling = excluded.ceiling`,
    [chainId, host, filter, size, ceiling ?? null],
  )
}
