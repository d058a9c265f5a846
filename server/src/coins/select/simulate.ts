/**
 * What a payment would look like: which coins, which fee, which change; or why it cannot be made.
 *
 * Owns the reasons. Amounts always add up: inputs = amount + change + fee, and the fee pays at least the rate asked for.
 */
import { type Algorithm, chooseOptimal, type RandomBelow } from './optimal.ts'
import { type Coin, feeWith, type Outcome, outcomeOf, planSpend, type Spend, type SpendTerms } from './spend.ts'
import { firstThatPay, ORDERS, sumOf } from './strategies.ts'
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
  /** Dust threshold of the output paid to. */
  readonly payDust: number
  /** The lowest rate the node relays. */
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
      /** What is missing to amount and fee; 0 where money is not what is missing. */
      readonly shortfall: number
      /** Fee if all coins were spent, for information. */
      readonly feeOfAll: number
    }

/** The same coins in each order, sorted once for all strategies that are asked for. */
export type CoinSet = {
  readonly all: readonly Coin[]
  readonly ordered: (order: keyof typeof ORDERS) => readonly Coin[]
}

export function coinSet(coins: readonly Coin[], feeRate: number, inputWeight: number): CoinSet {
  const economic = coins.filter(({ value }) => value > feeRate * virtualSize(inputWeight))
  const sorted = new Map<keyof typeof ORDERS, readonly Coin[]>()
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
  const refused = refusalOf(payment, spend, coins)
  if (refused !== undefined) return refused
  const chosen =
    strategy === 'optimal'
      ? chooseOptimal(spend, coins.ordered('largest'), randomBelow)
      : inOrder(spend, coins.ordered(strategy), strategy)
  // Enough is there, so only the number of inputs can be what is wrong.
  if (chosen === undefined) return refuse(spend, coins, 'TX_TOO_LARGE')
  return { viable: true, ...chosen, size: virtualSize(chosen.outcome.weight) }
}

function inOrder<Name extends string>(spend: Spend, coins: readonly Coin[], algorithm: Name) {
  const chosen = firstThatPay(spend, coins)
  if (chosen === undefined || chosen.length > spend.maxInputs) return undefined
  const outcome = outcomeOf(spend, chosen.length, sumOf(chosen))
  return outcome === undefined ? undefined : { algorithm, coins: chosen, outcome }
}

function refusalOf(payment: Payment, spend: Spend, coins: CoinSet): Simulation | undefined {
  if (payment.amount < payment.payDust) return refuse(spend, coins, 'AMOUNT_BELOW_DUST')
  if (payment.feeRate < payment.minRelayRate) return refuse(spend, coins, 'FEE_BELOW_MIN_RELAY')
  if (coins.all.length === 0) return refuse(spend, coins, 'NO_UTXOS')
  const balance = sumOf(coins.all)
  const economic = coins.ordered('largest')
  const usable = sumOf(economic)
  const need = payment.amount + feeWith(spend, Math.max(1, economic.length), false)
  if (usable >= need) return undefined
  // A shorter beginning may still pay where the last coins only just carry their own fee.
  if (firstThatPay(spend, economic) !== undefined) return undefined
  return refuse(spend, coins, balance < payment.amount ? 'INSUFFICIENT_FUNDS' : 'FEES_EXCEED', need - usable)
}

function refuse(spend: Spend, coins: CoinSet, reason: Reason, shortfall = 0): Simulation {
  const feeOfAll = coins.all.length === 0 ? 0 : feeWith(spend, coins.all.length, false)
  return { viable: false, reason, shortfall, feeOfAll }
}
