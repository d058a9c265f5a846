/** Prometheus gauges of the watched chains, read from the database so that every serving process has them. */
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { type ChainGauges, type Metrics, registerChainGauges } from '../../lib/metrics.ts'
import type { Queryable } from '../../platform/database.ts'
import { getChainStatuses, type OperatorChainStatus } from './chain-status.ts'

type Deps = { readonly database: Queryable; readonly clock: Clock; readonly metrics: Metrics }

const GAUGES: ChainGauges<OperatorChainStatus> = {
  gatewatch_chain_head_block: ['The highest block reported by an endpoint', ({ head }) => head],
  gatewatch_chain_cursor_block: ['The last block read', ({ lastBlockRead }) => lastBlockRead],
  gatewatch_chain_lag_blocks: ['Blocks behind the head, confirmations not counted', ({ lag }) => lag],
  gatewatch_chain_verified_block: ['The second pass has verified every block up to this one', (s) => s.verifiedTo],
  gatewatch_chain_backfill_jobs: ['Backfill jobs that are not done', ({ openJobs }) => openJobs],
  gatewatch_chain_reorgs: ['Reorgs since the chain is watched', ({ reorgs }) => reorgs],
  gatewatch_chain_endpoints: ['Endpoints configured', ({ endpoints }) => endpoints],
  gatewatch_chain_endpoints_agreeing: ['Endpoints that serve the last block read', (s) => s.endpointsAgreeing],
  gatewatch_chain_behind: [
    '1 while the last block read is more than a minute behind',
    ({ state }) => (state === 'behind' ? 1 : 0),
  ],
  gatewatch_chain_watched: ['1 while a process watches the chain', ({ state }) => (state === 'not_watched' ? 0 : 1)],
}

export function measureChains({ database, clock, metrics }: Deps, config: Pick<Config, 'evmChains'>): void {
  /** All gauges of one scrape share one query. */
  let cached: { readonly at: number; readonly statuses: Promise<readonly OperatorChainStatus[]> } | undefined
  const read = () => {
    if (cached === undefined || clock.now() - cached.at > 1_000)
      cached = { at: clock.now(), statuses: getChainStatuses({ database }, config, clock.now()).catch(() => []) }
    return cached.statuses
  }
  registerChainGauges(metrics, GAUGES, read)
}
