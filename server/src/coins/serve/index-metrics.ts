/** Prometheus gauges of the coin indexes. */
import { type ChainGauges, type Metrics, registerChainGauges } from '../../lib/metrics.ts'
import type { ChainId } from '../networks/network.ts'
import { type IndexStatus, indexStatusOf } from './index-status.ts'
import type { ServedChains } from './served-chain.ts'

const GAUGES: ChainGauges<IndexStatus> = {
  gatewatch_coin_index_height: ['The last block in the index', ({ indexHeight }) => indexHeight],
  gatewatch_coin_node_height: ["The last block of the node's chain", ({ nodeHeight }) => nodeHeight],
  gatewatch_coin_lag_blocks: ['Blocks the index is behind its node', ({ lag }) => lag],
  gatewatch_coin_synced: [
    '1 while the index is synced and serves requests',
    ({ state }) => (state === 'keeping_up' ? 1 : 0),
  ],
}

export function measureIndexes(metrics: Metrics, served: ServedChains, chains: readonly ChainId[]): void {
  registerChainGauges(metrics, GAUGES, () => chains.map((chain) => indexStatusOf(chain, served.find(chain))))
}
