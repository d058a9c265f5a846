/**
 * The least wasteful of several choices: no change (branch and bound), the fewest inputs with change (a closed form,
 * because all inputs weigh the same), a random draw, and the largest coins.
 *
 * Up to 16 coins nothing wastes less: with change waste depends on the number of inputs alone, and without change the
 * search is complete.
 */
import { branchAndBound } from './branch-and-bound.ts'
import { type Coin, needWith, type Outcome, outcomeOf, type Spend } from './spend.ts'
import { firstThatPay, sumOf } from './strategies.ts'

/** An integer from 0 to `bound` - 1. */
export type RandomBelow = (bound: number) => number

export type Algorithm = 'branch_and_bound' | 'fewest_inputs' | 'random_draw' | 'largest_first'
export type Choice = { readonly algorithm: Algorithm; readonly coins: readonly Coin[]; readonly outcome: Outcome }

/** `coins`: largest first, each worth its input. Undefined where no choice pays and is small enough to relay. */
export function chooseOptimal(spend: Spend, coins: readonly Coin[], randomBelow: RandomBelow): Choice | undefined {
  const largest = firstThatPay(spend, coins.slice(0, spend.maxInputs))
  if (largest === undefined) return undefined
  // Where spending is no dearer than usual, inputs weigh nothing and only the fewest are looked at.
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

/** The fewest coins that leave change, and of as many neighbours in value the least: large coins stay whole. */
function fewestWithChange(spend: Spend, coins: readonly Coin[]): readonly Coin[] | undefined {
  let total = 0
  let inputs = 0
  const isEnough = (): boolean => total >= needWith(spend, inputs) + spend.changeFee + spend.minChange
  while (inputs === 0 || !isEnough()) {
    const coin = coins[inputs]
    if (coin === undefined || inputs === spend.maxInputs) return undefined
    total += coin.value
    inputs++
  }
  let first = 0
  for (;;) {
    const [leaving, coming] = [coins[first], coins[first + inputs]]
    if (leaving === undefined || coming === undefined) break
    total += coming.value - leaving.value
    if (!isEnough()) break
    first++
  }
  return coins.slice(first, first + inputs)
}

/** Coins in random order until they leave change: no pattern for others to recognise. */
function randomDraw(
  spend: Spend,
  coins: readonly Coin[],
  randomBelow: RandomBelow,
  mostInputs: number,
): readonly Coin[] | undefined {
  // Fisher and Yates, as far as needed: `moved` holds the places that differ from their index.
  const moved = new Map<number, number>()
  const drawn: Coin[] = []
  let total = 0
  while (drawn.length < Math.min(coins.length, mostInputs)) {
    const from = drawn.length
    const place = from + randomBelow(coins.length - from)
    const coin = coins[moved.get(place) ?? place] as Coin
    moved.set(place, moved.get(from) ?? from)
    drawn.push(coin)
    total += coin.value
    if (total >= needWith(spend, drawn.length) + spend.changeFee + spend.minChange) return drawn
  }
  return undefined
}
