/** The status of each watched chain, for the status page, `gatewatch status` and the metrics. */
import { z } from 'zod'
import { type Config, EVM_CHAINS } from '../../config/config.ts'
import type { Queryable } from '../../platform/database.ts'
import { findChain } from '../chains/chains.ts'
import { type ChainStatus, getStatuses } from './chain-status-rows.ts'

export const CHAIN_STATES = ['in_sync', 'reading_history', 'behind', 'not_watched'] as const

export const watchedChainStatus = z.object({
  chain: z.string(),
  state: z.enum(CHAIN_STATES).describe('not_watched: no process has reported this chain for a minute'),
  head: z.int().nullable(),
  lastBlockRead: z.int().nullable(),
  lag: z.int().nullable().describe('Blocks between the head and the last block read, confirmations not counted'),
  historyFrom: z.int().nullable().describe('Events are complete from this block on once all history is read'),
  verifiedTo: z.int().nullable().describe('The second pass has verified every block up to this one'),
  openJobs: z.int().describe('Backfill jobs that are reading or wait for the second pass'),
  gapsRead: z.int().describe('Gaps of downtime that were read afterwards'),
  reorgs: z.int(),
  endpoints: z.int().nullable(),
  endpointsAgreeing: z.int().nullable().describe('Endpoints that serve the last block read'),
  seenAt: z.iso.datetime().nullable(),
})
export type WatchedChainStatus = z.infer<typeof watchedChainStatus>

/** What operators see in addition. An error message can name an endpoint. */
export type OperatorChainStatus = WatchedChainStatus & { readonly lastError: string | null }

/** The watcher reports every five seconds. */
const SILENT_AFTER_MS = 60_000
/** A lag of more than this time counts as behind, whatever the block time. */
const BEHIND_AFTER_MS = 60_000

export async function getChainStatuses(
  { database }: { readonly database: Queryable },
  { evmChains }: Pick<Config, 'evmChains'>,
  now: number,
): Promise<readonly OperatorChainStatus[]> {
  const statuses = new Map((await getStatuses(database)).map((status) => [status.chainId, status]))
  return EVM_CHAINS.flatMap((slug) => {
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
  const isBehind = lag === undefined || lag * blockTimeMs > BEHIND_AFTER_MS
  const state = isSilent ? 'not_watched' : isBehind ? 'behind' : status.readingJobs > 0 ? 'reading_history' : 'in_sync'
  return {
    chain: slug,
    state,
    head: head ?? null,
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
