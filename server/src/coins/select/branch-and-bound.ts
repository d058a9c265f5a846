/**
 * The choice of coins without change that wastes least, by depth-first search over taking and leaving each coin.
 *
 * After Core's `SelectCoinsBnB`, for inputs of one weight. Coins come largest first and each is worth its input. A
 * branch ends when it pays, can no longer pay, or cannot waste less than what was found; of equal coins one order is
 * tried. Up to 16 coins the search is complete; beyond, it ends after as many steps as those would take.
 */
import { type Coin, inputWaste, needWith, type Spend } from './spend.ts'

/** Every node of a complete tree over 16 coins. */
export const MOST_STEPS = 2 ** 17

export type Bounds = {
  readonly mostInputs: number
  /** Only less waste than this is of interest. */
  readonly wasteBelow: number
}

/** Indices into `coins`; undefined where nothing within the bounds was found. */
export function branchAndBound(spend: Spend, coins: readonly Coin[], bounds: Bounds): number[] | undefined {
  const count = coins.length
  const values = Float64Array.from(coins, ({ value }) => value)
  // What coin i and all behind it can add at most to the excess: rounded down, so that this is never too little.
  const inputFee = Math.floor((spend.feeRate * spend.input.weight) / 4)
  const rest = new Float64Array(count + 1)
  for (let i = count - 1; i >= 0; i--) rest[i] = at(rest, i + 1) + at(values, i) - inputFee
  const most = Math.min(bounds.mostInputs, count)
  const needs = Float64Array.from({ length: most + 1 }, (_, inputs) => needWith(spend, inputs))
  const wastes = Float64Array.from({ length: most + 1 }, (_, inputs) => inputWaste(spend, inputs))
  const mostExcess = spend.changeFee + spend.minChange - 1
  // Sizes are rounded up to whole virtual bytes, and the count of inputs itself may grow by two bytes.
  const rounding = 3 * spend.feeRate

  const taken: number[] = []
  let found: number[] | undefined
  let best = bounds.wasteBelow
  let total = 0
  // Coins that are too much alone are in no choice at all.
  let next = firstAtMost(values, needWith(spend, 1) + mostExcess)

  for (let step = 0; step < MOST_STEPS; step++) {
    const inputs = taken.length
    const excess = total - at(needs, inputs)
    let goesOn = false
    if (excess >= 0) {
      // It pays: every further coin only adds.
      const waste = at(wastes, inputs) + excess
      if (excess <= mostExcess && waste < best) {
        best = waste
        found = taken.slice()
      }
    } else if (next < count && inputs < most && excess + at(rest, next) + rounding >= 0) {
      const missing = Math.max(1, Math.ceil((-excess - rounding) / (at(values, next) - inputFee)))
      goesOn = inputs + missing <= most && at(wastes, inputs + missing) < best
    }
    if (goesOn) {
      taken.push(next)
      total += at(values, next)
      next++
      continue
    }
    // Leave the coin taken last, and every equal one behind it: taking those instead would be the same choice.
    const last = taken.pop()
    if (last === undefined) break
    total -= at(values, last)
    next = last + 1
    while (next < count && at(values, next) === at(values, last)) next++
  }
  return found
}

/** Index of the first value, in falling order, that is no more than `limit`. */
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

// Column access: every index comes from a count of the same search.
const at = (column: Float64Array, index: number): number => column[index] as number
