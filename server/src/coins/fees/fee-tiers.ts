/**
 * Fee rates to offer: four tiers from the blocks to come, or from whatever else there is.
 *
 * Rates never fall from low to urgent, never lie below what nodes relay, and are rounded up. docs/analysis.md says why
 * each tier looks at the block it does.
 */
import { BLOCK_VSIZE, type ProjectedBlock, ratePercentile } from './projected-blocks.ts'

export type Tiers = { readonly low: number; readonly medium: number; readonly high: number; readonly urgent: number }

/** Not every miner takes less than one unit per virtual byte: who is in a hurry pays at least that. */
const HURRY_FLOOR = 1

/** `min`: the lowest rate the node relays. */
export function tiersOfBlocks(blocks: readonly ProjectedBlock[], min: number, blockVsize = BLOCK_VSIZE): Tiers {
  const at = (index: number, share: number): number => {
    const block = blocks[index]
    return block === undefined ? min : blockRate(block, share, min, { isLast: index === blocks.length - 1, blockVsize })
  }
  return settle({ urgent: at(0, 0.75), high: at(0, 0.5), medium: at(2, 0.5), low: Math.min(2 * min, at(5, 0.5)) }, min)
}

/** A block with room left asks for nothing but the least; the last one asks for more the fuller it is. */
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

/** Rates a node estimates for 2, 3, 6 and 144 blocks; `most` keeps a node that lost its mind in bounds. */
export function tiersOfEstimates(
  estimates: readonly (number | undefined)[],
  { min, most }: { readonly min: number; readonly most: number },
): Tiers | undefined {
  const [urgent, high = urgent, medium = high, low = medium] = estimates
  if (urgent === undefined) return undefined
  const within = (rate: number | undefined): number => Math.min(most, Math.max(min, rate ?? min))
  return settle({ urgent: within(urgent), high: within(high), medium: within(medium), low: within(low) }, min)
}

/** From percentiles of recent blocks, when nothing is known of what waits. */
export function tiersOfHistory({ p25, p50, p75, p90 }: FeeHistory, min: number): Tiers {
  return settle({ urgent: p90, high: p75, medium: p50, low: p25 }, min)
}

function settle({ low, medium, high, urgent }: Tiers, min: number): Tiers {
  const lowest = Math.max(min, low)
  const middle = Math.max(lowest, medium)
  const fast = Math.max(middle, high, HURRY_FLOOR)
  return {
    low: roundUp(lowest),
    medium: roundUp(middle),
    high: roundUp(fast),
    urgent: roundUp(Math.max(fast, urgent)),
  }
}

/** To thousandths, as nodes count fees per 1,000 bytes; what is a hair above a thousandth is that thousandth. */
const roundUp = (rate: number): number => Math.ceil(rate * 1000 - 1e-6) / 1000

/** Medians of the blocks of the last weeks: what is cheap and what is dear at this time. */
export type FeeHistory = { readonly p25: number; readonly p50: number; readonly p75: number; readonly p90: number }

export function feeHistory(medians: readonly number[], min: number): FeeHistory {
  const sorted = Float64Array.from(medians).sort()
  const at = (share: number): number =>
    Math.max(min, sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? min)
  return { p25: at(0.25), p50: at(0.5), p75: at(0.75), p90: at(0.9) }
}

const CHEAPEST_LONG_TERM = 1
const DEAREST_LONG_TERM = 10

/** What spending usually costs, within the bounds that Core's wallet assumes at most. */
export function longTermRate({ p50 }: FeeHistory): number {
  return Math.min(DEAREST_LONG_TERM, Math.max(CHEAPEST_LONG_TERM, p50))
}
