/**
 * What fees are at this moment, for every endpoint that needs to know, from the best that can be had: the node's own
 * mining order, the mempool view, the node's estimates, recent blocks.
 *
 * Owns the order of these sources and how long an answer serves. Asks at most once at a time for each chain.
 */
import type { Clock } from '../../lib/clock.ts'
import {
  type FeeHistory,
  feeHistory,
  longTermRate,
  type Tiers,
  tiersOfBlocks,
  tiersOfEstimates,
  tiersOfHistory,
} from '../fees/fee-tiers.ts'
import { miningOrder, type PendingTx } from '../fees/mining-order.ts'
import { chunksOfDiagram, type ProjectedBlock, projectBlocks } from '../fees/projected-blocks.ts'
import { findBlockRow } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { withSnapshot } from '../index/kv.ts'
import type { MempoolView } from '../mempool/mempool-view.ts'
import type { BlockRef } from '../node/block-source.ts'
import type { ServedChain } from './served-chain.ts'

export type FeeSource = 'mempool-diagram' | 'mempool' | 'estimatesmartfee' | 'recent-blocks' | 'cached'

export type FeeQuote = {
  readonly tiers: Tiers
  /** The lowest rate the node relays. */
  readonly min: number
  readonly climate: FeeHistory
  readonly longTermRate: number
  readonly source: FeeSource
  /** The blocks to come, the next one first; none where the mempool is not known. */
  readonly blocks: readonly ProjectedBlock[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

export type FeeService = { readonly quote: (chain: ServedChain) => Promise<FeeQuote> }

/** Long enough that a crowd of requests projects one mempool, short enough that nobody notices. */
const FRESH_MS = 3_000
/** What was said for want of a mempool is asked again sooner: it is known moments after a block. */
const MAKESHIFT_MS = 250
/** What waited so long ago says more than what was mined since. */
const REMEMBERED_MS = 600_000
/** Where no node tells: Core's default until version 29. */
const DEFAULT_MIN = 1
const CLIMATE_DAYS = 30
/** Chains with more blocks in that time are sampled. */
const CLIMATE_BLOCKS = 4_320
/** Targets of the node's estimates, for urgent, high, medium and low. */
const TARGETS = [2, 3, 6, 144]
/** An estimate beyond this many times what recent blocks paid is a fault of the node. */
const SANE = 5
/** Blocks late by this many intervals: a node that knows so little estimates nothing. */
const STALE_INTERVALS = 6

type Kept = {
  climate: { readonly tip: string; readonly value: FeeHistory } | undefined
  quote: { readonly tip: string; readonly value: FeeQuote } | undefined
  asking: Promise<FeeQuote> | undefined
}

export function createFeeService({ clock }: { readonly clock: Clock }): FeeService {
  const kept = new WeakMap<ServedChain, Kept>()
  const keptOf = (chain: ServedChain): Kept => {
    const known = kept.get(chain) ?? { climate: undefined, quote: undefined, asking: undefined }
    kept.set(chain, known)
    return known
  }

  function climateOf(chain: ServedChain, tip: BlockRef, min: number): FeeHistory {
    const own = keptOf(chain)
    if (own.climate?.tip !== tip.hash)
      own.climate = { tip: tip.hash, value: feeHistory(recentMedians(chain, tip), min) }
    return own.climate.value
  }

  async function ask(chain: ServedChain, tip: BlockRef): Promise<FeeQuote> {
    const own = keptOf(chain)
    // A node that does not answer is not the caller's trouble: there is always something older to say.
    const info = await chain.node?.getMempoolInfo().catch(() => undefined)
    const lastMin = own.quote?.value.min ?? DEFAULT_MIN
    const min = info === undefined ? lastMin : Math.max(info.mempoolminfee, info.minrelaytxfee) / 1000
    const climate = climateOf(chain, tip, min)
    const told = await bestTiers(chain, tip, { min, climate, now: clock.now() })
    const previous = own.quote?.value
    const isCached =
      told.source === 'recent-blocks' &&
      previous !== undefined &&
      previous.source !== 'recent-blocks' &&
      clock.now() - previous.at < REMEMBERED_MS
    const { tiers, source, blocks } = isCached
      ? { tiers: previous.tiers, source: 'cached' as const, blocks: previous.blocks }
      : told
    return {
      tiers,
      blocks,
      min,
      climate,
      longTermRate: longTermRate(climate),
      source,
      at: isCached ? previous.at : clock.now(),
    }
  }

  return {
    quote: async (chain) => {
      const own = keptOf(chain)
      const tip = indexTip(chain.index) ?? { height: 0, hash: '' }
      const last = own.quote
      if (last?.tip === tip.hash && clock.now() - last.value.at < freshFor(last.value.source)) return last.value
      own.asking ??= ask(chain, tip).finally(() => {
        own.asking = undefined
      })
      const value = await own.asking
      own.quote = { tip: tip.hash, value }
      return value
    },
  }
}

const freshFor = (source: FeeSource): number => (source.startsWith('mempool') ? FRESH_MS : MAKESHIFT_MS)

type Ground = { readonly min: number; readonly climate: FeeHistory; readonly now: number }
type Told = Pick<FeeQuote, 'tiers' | 'source' | 'blocks'>

async function bestTiers(chain: ServedChain, tip: BlockRef, ground: Ground): Promise<Told> {
  const { node, mempool } = chain
  const { min, climate } = ground
  const diagram = await node?.findFeeDiagram().catch(() => undefined)
  if (diagram !== undefined) {
    const blocks = projectBlocks(chunksOfDiagram(diagram))
    return { tiers: tiersOfBlocks(blocks, min), source: 'mempool-diagram', blocks }
  }
  if (mempool.blockHash !== undefined && mempool.blockHash === tip.hash) {
    const blocks = projectBlocks(miningOrder(pendingTxs(mempool)))
    return { tiers: tiersOfBlocks(blocks, min), source: 'mempool', blocks }
  }
  if (node !== undefined && !isStale(chain, tip, ground.now)) {
    const estimates = await Promise.all(TARGETS.map((blocks) => node.findFeeEstimate(blocks).catch(() => undefined)))
    const most = Math.max(min, SANE * climate.p90)
    const tiers = tiersOfEstimates(estimates, { min, most })
    if (tiers !== undefined) return { tiers, source: 'estimatesmartfee', blocks: [] }
  }
  return { tiers: tiersOfHistory(climate, min), source: 'recent-blocks', blocks: [] }
}

/** What waits, for the projection. */
export function pendingTxs(mempool: MempoolView): PendingTx[] {
  return Array.from(mempool.txids()).flatMap((txid) => {
    const tx = mempool.find(txid)
    if (tx === undefined) return []
    return [{ txid, fee: tx.fee, vsize: tx.minedVsize, parents: tx.inputs.map((input) => input.txid) }]
  })
}

function isStale({ index, network }: ServedChain, tip: BlockRef, now: number): boolean {
  const row = withSnapshot(index.kv, (reader) => findBlockRow(reader, tip.height))
  const time = row?.header.readUInt32LE(68) ?? 0
  return now / 1000 - time > STALE_INTERVALS * network.blockInterval
}

/** Medians of recent blocks; one that holds nothing but its first transaction says nothing. */
function recentMedians({ index, network }: ServedChain, tip: BlockRef): number[] {
  const count = Math.min(tip.height, Math.floor((CLIMATE_DAYS * 86_400) / network.blockInterval))
  const stride = Math.ceil(count / CLIMATE_BLOCKS)
  return withSnapshot(index.kv, (reader) => {
    const medians: number[] = []
    for (let height = tip.height; height > tip.height - count; height -= stride) {
      const row = findBlockRow(reader, height)
      if (row !== undefined && row.txCount > (row.hogEx ? 2 : 1)) medians.push(row.feeRates[2] ?? 0)
    }
    return medians
  })
}

export async function getFees(feeService: FeeService, chain: ServedChain) {
  const { tiers, source, at } = await feeService.quote(chain)
  return {
    ...tiers,
    unit: 'sat/vB' as const,
    source,
    mempoolSize: chain.state().mempoolSize,
    timestamp: new Date(at).toISOString(),
  }
}
