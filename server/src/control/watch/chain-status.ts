/** The status of each watched chain, for the status page, `gatewatch status` and the metrics. */
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Hex } from '../../lib/hex.ts'
import { instant } from '../../lib/http/params.ts'
import { type ChainGauges, type Metrics, registerChainGauges } from '../../lib/metrics.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { findChain } from '../chains/chains.ts'

export const CHAIN_STATES = ['in_sync', 'reading_history', 'behind', 'unreachable', 'not_watched'] as const

export const watchedChainStatus = z.object({
  chain: z.string(),
  state: z
    .enum(CHAIN_STATES)
    .describe(
      'unreachable: no endpoint has returned the head for a minute; not_watched: no process has reported this chain for a minute',
    ),
  head: z.int().nullable(),
  headAt: instant.nullable().describe('When an endpoint last returned the head'),
  headChangedAt: instant.nullable().describe('When the head last changed'),
  lastBlockRead: z.int().nullable(),
  lag: z.int().nullable().describe('Blocks between the head and the last block read, confirmations not counted'),
  historyFrom: z.int().nullable().describe('Events are complete from this block on once all history is read'),
  verifiedTo: z.int().nullable().describe('The second pass has verified every block up to this one'),
  openJobs: z.int().describe('Backfill jobs that are reading or wait for the second pass'),
  gapsRead: z.int().describe('Gaps of downtime that were read afterwards'),
  reorgs: z.int(),
  endpoints: z.int().nullable(),
  endpointsAgreeing: z.int().nullable().describe('Endpoints that serve the last block read'),
  seenAt: instant.nullable(),
})
export type WatchedChainStatus = z.infer<typeof watchedChainStatus>

/** What operators see in addition. An error message can name an endpoint. */
export type OperatorChainStatus = WatchedChainStatus & { readonly lastError: string | null }

/** The watcher reports every five seconds. */
const SILENT_AFTER_MS = 60_000
/** The head is requested at least every ten seconds. */
export const UNREACHABLE_AFTER_MS = 60_000
/** A lag of more than this time counts as behind, whatever the block time. */
const BEHIND_AFTER_MS = 60_000

export async function getChainStatuses(
  { database }: { readonly database: Queryable },
  { evmChains }: Pick<Config, 'evmChains'>,
  now: number,
): Promise<readonly OperatorChainStatus[]> {
  const statuses = new Map((await getStatuses(database)).map((status) => [status.chainId, status]))
  return Object.keys(evmChains).flatMap((slug) => {
    const [settings, chain] = [evmChains[slug], findChain(slug)]
    if (settings === undefined || chain === undefined) return []
    return describeChain(slug, statuses.get(chain.id), {
      confirmations: settings.confirmations ?? chain.confirmations,
      blockTimeMs: chain.blockTimeMs,
      now,
    })
  })
}

type ChainTiming = { readonly confirmations: number; readonly blockTimeMs: number; readonly now: number }

export function describeChain(
  slug: string,
  status: ChainStatus | undefined,
  { confirmations, blockTimeMs, now }: ChainTiming,
): OperatorChainStatus {
  const { head, cursor } = status ?? {}
  const lag = head === undefined || cursor === undefined ? undefined : Math.max(0, head - confirmations - cursor)
  const isSilent = status?.seenAt === undefined || now - status.seenAt.getTime() > SILENT_AFTER_MS
  // The lag to an old head says nothing: without a recent head, the chain is not in sync.
  const isUnreachable = status?.headAt === undefined || now - status.headAt.getTime() > UNREACHABLE_AFTER_MS
  const isBehind = lag === undefined || lag * blockTimeMs > BEHIND_AFTER_MS
  const following = status !== undefined && status.readingJobs > 0 ? 'reading_history' : 'in_sync'
  const state = isSilent ? 'not_watched' : isUnreachable ? 'unreachable' : isBehind ? 'behind' : following
  return {
    chain: slug,
    state,
    // The head is stored less often than the blocks that were read.
    head: head === undefined ? null : Math.max(head, cursor ?? 0),
    headAt: status?.headAt?.toISOString() ?? null,
    headChangedAt: status?.headChangedAt?.toISOString() ?? null,
    lastBlockRead: cursor ?? null,
    lag: lag ?? null,
    historyFrom: status?.startBlock ?? null,
    verifiedTo: status?.verifiedTo ?? null,
    openJobs: status?.openJobs ?? 0,
    gapsRead: status?.gapsRead ?? 0,
    reorgs: status?.reorgs ?? 0,
    endpoints: status?.endpoints ?? null,
    endpointsAgreeing: status?.agreeing ?? null,
    seenAt: status?.seenAt?.toISOString() ?? null,
    lastError: status?.lastError ?? null,
  }
}

