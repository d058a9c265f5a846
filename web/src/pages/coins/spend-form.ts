/** The payment form: its values in the address bar and the request to the service. */
import type { Fees, Spend } from '../../api/use-coins.ts'
import { parseCoinAmount } from '../../text/amounts.ts'

export const STRATEGIES = ['optimal', 'largest', 'smallest', 'oldest'] as const
export type Strategy = (typeof STRATEGIES)[number]

export const STRATEGY_TEXTS: Readonly<Record<Strategy, string>> = {
  optimal: 'Optimal (least waste)',
  largest: 'Largest first',
  smallest: 'Smallest first',
  oldest: 'Oldest first',
}

export const TIERS = ['low', 'medium', 'high', 'urgent'] as const
export type Tier = (typeof TIERS)[number] | 'custom'

export type SpendForm = {
  readonly from: string
  readonly to: string
  /** In whole coins, as typed. */
  readonly amount: string
  readonly tier: Tier
  /** For the tier `custom`, as typed. */
  readonly rate: string
  readonly strategy: Strategy
}

export function readSpend(search: string): SpendForm {
  const given = new URLSearchParams(search)
  const text = (name: string) => (given.get(name) ?? '').trim()
  return {
    from: text('from'),
    to: text('to'),
    amount: text('amount'),
    tier: [...TIERS, 'custom' as const].find((tier) => tier === text('tier')) ?? 'medium',
    rate: text('rate'),
    strategy: STRATEGIES.find((strategy) => strategy === text('strategy')) ?? 'optimal',
  }
}

export const writeSpend = (form: SpendForm): string =>
  new URLSearchParams(Object.entries(form).filter(([, value]) => value !== '')).toString()

/** With at most three decimal places, rounded up, so that the payment is not slower than its tier. */
export function rateOf({ tier, rate }: SpendForm, fees: Fees | undefined): number | undefined {
  const chosen = tier === 'custom' ? (/^\d{1,5}(\.\d{1,3})?$/.test(rate) ? Number(rate) : undefined) : fees?.[tier]
  if (chosen === undefined || chosen > 10_000 || chosen < 0.001) return undefined
  // The tolerance keeps 0.1 from becoming 0.101.
  return Math.ceil(chosen * 1_000 - 1e-6) / 1_000
}

/** Undefined until the form is complete and the fee rate is known. */
export function spendOf(form: SpendForm, fees: Fees | undefined): Spend | undefined {
  const amount = parseCoinAmount(form.amount)
  const feeRate = rateOf(form, fees)
  if (form.from === '' || form.to === '' || amount === undefined || amount < 1 || feeRate === undefined)
    return undefined
  return { fromAddress: form.from, toAddress: form.to, amount, feeRate, utxoSelection: form.strategy }
}

/** Whether the form is complete except for the fee rate of its tier. */
export const isComplete = (form: SpendForm): boolean =>
  form.tier !== 'custom' && form.from !== '' && form.to !== '' && (parseCoinAmount(form.amount) ?? 0) > 0
