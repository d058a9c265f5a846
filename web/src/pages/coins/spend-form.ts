/** A payment as the form and the address bar have it, and as the service is asked for it. Pure. */
import type { Fees, Spend } from '../../api/use-coins.ts'
import { readCoinAmount } from '../../text/coins.ts'

export const STRATEGIES = ['optimal', 'largest', 'smallest', 'oldest'] as const
export type Strategy = (typeof STRATEGIES)[number]
export const TIERS = ['low', 'medium', 'high', 'urgent'] as const
export type Tier = (typeof TIERS)[number] | 'own'

export type SpendForm = {
  readonly from: string
  readonly to: string
  /** In whole coins, as typed. */
  readonly amount: string
  readonly tier: Tier
  /** For the tier `own`, as typed. */
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
    tier: [...TIERS, 'own' as const].find((tier) => tier === text('tier')) ?? 'medium',
    rate: text('rate'),
    strategy: STRATEGIES.find((strategy) => strategy === text('strategy')) ?? 'optimal',
  }
}

export const writeSpend = (form: SpendForm): string =>
  new URLSearchParams(Object.entries(form).filter(([, value]) => value !== '')).toString()

/** The service reckons with whole rates: rounded up, so that a payment is never slower than promised. */
export function rateOf({ tier, rate }: SpendForm, fees: Fees | undefined): number | undefined {
  const wanted = tier === 'own' ? (/^\d{1,5}$/.test(rate) ? Number(rate) : undefined) : fees?.[tier]
  return wanted === undefined || wanted > 10_000 ? undefined : Math.max(1, Math.ceil(wanted))
}

/** Undefined until the form describes a payment. */
export function spendOf(form: SpendForm, fees: Fees | undefined): Spend | undefined {
  const amount = readCoinAmount(form.amount)
  const feeRate = rateOf(form, fees)
  if (form.from === '' || form.to === '' || amount === undefined || amount < 1 || feeRate === undefined)
    return undefined
  return { fromAddress: form.from, toAddress: form.to, amount, feeRate, utxoSelection: form.strategy }
}

/** Whether a payment is described, and lacks nothing but the rate of its tier. */
export const isDescribed = (form: SpendForm): boolean =>
  form.tier !== 'own' && form.from !== '' && form.to !== '' && (readCoinAmount(form.amount) ?? 0) > 0
