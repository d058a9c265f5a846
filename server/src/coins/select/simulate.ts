/**
 * Simulates a payment: selects coins and computes fee and change, or returns why the payment cannot be made.
 *
 * Inputs always equal amount + change + fee, and the fee rate is at least the requested one.
 */
import { type Algorithm, chooseOptimal, type RandomBelow } from './optimal.ts'
import {
  type Coin,
  feeWith,
  firstThatPay,
  ORDERS,
  type Order,
  type Outcome,
  outcomeOf,
  planSpend,
  type Spend,
  type SpendTerms,
  sumOf,
} from './spend.ts'
import { virtualSize } from './weights.ts'

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
  /** Dust threshold of the recipient's output. */
  readonly payDust: number
  /** The lowest rate that the node relays. */
  readonly minRelayRate: number
}

export type Simulation =
  | {
      readonly viable: true
      readonly algorithm: Algorithm | Exclude<Strategy, 'optimal'>
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
  readonly all: readonly Coin[]
  readonly ordered: (order: Order) => readonly Coin[]
}

export function coinSet(coins: readonly Coin[], feeRate: number, inputWeight: number): CoinSet {
  const economic = coins.filter(({ value }) => value > feeRate * virtualSize(inputWeight))
  const sorted = new Map<Order, readonly Coin[]>()
  return {
    all: coins,
    ordered: (order) => {
      const known = sorted.get(order) ?? economic.toSorted(ORDERS[order])
      sorted.set(order, known)
      return known
    },
  }
}

export function simulate(payment: Payment, coins: CoinSet, strategy: Strategy, randomBelow: RandomBelow): Simulation {
  const spend = planSpend(payment)
  const impossible = findReason(payment, spend, coins)
  if (impossible !== undefined) return impossible
  const chosen =
    strategy === 'optimal'
      ? chooseOptimal(spend, coins.ordered('largest'), randomBelow)
      : inOrder(spend, coins.ordered(strategy), strategy)
  // The coins are enough, so a selection fails only by its number of inputs.
  if (chosen === undefined) return notViable(spend, coins, 'TX_TOO_LARGE')
  return { viable: true, ...chosen, size: virtualSize(chosen.outcome.weight) }
}

function inOrder<Name extends string>(spend: Spend, coins: readonly Coin[], algorithm: Name) {
  const chosen = firstThatPay(spend, coins)
  if (chosen === undefined || chosen.length > spend.maxInputs) return undefined
  const outcome = outcomeOf(spend, chosen.length, sumOf(chosen))
  return outcome === undefined ? undefined : { algorithm, coins: chosen, outcome }
}

function findReason(payment: Payment, spend: Spend, coins: CoinSet): Simulation | undefined {
  if (payment.amount < payment.payDust) return notViable(spend, coins, 'AMOUNT_BELOW_DUST')
  if (payment.feeRate < payment.minRelayRate) return notViable(spend, coins, 'FEE_BELOW_MIN_RELAY')
  if (coins.all.length === 0) return notViable(spend, coins, 'NO_UTXOS')
  const balance = sumOf(coins.all)
  const economic = coins.ordered('largest')
  const usable = sumOf(economic)
  const need = payment.amount + feeWith(spend, Math.max(1, economic.length), false)
  if (usable >= need) return undefined
  // Fewer coins can still pay if the smallest ones are worth hardly more than their own fee.
  if (firstThatPay(spend, economic) !== undefined) return undefined
  return notViable(spend, coins, balance < payment.amount ? 'INSUFFICIENT_FUNDS' : 'FEES_EXCEED', need - usable)
}

function notViable(spend: Spend, coins: CoinSet, reason: Reason, shortfall = 0): Simulation {
  const feeOfAll = coins.all.length === 0 ? 0 : feeWith(spend, coins.all.length, false)
  return { viable: false, reason, shortfall, feeOfAll }
}
