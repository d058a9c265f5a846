/**
 * Is it keeping up: each watched chain as a person wants to know it, for the status page, `gatewatch status` and the
 * metrics alike.
 */
import { z } from 'zod'
import { type Config, EVM_CHAINS } from '../../config/config.ts'
import type { Queryable } from '../../platform/database.ts'
import { findChain } from '../chains/chains.ts'
import { type ChainStatus, getStatuses } from './chain-status-rows.ts'

export const CHAIN_STATES = ['keeping_up', 'reading_history', 'behind', 'not_watched'] as const

export const watchedChainStatus = z.object({
  chain: z.string(),
  state: z.enum(CHAIN_STATES).describe('not_watched: no process has told of this chain for a minute'),
  head: z.int().nullable(),
  lastBlockRead: z.int().nullable(),
  lag: z.int().nullable().describe('Blocks between the head and the last block read, confirmations not counted'),
  historyFrom: z.int().nullable().describe('Events are complete from this block on, once no history is being read'),
  readTwiceTo: z.int().nullable().describe('The second pass has confirmed every block up to this one'),
  historyJobsOpen: z.int().describe('Stretches being read, or waiting to be read a second time'),
  gapsReread: z.int().describe('Stretches nobody watched at the time, read afterwards'),
  reorgs: z.int(),
  endpoints: z.int().nullable(),
  endpointsAgreeing: z.int().nullable().describe('Endpoints that stand by our last block'),
  seenAt: z.iso.datetime().nullable(),
})
export type WatchedChainStatus = z.infer<typeof watchedChainStatus>

/** What operators see besides: the words of a fault can name a node. */
export type OperatorChainStatus = WatchedChainStatus & { readonly lastError: string | null }

/** The watcher tells every five seconds. */
const SILENT_AFTER_MS = 60_000
/** A chain this much older than its head is behind, whatever its block time. */
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

type Yardstick = { readonly confirmations: number; readonly blockTimeMs: number; readonly now: number }

export function describeChain(
  slug: string,
  status: ChainStatus | undefined,
  { confirmations, blockTimeMs, now }: Yardstick,
): OperatorChainStatus {
  const { head, cursor } = status ?? {}
  const lag = head === undefined || cursor === undefined ? undefined : Math.max(0, head - confirmations - cursor)
  const isSilent = status?.seenAt === undefined || now - status.seenAt.getTime() > SILENT_AFTER_MS
  const isBehind = lag === undefined || lag * blockTimeMs > BEHIND_AFTER_MS
  const state = isSilent
    ? 'not_watched'
    : isBehind
      ? 'behind'
      : status.jobsReading > 0
        ? 'reading_history'
        : 'keeping_up'
  return {
    chain: slug,
    state,
    head: head ?? null,
    lastBlockRead: cursor ?? null,
    lag: lag ?? null,
    historyFrom: status?.startBlock ?? null,
    readTwiceTo: status?.verifiedTo ?? null,
    historyJobsOpen: status?.jobsOpen ?? 0,
    gapsReread: status?.gapsReread ?? 0,
    reorgs: status?.reorgs ?? 0,
    endpoints: status?.endpoints ?? null,
    endpointsAgreeing: status?.agreeing ?? null,
    seenAt: status?.seenAt?.toISOString() ?? null,
    lastError: status?.lastError ?? null,
  }
}
