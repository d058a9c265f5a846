/** What joining coins now is worth, from the service's advice. Pure. */

type Advice = { readonly cost: { readonly medium: number }; readonly breakEvenFeeRate: number }

/** Satoshi saved when the coins are spent later at `rate`: the cost of now is earned exactly at break-even. */
export const netSaving = ({ cost, breakEvenFeeRate }: Advice, rate: number): number =>
  cost.medium * (rate / breakEvenFeeRate - 1)
