/**
 * Quotes the current fee rates of a chain from the best source available: the node's fee rate diagram, the mempool
 * view, the node's estimates, recent blocks.
 *
 * Quotes are cached for a short time, and at most one is computed per chain and tip at a time.
 */
import { type Clock, systemTiming } from '../../lib/clock.ts'
import {
  type FeeHistory,
  feeHistory,
  longTermRate,
  type Tiers,
  tiersOfBlocks,
  tiersOfEstimates,
  tiersOfHistory,
} from '../fees/fee-tiers.ts'
import { type ProjectedBlock, ratePercentiles } from '../fees/projected-blocks.ts'
import { findBlockRow } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { withSnapshot } from '../index/kv.ts'
import type { BlockRef } from '../node/block-source.ts'
import { FEES_TIMEOUT_MS } from '../node/connect-source.ts'
import { NodeUnreachableError } from '../node/node-errors.ts'
import { type Projector, projectInThisThread } from './project-mempool.ts'
import type { ServedChain } from './served-chain.ts'

export type FeeSource = 'mempool-diagram' | 'mempool' | 'estimatesmartfee' | 'recent-blocks' | 'cached'

export type FeeQuote = {
  readonly tiers: Tiers
  /** The lowest rate that the node relays. */
  readonly min: number
  readonly feeHistory: FeeHistory
  readonly longTermRate: number
  readonly source: FeeSource
  /** Projected blocks, the next one first; empty if the mempool is unknown. */
  readonly blocks: readonly ProjectedBlock[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

export type FeeService = { readonly quote: (chain: ServedChain) => Promise<FeeQuote> }

/** Requests within this time share one projection of the mempool. */
const FRESH_MS = 3_000
/** A quote without a mempool expires sooner, because the mempool view is complete moments after a block. */
const FALLBACK_FRESH_MS = 250
/** A mempool quote of this age is still better than one from recent blocks. */
const REUSABLE_MS = 600_000
/** Pause after a call to which the node did not respond. */
const RETRY_NODE_MS = 10_000
/** Without a node: the default of Bitcoin Core up to version 29.0. */
const DEFAULT_MIN = 1
const HISTORY_DAYS = 30
/** If more blocks were mined in that time, every n-th one is read. */
const MAX_HISTORY_BLOCKS = 4_320
/** Targets of the node's estimates, for urgent, high, medium and low. */
const TARGETS = [2, 3, 6, 144]
/** Estimates are capped at this multiple of the 90th percentile of recent blocks. */
const MAX_TIMES_RECENT = 5
/** The node's estimates are ignored when its last block is older than this many block intervals. */
const STALE_INTERVALS = 6

type ChainQuotes = {
  feeHistory: { readonly tip: string; readonly value: FeeHistory } | undefined
  quote: { readonly tip: string; readonly value: FeeQuote } | undefined
  /** The node is not called before this time, in milliseconds since the epoch. */
  nodeSilentUntil: number
  pending: { readonly tip: string; readonly value: Promise<FeeQuote> } | undefined
}

export function createFeeService({ clock }: { readonly clock: Clock }): FeeService {
  const byChain = new WeakMap<ServedChain, ChainQuotes>()
  const quotesOf = (chain: ServedChain): ChainQuotes => {
    const quotes = byChain.get(chain) ?? {
      feeHistory: undefined,
      quote: undefined,
      nodeSilentUntil: 0,
      pending: undefined,
    }
    byChain.set(chain, quotes)
    return quotes
  }

  function feeHistoryOf(chain: ServedChain, tip: BlockRef, min: number): FeeHistory {
    const own = quotesOf(chain)
    if (own.feeHistory?.tip !== tip.hash)
      own.feeHistory = { tip: tip.hash, value: feeHistory(recentMedians(chain, tip), min) }
    return own.feeHistory.value
  }

  /**
   * Returns a function that calls the node. It returns undefined if the node fails or does not respond in time; then
   * an older quote or recent blocks are used, and the node is not called again for a while.
   */
  function askNode(own: ChainQuotes): AskNode {
    return async (call) => {
      if (clock.now() < own.nodeSilentUntil) return undefined
      const answered = new AbortController()
      const silence = systemTiming.sleep(FEES_TIMEOUT_MS, answered.signal).then((): never => {
        throw new NodeUnreachableError('node', 'no fee rates in time')
      })
      try {
        return await Promise.race([call(), silence])
      } catch (error) {
        if (error instanceof NodeUnreachableError) own.nodeSilentUntil = clock.now() + RETRY_NODE_MS
        return undefined
      } finally {
        answered.abort()
      }
    }
  }

  async function compute(chain: ServedChain, tip: BlockRef): Promise<FeeQuote> {
    const own = quotesOf(chain)
    const ask = askNode(own)
    const [info, diagram] = await Promise.all([
      ask(() => chain.node?.getMempoolInfo()),
      ask(() => projectorOf(chain).ofDiagram()),
    ])
    const lastMin = own.quote?.value.min ?? DEFAULT_MIN
    const min = info === undefined ? lastMin : Math.max(info.mempoolminfee, info.minrelaytxfee) / 1000
    const history = feeHistoryOf(chain, tip, min)
    const best = await bestTiers(chain, tip, { min, feeHistory: history, now: clock.now(), diagram, ask })
    const previous = own.quote?.value
    const isCached =
      best.source === 'recent-blocks' &&
      previous !== undefined &&
      previous.source !== 'recent-blocks' &&
      clock.now() - previous.at < REUSABLE_MS
    const { tiers, source, blocks } = isCached
      ? { tiers: previous.tiers, source: 'cached' as const, blocks: previous.blocks }
      : best
    return {
      tiers,
      blocks,
      min,
      feeHistory: history,
      longTermRate: longTermRate(history),
      source,
      at: isCached ? previous.at : clock.now(),
    }
  }

  return {
    quote: async (chain) => {
      const own = quotesOf(chain)
      const tip = indexTip(chain.index) ?? { height: 0, hash: '' }
      const last = own.quote
      if (last?.tip === tip.hash && clock.now() - last.value.at < freshFor(last.value.source)) return last.value
      if (own.pending?.tip === tip.hash) return own.pending.value
      const pending = { tip: tip.hash, value: compute(chain, tip) }
      own.pending = pending
      try {
        const value = await pending.value
        // A quote for a later tip may have been requested meanwhile. It is the one to keep.
        if (own.pending === pending) own.quote = { tip: tip.hash, value }
        return value
      } finally {
        if (own.pending === pending) own.pending = undefined
      }
    },
  }
}

const freshFor = (source: FeeSource): number =>
  source === 'mempool-diagram' || source === 'mempool' ? FRESH_MS : FALLBACK_FRESH_MS

const projectorOf = ({ projector, node, mempool }: ServedChain): Projector =>
  projector ?? projectInThisThread(node, mempool)

type AskNode = <T>(call: () => Promise<T | undefined> | undefined) => Promise<T | undefined>

type FeeContext = {
  readonly min: number
  readonly feeHistory: FeeHistory
  readonly now: number
  /** The projection of the node's fee rate diagram. */
  readonly diagram: readonly ProjectedBlock[] | undefined
  readonly ask: AskNode
}
type BestTiers = Pick<FeeQuote, 'tiers' | 'source' | 'blocks'>

async function bestTiers(chain: ServedChain, tip: BlockRef, context: FeeContext): Promise<BestTiers> {
  const { node, mempool } = chain
  const { min, feeHistory: history, diagram, ask } = context
  if (diagram !== undefined) {
    return { tiers: tiersOfBlocks(diagram, min), source: 'mempool-diagram', blocks: diagram }
  }
  const blocks =
    mempool.blockHash === tip.hash
      ? await projectorOf(chain)
          .ofView(tip.hash)
          .catch(() => undefined)
      : undefined
  if (blocks !== undefined) return { tiers: tiersOfBlocks(blocks, min), source: 'mempool', blocks }
  if (node !== undefined && !isStale(chain, tip, context.now)) {
    const estimates = await Promise.all(TARGETS.map((blocks) => ask(() => node.findFeeEstimate(blocks))))
    const max = Math.max(min, MAX_TIMES_RECENT * history.p90)
    const tiers = tiersOfEstimates(estimates, { min, max })
    if (tiers !== undefined) return { tiers, source: 'estimatesmartfee', blocks: [] }
  }
  return { tiers: tiersOfHistory(history, min), source: 'recent-blocks', blocks: [] }
}

function isStale({ index, network }: ServedChain, tip: BlockRef, now: number): boolean {
  const row = withSnapshot(index.kv, (reader) => findBlockRow(reader, tip.height))
  const time = row?.header.readUInt32LE(68) ?? 0
  return now / 1000 - time > STALE_INTERVALS * network.blockInterval
}

/** Median fee rates of recent blocks, without blocks that have no fee-paying transaction. */
function recentMedians({ index, network }: ServedChain, tip: BlockRef): number[] {
  const count = Math.min(tip.height, Math.floor((HISTORY_DAYS * 86_400) / network.blockInterval))
  const stride = Math.ceil(count / MAX_HISTORY_BLOCKS)
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

/** Shares of a block's virtual bytes, cheapest first, at which its fee rates are reported. */
export const RATE_SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]

/** The projected blocks as the fee page shows them. */
export async function getProjectedBlocks(feeService: FeeService, chain: ServedChain) {
  const { source, blocks } = await feeService.quote(chain)
  return { source, blocks: blocks.map(projectedBlockView) }
}

const projectedBlockView = ({ vsize, fee, chunks }: ProjectedBlock) => ({
  // Sizes computed from weights have quarters of a virtual byte.
  vsize: Math.ceil(vsize),
  totalFee: fee,
  rates: ratePercentiles(chunks, RATE_SHARES).map((rate) => Math.round(rate * 100) / 100),
})
