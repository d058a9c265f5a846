/** The watched chains in Prometheus' words. Read from the database, so that every process that serves can tell. */
import { Gauge } from 'prom-client'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Queryable } from '../../platform/database.ts'
import { getChainStatuses, type OperatorChainStatus } from './chain-status.ts'

type Deps = { readonly database: Queryable; readonly clock: Clock; readonly metrics: Metrics }

const FIGURES: Readonly<Record<string, readonly [help: string, of: (status: OperatorChainStatus) => number | null]>> = {
  gatewatch_chain_head_block: ['The highest block any endpoint told of', ({ head }) => head],
  gatewatch_chain_cursor_block: ['The last block read', ({ lastBlockRead }) => lastBlockRead],
  gatewatch_chain_lag_blocks: ['Blocks behind the head, confirmations not counted', ({ lag }) => lag],
  gatewatch_chain_read_twice_block: ['The second pass has confirmed every block up to here', (s) => s.readTwiceTo],
  gatewatch_chain_history_jobs: ['Stretches of history still to read', ({ historyJobsOpen }) => historyJobsOpen],
  gatewatch_chain_rewinds: ['Reorganisations met', ({ reorgs }) => reorgs],
  gatewatch_chain_endpoints: ['Endpoints configured', ({ endpoints }) => endpoints],
  gatewatch_chain_endpoints_agreeing: ['Endpoints that stand by our last block', (s) => s.endpointsAgreeing],
  gatewatch_chain_behind: [
    '1 while more than a minute of blocks is not read',
    ({ state }) => (state === 'behind' ? 1 : 0),
  ],
  gatewatch_chain_watched: ['1 while a process watches the chain', ({ state }) => (state === 'not_watched' ? 0 : 1)],
}

export function measureChains({ database, clock, metrics }: Deps, config: Pick<Config, 'evmChains'>): void {
  /** All gauges of one scrape share one query. */
  let asked: { readonly at: number; readonly statuses: Promise<readonly OperatorChainStatus[]> } | undefined
  const ask = () => {
    if (asked === undefined || clock.now() - asked.at > 1_000)
      asked = { at: clock.now(), statuses: getChainStatuses({ database }, config, clock.now()).catch(() => []) }
    return asked.statuses
  }
  for (const [name, [help, of]] of Object.entries(FIGURES))
    metrics.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['chain'],
        registers: [],
        async collect() {
          this.reset() // a figure that is not known is left out: an old one would look alive
          for (const status of await ask()) {
            const value = of(status)
            if (value !== null) this.set({ chain: status.chain }, value)
          }
        },
      }),
    )
}
