/** SQL of the status of each chain, for display. */

import type { Hex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export type ChainStatus = {
  readonly chainId: number
  readonly head: number | undefined
  /** The last block read. */
  readonly cursor: number | undefined
  readonly startBlock: number | undefined
  /** The second pass has verified every block up to this one. */
  readonly verifiedTo: number | undefined
  readonly reorgs: number
  /** Gaps of downtime that were read afterwards. */
  readonly gapsRead: number
  readonly openJobs: number
  /** Open jobs that are still reading. The others wait for the second pass. */
  readonly readingJobs: number
  readonly endpoints: number | undefined
  /** Endpoints that serve the last block read. */
  readonly agreeing: number | undefined
  readonly lastError: string | undefined
  readonly seenAt: Date | undefined
}

export async function saveStatus(
  database: Queryable,
  chainId: number,
  { head, lastError }: { readonly head: number | undefined; readonly lastError: string | undefined },
): Promise<void> {
  await database.query(
    sql`insert into chain_status as s (chain_id, head, last_error) values ($1, $2, $3)
     on conflict (chain_id) do update set
       head = coalesce(excluded.head, s.head), last_error = excluded.last_error, updated_at = now()`,
    [chainId, head ?? null, lastError ?? null],
  )
}

export async function saveAgreement(
  database: Queryable,
  chainId: number,
  { endpoints, agreeing }: { readonly endpoints: number; readonly agreeing: number },
): Promise<void> {
  await database.query(
    sql`update chain_status set endpoints = $2, agreeing = $3, agreement_at = now() where chain_id = $1`,
    [chainId, endpoints, agreeing],
  )
}

export async function findCursorBlock(
  database: Queryable,
  chainId: number,
): Promise<{ readonly number: number; readonly hash: Hex } | undefined> {
  const { rows } = await database.query<{ number: number; hash: Buffer }>(
    sql`select number, hash from chain_cursor where chain_id = $1`,
    [chainId],
  )
  const [row] = rows
  return row === undefined ? undefined : { number: row.number, hash: `0x${row.hash.toString('hex')}` }
}

/** The progress of polling the contracts of a chain. */
export type PollStatus = {
  readonly chainId: number
  readonly contracts: number
  readonly lastAt: Date | null
  /** Contracts not polled within twice the interval. */
  readonly overdue: number
}

export async function getPollStatuses(database: Queryable, everySeconds: number): Promise<readonly PollStatus[]> {
  const { rows } = await database.query<PollStatus>(
    sql`select chain_id as "chainId", count(*)::int as contracts, max(last_checked_at) as "lastAt",
       (count(*) filter (where last_checked_at > now() - $1 * interval '2 seconds' is not true))::int as overdue
     from contract group by chain_id`,
    [everySeconds],
  )
  return rows
}

type Row = {
  chain_id: number
  head: number | null
  number: number | null
  start_block: number | null
  verified_to: number | null
  reorgs: number | null
  gaps: number
  jobs: number
  reading: number
  endpoints: number | null
  agreeing: number | null
  last_error: string | null
  updated_at: Date | null
}

export async function getStatuses(database: Queryable): Promise<readonly ChainStatus[]> {
  const { rows } = await database.query<Row>(
    sql`select coalesce(c.chain_id, s.chain_id) as chain_id, s.head, c.number, c.start_block, c.verified_to, c.reorgs,
       s.endpoints, s.agreeing, s.last_error, s.updated_at, coalesce(j.jobs, 0) as jobs, coalesce(j.reading, 0) as reading,
       coalesce(j.gaps, 0) as gaps
     from chain_cursor c
     full join chain_status s on s.chain_id = c.chain_id
     left join lateral (
       select count(*) filter (where phase <> 'done') as jobs, count(*) filter (where phase = 'read') as reading,
         count(*) filter (where phase = 'done' and scope = 'gap') as gaps
       from backfill_job where chain_id = c.chain_id) j on true
     order by 1`,
  )
  return rows.map((row) => ({
    chainId: row.chain_id,
    head: row.head ?? undefined,
    cursor: row.number ?? undefined,
    startBlock: row.start_block ?? undefined,
    verifiedTo: row.verified_to ?? undefined,
    reorgs: row.reorgs ?? 0,
    gapsRead: row.gaps,
    openJobs: row.jobs,
    readingJobs: row.reading,
    endpoints: row.endpoints ?? undefined,
    agreeing: row.agreeing ?? undefined,
    lastError: row.last_error ?? undefined,
    seenAt: row.updated_at ?? undefined,
  }))
}