/** The stored status of a chain. */
export type ChainStatus = {
  readonly chainId: number
  readonly head: number | undefined
  /** When an endpoint last returned the head. */
  readonly headAt: Date | undefined
  readonly headChangedAt: Date | undefined
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

/** What the watcher of a chain reports. */
export type WatchReport = {
  readonly head: number | undefined
  /** The time since an endpoint last returned the head. Undefined if none has. */
  readonly headAgeMs: number | undefined
  readonly lastError: string | undefined
}

export async function saveStatus(
  database: Queryable,
  chainId: number,
  { head, headAgeMs, lastError }: WatchReport,
): Promise<void> {
  // An age, because the clocks of process and database can differ.
  await database.query(
    sql`insert into chain_status as s (chain_id, head, last_error, head_at, head_changed_at)
     values ($1, $2, $3, now() - $4 * interval '1 millisecond', case when $2::bigint is not null then now() end)
     on conflict (chain_id) do update set
       head = coalesce(excluded.head, s.head), last_error = excluded.last_error, updated_at = now(),
       head_at = coalesce(excluded.head_at, s.head_at),
       head_changed_at = case when s.head_changed_at is null or excluded.head <> s.head
         then excluded.head_changed_at else s.head_changed_at end`,
    [chainId, head ?? null, lastError ?? null, headAgeMs ?? null],
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
  head_at: Date | null
  head_changed_at: Date | null
}

async function getStatuses(database: Queryable): Promise<readonly ChainStatus[]> {
  const { rows } = await database.query<Row>(
    sql`select coalesce(c.chain_id, s.chain_id) as chain_id, s.head, c.number, c.start_block, c.verified_to, c.reorgs,
       s.endpoints, s.agreeing, s.last_error, s.updated_at, s.head_at,
       s.head_changed_at, coalesce(j.jobs, 0) as jobs, coalesce(j.reading, 0) as reading,
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
    headAt: row.head_at ?? undefined,
    headChangedAt: row.head_changed_at ?? undefined,
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

type MetricsDeps = { readonly database: Queryable; readonly clock: Clock; readonly metrics: Metrics }

/** Seconds from an instant to the time of the scrape. */
const ageOf = (instant: string | null, now: number): number | null =>
  instant === null ? null : Math.max(0, now - Date.parse(instant)) / 1_000

type Scraped = OperatorChainStatus & { readonly now: number }

const GAUGES: ChainGauges<Scraped> = {
  gatewatch_chain_head_block: ['The highest block reported by an endpoint', ({ head }) => head],
  gatewatch_chain_cursor_block: ['The last block read', ({ lastBlockRead }) => lastBlockRead],
  gatewatch_chain_lag_blocks: ['Blocks behind the head, confirmations not counted', ({ lag }) => lag],
  gatewatch_chain_verified_block: ['The second pass has verified every block up to this one', (s) => s.verifiedTo],
  gatewatch_chain_backfill_jobs: ['Backfill jobs that are not done', ({ openJobs }) => openJobs],
  gatewatch_chain_reorgs: ['Reorgs since the chain is watched', ({ reorgs }) => reorgs],
  gatewatch_chain_endpoints: ['Endpoints configured', ({ endpoints }) => endpoints],
  gatewatch_chain_endpoints_agreeing: ['Endpoints that serve the last block read', (s) => s.endpointsAgreeing],
  gatewatch_chain_head_age_seconds: [
    'Time since an endpoint last returned the head',
    ({ headAt, now }) => ageOf(headAt, now),
  ],
  gatewatch_chain_head_unchanged_seconds: ['Time since the head last changed', (s) => ageOf(s.headChangedAt, s.now)],
  gatewatch_chain_reachable: [
    '1 while an endpoint has returned the head within a minute',
    ({ state }) => (state === 'not_watched' ? null : state === 'unreachable' ? 0 : 1),
  ],
  gatewatch_chain_behind: [
    '1 while the last block read is more than a minute behind, or the head is unknown for a minute',
    ({ state }) => (state === 'behind' || state === 'unreachable' ? 1 : 0),
  ],
  gatewatch_chain_watched: ['1 while a process watches the chain', ({ state }) => (state === 'not_watched' ? 0 : 1)],
}

/** Registers Prometheus gauges of the watched chains, read from the database so that every serving process has them. */
export function measureChains({ database, clock, metrics }: MetricsDeps, config: Pick<Config, 'evmChains'>): void {
  /** All gauges of one scrape share one query. */
  let cached: { readonly at: number; readonly statuses: Promise<readonly Scraped[]> } | undefined
  const read = () => {
    const now = clock.now()
    if (cached === undefined || now - cached.at > 1_000) {
      const statuses = getChainStatuses({ database }, config, now)
      cached = { at: now, statuses: statuses.then((all) => all.map((one) => ({ ...one, now }))).catch(() => []) }
    }
    return cached.statuses
  }
  registerChainGauges(metrics, GAUGES, read)
}
