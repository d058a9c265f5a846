/**
 * Selects the coins with the least waste out of four candidates: branch and bound (without change), the fewest inputs
 * with change, a random draw, and the largest coins.
 *
 * Up to 16 coins the result is optimal: with change, waste depends only on the number of inputs, and without change
 * the search is complete.
 */
import { branchAndBound } from './branch-and-bound.ts'
import { type Coin, firstThatPay, needWith, type Outcome, outcomeOf, type Spend, sumOf } from './spend.ts'

/** Returns an integer from 0 to `bound` - 1. */
export type RandomBelow = (bound: number) => number

export type Algorithm = 'branch_and_bound' | 'fewest_inputs' | 'random_draw' | 'largest_first'
export type Choice = { readonly algorithm: Algorithm; readonly coins: readonly Coin[]; readonly outcome: Outcome }

/** `coins` are sorted largest first, each worth more than its input. Undefined if no standard transaction pays. */
export function chooseOptimal(spend: Spend, coins: readonly Coin[], randomBelow: RandomBelow): Choice | undefined {
  if (spend.maxInputs < 0) return undefined
  const largest = firstThatPay(spend, coins.slice(0, spend.maxInputs))
  if (largest === undefined) return undefined
  // At or below the usual rate inputs have no waste, so only selections with the fewest inputs are considered.
  const mostInputs = spend.feeRate > spend.longTermRate ? spend.maxInputs : largest.length
  const choices: Choice[] = []
  const offer = (algorithm: Algorithm, chosen: readonly Coin[] | undefined): void => {
    if (chosen === undefined || chosen.length > mostInputs) return
    const outcome = outcomeOf(spend, chosen.length, sumOf(chosen))
    if (outcome !== undefined) choices.push({ algorithm, coins: chosen, outcome })
  }
  offer('fewest_inputs', fewestWithChange(spend, coins))
  offer('largest_first', largest)
  offer('random_draw', randomDraw(spend, coins, randomBelow, mostInputs))
  const wasteBelow = Math.min(...choices.map(({ outcome }) => outcome.waste))
  const exact = branchAndBound(spend, coins, { mostInputs, wasteBelow })
  offer(
    'branch_and_bound',
    exact?.map((index) => coins[index] as Coin),
  )
  return choices.sort(byWaste)[0]
}

const byWaste = ({ outcome: a }: Choice, { outcome: b }: Choice): number =>
  a.waste - b.waste || a.inputs - b.inputs || a.total - b.total

/** The fewest coins that leave change, and among those the smallest adjacent ones, so that large coins stay unspent. */
function fewestWithChange(spend: Spend, coins: readonly Coin[]): readonly Coin[] | undefined {
  let total = 0
  let inputs = 0
  const isEnough = (): boolean => total >= needWith(spend, inputs) + spend.changeFee + spend.minChange
  while (inputs + spend.required.inputs === 0 || !isEnough()) {
    const coin = coins[inputs]
    if (coin === undefined || inputs === spend.maxInputs) return undefined
    total += coin.value
    inputs++
  }
  let first = 0
  if (inputs === 0) return []
  for (;;) {
    const [removed, added] = [coins[first], coins[first + inputs]]
    if (removed === undefined || added === undefined) break
    total += added.value - removed.value
    if (!isEnough()) break
    first++
  }
  return coins.slice(first, first + inputs)
}

/** Coins in random order until they leave change, so that selections show no pattern. */
function randomDraw(
  spend: Spend,
  coins: readonly Coin[],
  randomBelow: RandomBelow,
  mostInputs: number,
): readonly Coin[] | undefined {
  // A Fisher-Yates shuffle of as many coins as needed; `moved` maps positions to the coins swapped into them.
  const moved = new Map<number, number>()
  const drawn: Coin[] = []
  let total = 0
  while (drawn.length < Math.min(coins.length, mostInputs)) {
    const from = drawn.length
    const position = from + randomBelow(coins.length - from)
    const coin = coins[moved.get(position) ?? position] as Coin
    moved.set(position, moved.get(from) ?? from)
    drawn.push(coin)
    total += coin.value
    if (total >= needWith(spend, drawn.length) + spend.changeFee + spend.minChange) return drawn
  }
  return undefined
}

/**
 * Returns a pseudorandom generator (xorshift128), so that a request at the same tip selects the same coins. `seed` has at
 * least 16 bytes.
 */
export function randomFromSeed(seed: Buffer): RandomBelow {
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => seed.readUInt32LE(at)) as [number, number, number, number]
  // From the state of all zeros the generator produces only zeros.
  if ((a | b | c | d) === 0) a = 1
  const next = (): number => {
    let t = d
    const s = a
    d = c
    c = b
    b = s
    t ^= t << 11
    t ^= t >>> 8
    a = (t ^ s ^ (s >>> 19)) >>> 0
    return a / 0x1_0000_0000
  }
  return (bound) => Math.floor(next() * bound)
}
