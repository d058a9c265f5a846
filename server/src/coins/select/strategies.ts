/** The strategies that take coins in a fixed order until they pay. */
import { type Coin, needWith, type Spend } from './spend.ts'

export type Order = 'largest' | 'smallest' | 'oldest'

const byAge = (a: Coin, b: Coin): number => a.order - b.order || a.vout - b.vout

/** Among equal coins the older one comes first. */
export const ORDERS: Readonly<Record<Order, (a: Coin, b: Coin) => number>> = {
  largest: (a, b) => b.value - a.value || byAge(a, b),
  smallest: (a, b) => a.value - b.value || byAge(a, b),
  oldest: byAge,
}

/** The fewest first coins that pay; undefined if all coins together do not. Does not check the transaction size. */
export function firstThatPay(spend: Spend, coins: readonly Coin[]): readonly Coin[] | undefined {
  let total = 0
  for (const [i, { value }] of coins.entries()) {
    total += value
    if (total >= needWith(spend, i + 1)) return coins.slice(0, i + 1)
  }
  return undefined
}

export function sumOf(coins: readonly Coin[]): number {
  let total = 0
  for (const { value } of coins) total += value
  return total
}
