/**
 * Finds the selection without change that has the least waste, by depth-first search over including each coin or not.
 *
 * After Bitcoin Core's `SelectCoinsBnB`, for inputs of one weight. A branch ends when it pays, when it can no longer
 * pay, or when its waste cannot fall below the best one. Equal coins are tried in one order only. The number of steps
 * is limited; up to 16 coins the search is complete.
 */
import { type Coin, inputWaste, needWith, type Spend } from './spend.ts'

/** The nodes of a complete tree over 16 coins. */
export const MAX_STEPS = 2 ** 17

export type Bounds = {
  readonly mostInputs: number
  /** Selections with this much waste or more are ignored. */
  readonly wasteBelow: number
}

/** `coins` are sorted largest first, each worth more than its input. Returns indices; undefined if none was found. */
export function branchAndBound(spend: Spend, coins: readonly Coin[], bounds: Bounds): number[] | undefined {
  const count = coins.length
  const values = Float64Array.from(coins, ({ value }) => value)
  // The most that coin i and all later coins can add to the excess. The fee is rounded down, so this is an upper bound.
  const inputFee = Math.floor((spend.feeRate * spend.input.weight) / 4)
  const rest = new Float64Array(count + 1)
  for (let i = count - 1; i >= 0; i--) rest[i] = at(rest, i + 1) + at(values, i) - inputFee
  const most = Math.min(bounds.mostInputs, count)
  const needs = Float64Array.from({ length: most + 1 }, (_, inputs) => needWith(spend, inputs))
  const wastes = Float64Array.from({ length: most + 1 }, (_, inputs) => inputWaste(spend, inputs))
  const mostExcess = spend.changeFee + spend.minChange - 1
  // Sizes are rounded up to whole virtual bytes, the input count can grow by two bytes, and fees are rounded up.
  const rounding = 3 * spend.feeRate + 1

  const taken: number[] = []
  let found: number[] | undefined
  let best = bounds.wasteBelow
  let total = 0
  // A coin that alone exceeds the largest excess is in no selection.
  let next = firstAtMost(values, needWith(spend, 1) + mostExcess)

  for (let step = 0; step < MAX_STEPS; step++) {
    const inputs = taken.length
    const excess = total - at(needs, inputs)
    let canInclude = false
    if (excess >= 0) {
      // The coins pay, so another one only adds waste.
      const waste = at(wastes, inputs) + excess
      if (excess <= mostExcess && waste < best) {
        best = waste
        found = taken.slice()
      }
    } else if (next < count && inputs < most && excess + at(rest, next) + rounding >= 0) {
      const missing = Math.max(1, Math.ceil((-excess - rounding) / (at(values, next) - inputFee)))
      canInclude = inputs + missing <= most && at(wastes, inputs + missing) < best
    }
    if (canInclude) {
      taken.push(next)
      total += at(values, next)
      next++
      continue
    }
    // Exclude the last included coin and all coins equal to it, which would give the same selection.
    const last = taken.pop()
    if (last === undefined) break
    total -= at(values, last)
    next = last + 1
    while (next < count && at(values, next) === at(values, last)) next++
  }
  return found
}

/** Index of the first value that is at most `limit`; `values` are in descending order. */
function firstAtMost(values: Float64Array, limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(values, middle) > limit) low = middle + 1
    else high = middle
  }
  return low
}

// Every index is within bounds, because it comes from a count of the same search.
const at = (column: Float64Array, index: number): number => column[index] as number
