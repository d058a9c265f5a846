/**
 * Computes four fee tiers from projected blocks, from the node's estimates or from the fee history.
 *
 * Rates never fall from low to urgent, are never below the relay minimum, and are rounded up. docs/analysis.md explains
 * which block each tier is based on.
 */
import { BLOCK_VSIZE, MAX_BLOCKS, type ProjectedBlock, ratePercentile } from './projected-blocks.ts'

export type Tiers = { readonly low: number; readonly medium: number; readonly high: number; readonly urgent: number }

/** Minimum of the tiers high and urgent: some miners refuse less than one unit per virtual byte. */
const FAST_FLOOR = 1

/** Computes tiers from projected blocks. `min` is the lowest rate that the node relays. */
export function tiersOfBlocks(blocks: readonly ProjectedBlock[], min: number, blockVsize = BLOCK_VSIZE): Tiers {
  const at = (index: number, share: number): number => {
    const block = blocks[index]
    return block === undefined ? min : blockRate(block, share, min, { isLast: index === blocks.length - 1, blockVsize })
  }
  return normalize(
    { urgent: at(0, 0.75), high: at(0, 0.5), medium: at(2, 0.5), low: Math.min(2 * min, at(5, 0.5)) },
    min,
  )
}

/** Blocks up to which the node's estimates of the tiers hold, from urgent to low. */
const TIER_TARGETS = [
  [2, 'urgent'],
  [3, 'high'],
  [143, 'medium'],
] as const

/**
 * Computes the rate for confirmation within so many blocks: the median of the projected block, or the tier whose estimate
 * is for that target. A later target never has a higher rate.
 */
export function rateForTarget(
  target: number,
  { blocks, tiers, min }: { readonly blocks: readonly ProjectedBlock[]; readonly tiers: Tiers; readonly min: number },
  blockVsize = BLOCK_VSIZE,
): number {
  if (target === 1) return tiers.urgent
  if (blocks.length === 0) {
    const [, tier] = TIER_TARGETS.find(([most]) => target <= most) ?? [0, 'low' as const]
    return tiers[tier]
  }
  const rates = blocks
    .slice(0, target)
    .map((block, index) => blockRate(block, 0.5, min, { isLast: index === blocks.length - 1, blockVsize }))
  // Beyond the last projected block there is room for any transaction that nodes relay.
  const rate = target > blocks.length && blocks.length < MAX_BLOCKS ? min : Math.min(...rates)
  return roundUp(Math.max(min, Math.min(tiers.urgent, rate)))
}

/** A block that is at most half full needs only the minimum. In the last block the rate scales with its fullness. */
function blockRate(
  { vsize, chunks }: ProjectedBlock,
  share: number,
  min: number,
  { isLast, blockVsize }: { readonly isLast: boolean; readonly blockVsize: number },
): number {
  const fullness = vsize / blockVsize
  if (fullness <= 0.5) return min
  const rate = ratePercentile(chunks, share)
  return isLast && fullness <= 0.95 ? rate * ((fullness - 0.5) / 0.5) : rate
}

/** Computes tiers from a node's estimates for 2, 3, 6 and 144 blocks. `max` bounds absurd estimates. */
export function tiersOfEstimates(
  estimates: readonly (number | undefined)[],
  { min, max }: { readonly min: number; readonly max: number },
): Tiers | undefined {
  const [urgent, high = urgent, medium = high, low = medium] = estimates
  if (urgent === undefined) return undefined
  const clamp = (rate: number | undefined): number => Math.min(max, Math.max(min, rate ?? min))
  return normalize({ urgent: clamp(urgent), high: clamp(high), medium: clamp(medium), low: clamp(low) }, min)
}

/** Computes tiers from the fee history, if neither mempool nor estimates are available. */
export function tiersOfHistory({ p25, p50, p75, p90 }: FeeHistory, min: number): Tiers {
  return normalize({ urgent: p90, high: p75, medium: p50, low: p25 }, min)
}

/** Raises tiers to their minimums and to the next lower tier, and rounds them up. */
function normalize({ low, medium, high, urgent }: Tiers, min: number): Tiers {
  const lowest = Math.max(min, low)
  const middle = Math.max(lowest, medium)
  const fast = Math.max(middle, high, FAST_FLOOR)
  return {
    low: roundUp(lowest),
    medium: roundUp(middle),
    high: roundUp(fast),
    urgent: roundUp(Math.max(fast, urgent)),
  }
}

/** Rounds up to thousandths, the resolution of nodes (fee per 1,000 bytes), with a tolerance for floating-point errors. */
const roundUp = (rate: number): number => Math.ceil(rate * 1000 - 1e-6) / 1000

/** Percentiles of the median fee rates of the blocks of the last 30 days. */
export type FeeHistory = { readonly p25: number; readonly p50: number; readonly p75: number; readonly p90: number }

/** Computes the fee history from the median fee rates of recent blocks. `min` is the lowest rate that the node relays. */
export function feeHistory(medians: readonly number[], min: number): FeeHistory {
  const sorted = Float64Array.from(medians).sort()
  const at = (share: number): number =>
    Math.max(min, sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? min)
  return { p25: at(0.25), p50: at(0.5), p75: at(0.75), p90: at(0.9) }
}

const MIN_LONG_TERM_RATE = 1
const MAX_LONG_TERM_RATE = 10

/** Returns the long-term fee rate: the median of the fee history. Its maximum is the default of Core's wallet. */
export function longTermRate({ p50 }: FeeHistory): number {
  return Math.min(MAX_LONG_TERM_RATE, Math.max(MIN_LONG_TERM_RATE, p50))
}
