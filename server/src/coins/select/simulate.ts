/**
 * Simulates a payment: selects coins and computes fee and change, or returns why the payment cannot be made.
 *
 * Inputs always equal amount + change + fee, and the fee rate is at least the requested one. A payment of everything has
 * no change and leaves no coin.
 */
import { type Algorithm, chooseOptimal, type RandomBelow } from './optimal.ts'
import {
  type Coin,
  feeWith,
  firstThatPay,
  inputWaste,
  ORDERS,
  type Order,
  type Outcome,
  outcomeOf,
  planSpend,
  type Spend,
  type SpendTerms,
  sumOf,
  weightWith,
} from './spend.ts'
import { MAX_STANDARD_WEIGHT, virtualSize } from './weights.ts'

export const STRATEGIES = ['optimal', 'largest', 'smallest', 'oldest'] as const
export type Strategy = (typeof STRATEGIES)[number]

export type Reason =
  | 'NO_UTXOS'
  | 'INSUFFICIENT_FUNDS'
  | 'FEES_EXCEED'
  | 'AMOUNT_BELOW_DUST'
  | 'TX_TOO_LARGE'
  | 'FEE_BELOW_MIN_RELAY'

export type Payment = SpendTerms & {
  /** Whether a recipient would receive less than the dust threshold of its output. */
  readonly hasDust: boolean
  /** The lowest rate that the node relays. */
  readonly minRelayRate: number
}

export type Simulation =
  | {
      readonly viable: true
      readonly algorithm: Algorithm | Exclude<Strategy, 'optimal'> | 'send_all'
      readonly coins: readonly Coin[]
      readonly outcome: Outcome
      readonly size: number
    }
  | {
      readonly viable: false
      readonly reason: Reason
      /** What is missing for amount and fee; 0 if the reason is another one. */
      readonly shortfall: number
      /** The fee for spending all coins. */
      readonly feeOfAll: number
    }

/** Coins that are sorted once per order, for all strategies. */
export type CoinSet = {
  /** The coins that must be used; the others do not contain them. */
  readonly required: readonly Coin[]
  readonly all: readonly Coin[]
  readonly ordered: (order: Order) => readonly Coin[]
}

export function coinSet(
  coins: readonly Coin[],
  { feeRate, input }: Pick<SpendTerms, 'feeRate' | 'input'>,
  required: readonly Coin[] = [],
): CoinSet {
  const economic = coins.filter(({ value }) => value > feeRate * virtualSize(input.weight))
  const sorted = new Map<Order, readonly Coin[]>()
  return {
    required,
    all: coins,
    ordered: (order) => {
      const known = sorted.get(order) ?? economic.toSorted(ORDERS[order])
      sorted.set(order, known)
      return known
    },
  }
}

export function simulate(payment: Payment, coins: CoinSet, strategy: Strategy, randomBelow: RandomBelow): Simulation {
  const { required } = coins
  const spend = planSpend(payment, { inputs: required.length, total: sumOf(required) })
  const impossible = findReason(payment, spend, coins)
  if (impossible !== undefined) return impossible
  const chosen =
    strategy === 'optimal'
      ? chooseOptimal(spend, coins.ordered('largest'), randomBelow)
      : inOrder(spend, coins.ordered(strategy), strategy)
  // The coins are enough, so a selection fails only by its number of inputs.
  if (chosen === undefined) return notViable(spend, coins, 'TX_TOO_LARGE')
  return {
    viable: true,
    ...chosen,
    coins: [...required, ...chosen.coins],
    size: virtualSize(chosen.outcome.weight),
  }
}

function inOrder<Name extends string>(spend: Spend, coins: readonly Coin[], algorithm: Name) {
  const chosen = firstThatPay(spend, coins)
  if (chosen === undefined || chosen.length > spend.maxInputs) return undefined
  const outcome = outcomeOf(spend, chosen.length, sumOf(chosen))
  return outcome === undefined ? undefined : { algorithm, coins: chosen, outcome }
}

function findReason(payment: Payment, spend: Spend, coins: CoinSet): Simulation | undefined {
  const unpaid = findFault(payment, spend, coins)
  if (unpaid !== undefined) return unpaid
  if (spend.maxInputs < 0) return notViable(spend, coins, 'TX_TOO_LARGE')
  const balance = sumOf(coins.all) + spend.required.total
  const economic = coins.ordered('largest')
  const usable = sumOf(economic) + spend.required.total
  const need = payment.amount + feeWith(spend, Math.max(1, economic.length + spend.required.inputs), false)
  if (usable >= need) return undefined
  // Fewer coins can still pay if the smallest ones are worth hardly more than their own fee.
  if (firstThatPay(spend, economic) !== undefined) return undefined
  return notViable(spend, coins, balance < payment.amount ? 'INSUFFICIENT_FUNDS' : 'FEES_EXCEED', need - usable)
}

/** What makes a payment impossible with any coins. */
function findFault({ hasDust, feeRate, minRelayRate }: Payment, spend: SpendTerms, coins: CoinSet) {
  if (hasDust) return notViable(spend, coins, 'AMOUNT_BELOW_DUST')
  if (feeRate < minRelayRate) return notViable(spend, coins, 'FEE_BELOW_MIN_RELAY')
  return countOf(coins) === 0 ? notViable(spend, coins, 'NO_UTXOS') : undefined
}

/**
 * Spends every coin: the last recipient receives what the others, whose sum is `payment.amount`, and the fee leave.
 * `dust` is the dust threshold of its output.
 */
export function simulateAll(payment: Payment, coins: CoinSet, dust: number): Simulation {
  const unpaid = findFault(payment, payment, coins)
  if (unpaid !== undefined) return unpaid
  const all = [...coins.required, ...coins.all]
  const [inputs, total] = [all.length, sumOf(all)]
  const weight = weightWith(payment, inputs, false)
  if (weight > MAX_STANDARD_WEIGHT) return notViable(payment, coins, 'TX_TOO_LARGE')
  const fee = feeWith(payment, inputs, false)
  const rest = total - payment.amount - fee
  if (rest < 0) return notViable(payment, coins, total < payment.amount ? 'INSUFFICIENT_FUNDS' : 'FEES_EXCEED', -rest)
  if (rest < dust) return notViable(payment, coins, 'AMOUNT_BELOW_DUST')
  const outcome = { inputs, total, change: 0, fee, weight, waste: inputWaste(planSpend(payment), inputs) }
  return { viable: true, algorithm: 'send_all', coins: all, outcome, size: virtualSize(weight) }
}

const countOf = ({ all, required }: CoinSet): number => all.length + required.length

function notViable(spend: SpendTerms, coins: CoinSet, reason: Reason, shortfall = 0): Simulation {
  const feeOfAll = countOf(coins) === 0 ? 0 : feeWith(spend, countOf(coins), false)
  return { viable: false, reason, shortfall, feeOfAll }
}
