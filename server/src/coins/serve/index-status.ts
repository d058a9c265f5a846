/** The state of each coin index relative to its node, for the status page, `gatewatch status` and the metrics. */
import { Gauge } from 'prom-client'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import { instant } from '../../lib/http/params.ts'
import { type ChainGauges, type Metrics, registerChainGauges } from '../../lib/metrics.ts'
import { openCoinIndexToRead } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { findIndexId } from '../index/index-marker.ts'
import { indexPath, type WriterOptions } from '../index/index-writer.ts'
import { openLmdbKv } from '../index/kv-lmdb.ts'
import type { ChainId } from '../networks/network.ts'
import { connectSource, REQUEST_TIMEOUT_MS } from '../node/connect-source.ts'
import type { RunningCoins } from './run-coins.ts'
import {
  ALLOWED_LAG,
  COIN_LOOPS,
  type CoinFault,
  isSameChain,
  isSynced,
  type ServedChain,
  type ServedChains,
} from './served-chain.ts'

export const INDEX_STATES = ['in_sync', 'behind', 'unreachable', 'not_indexed'] as const

export const indexStatus = z.object({
  chain: z.string(),
  network: z.string().nullable(),
  state: z
    .enum(INDEX_STATES)
    .describe('unreachable: the node cannot be used; not_indexed: the index does not exist yet'),
  indexHeight: z.int().nullable(),
  nodeHeight: z.int().nullable(),
  lag: z.int().nullable(),
  source: z.string().nullable().describe('The node or the block files that the index reads'),
  faults: z
    .array(z.object({ loop: z.enum(COIN_LOOPS), code: z.string(), since: instant }))
    .describe('The loops of the chain that do not work'),
})
export type IndexStatus = z.infer<typeof indexStatus>

const NOT_INDEXED = {
  network: null,
  state: 'not_indexed',
  indexHeight: null,
  nodeHeight: null,
  lag: null,
  source: null,
} as const

export function indexStatusOf(
  chain: ChainId,
  served: ServedChain | undefined,
  faults: readonly CoinFault[] = [],
): IndexStatus {
  const known = faults.map(({ loop, code, since }) => ({ loop, code, since: new Date(since).toISOString() }))
  if (served === undefined) {
    const isUnreachable = faults.some(({ loop }) => loop === 'reader')
    return { ...NOT_INDEXED, ...(isUnreachable && { state: 'unreachable' }), chain, faults: known }
  }
  const own = indexTip(served.index)
  const { tip } = served.state()
  return {
    chain,
    network: served.network.name,
    state: isSynced(served) ? 'in_sync' : 'behind',
    ...heights(own?.height, tip?.height),
    source: served.sourceName,
    faults: known,
  }
}

const heights = (index: number | undefined, node: number | undefined) => ({
  indexHeight: index ?? null,
  nodeHeight: node ?? null,
  lag: index === undefined || node === undefined ? null : Math.max(0, node - index),
})

/** The state is unknown if the node does not respond or the index cannot be opened. */
export type IndexCheck = Omit<IndexStatus, 'state' | 'faults'> & {
  readonly state: IndexStatus['state'] | 'unknown'
  readonly lastError: string | null
}

const otherChain = (chain: ChainId, source: string): string =>
  `${source} does not have the blocks of the index. Either the node is reindexing, or it follows another chain. If this ` +
  `persists, check that it is the right node, then stop Gatewatch and run gatewatch reindex ${chain}.`

/** Compares an index with its node without the running service, for the command line. */
export async function checkIndex(options: WriterOptions): Promise<IndexCheck> {
  const { chain, dataDir } = options
  try {
    const { network, source, name, close } = await connectSource({ timeoutMs: REQUEST_TIMEOUT_MS, ...options })
    try {
      const tip = await source.getTip()
      const path = indexPath(dataDir, network)
      const known = { chain, network: network.name, source: name, lastError: null }
      if (findIndexId(path) === undefined) return { ...NOT_INDEXED, ...known, ...heights(undefined, tip.height) }
      const kv = openLmdbKv({ path, readOnly: true })
      try {
        const index = openCoinIndexToRead(kv, network, path)
        const own = index === undefined ? undefined : indexTip(index)
        const compared = { ...known, ...heights(own?.height, tip.height) }
        if (index === undefined || own === undefined) return { ...compared, state: 'not_indexed' }
        if (!(await isSameChain(source, index)))
          return { ...compared, state: 'behind', lastError: otherChain(chain, name) }
        return { ...compared, state: tip.height - own.height > ALLOWED_LAG ? 'behind' : 'in_sync' }
      } finally {
        await kv.close()
      }
    } finally {
      await close()
    }
  } catch (error) {
    return { ...NOT_INDEXED, chain, state: 'unknown', lastError: reasonOf(error) }
  }
}

const GAUGES: ChainGauges<IndexStatus> = {
  gatewatch_coin_index_height: ['The last block in the index', ({ indexHeight }) => indexHeight],
  gatewatch_coin_node_height: ["The last block of the node's chain", ({ nodeHeight }) => nodeHeight],
  gatewatch_coin_lag_blocks: ['Blocks the index is behind its node', ({ lag }) => lag],
  gatewatch_coin_synced: [
    '1 while the index is synced and serves requests',
    ({ state }) => (state === 'in_sync' ? 1 : 0),
  ],
}

export function measureIndexes(metrics: Metrics, served: ServedChains, chains: readonly ChainId[]): void {
  registerChainGauges(metrics, GAUGES, () => chains.map((chain) => indexStatusOf(chain, served.find(chain))))
}

/** Registers the gauge of the loops of this process. */
export function measureLoops(metrics: Metrics, { loops }: Pick<RunningCoins, 'loops'>, clock: Clock): void {
  metrics.registerMetric(
    new Gauge({
      name: 'gatewatch_coin_loop_down_seconds',
      help: 'For how long a loop has not worked, with the code of its last error; 0 while it works',
      labelNames: ['chain', 'loop', 'code'],
      registers: [],
      collect() {
        this.reset()
        for (const { chain, loop, fault } of loops()) {
          const seconds = fault === undefined ? 0 : Math.max(0.001, (clock.now() - fault.since) / 1_000)
          this.set({ chain, loop, code: fault?.code ?? '' }, seconds)
        }
      },
    }),
  )
}
