/** The payment form: its values in the address bar and the request to the service. */
import { sentenceOf } from '../../api/api-error.ts'
import type { Fees, Simulation, Spend } from '../../api/use-coins.ts'
import { parseCoinAmount, wholeNumber } from '../../text/amounts.ts'

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

export type Recipient = {
  readonly to: string
  /** In whole coins, as typed. */
  readonly amount: string
}

export type SpendForm = {
  readonly from: string
  /** At least one. */
  readonly recipients: readonly Recipient[]
  /** Spends every UTXO: the first recipient receives what the others and the fee leave. */
  readonly sendAll: boolean
  readonly tier: Tier
  /** For the tier `custom`, as typed. */
  readonly rate: string
  readonly strategy: Strategy
  /** UTXOs that are spent in any case, and those that are not spent, as `txid:vout`. */
  readonly use: readonly string[]
  readonly spare: readonly string[]
}

const OUTPOINT = /^[0-9a-f]{64}:\d{1,7}$/

export function readSpend(search: string): SpendForm {
  const given = new URLSearchParams(search)
  const text = (name: string) => (given.get(name) ?? '').trim()
  const [addresses, amounts] = [given.getAll('to'), given.getAll('amount')]
  const outpoints = (name: string) => [...new Set(given.getAll(name).filter((one) => OUTPOINT.test(one)))]
  const use = outpoints('use')
  return {
    from: text('from'),
    recipients: Array.from({ length: Math.max(1, addresses.length) }, (_, at) => ({
      to: (addresses[at] ?? '').trim(),
      amount: (amounts[at] ?? '').trim(),
    })),
    sendAll: text('sendAll') === 'true',
    tier: [...TIERS, 'custom' as const].find((tier) => tier === text('tier')) ?? 'medium',
    rate: text('rate'),
    strategy: STRATEGIES.find((strategy) => strategy === text('strategy')) ?? 'optimal',
    use,
    spare: outpoints('spare').filter((one) => !use.includes(one)),
  }
}

export function writeSpend({ from, recipients, sendAll, tier, rate, strategy, use, spare }: SpendForm): string {
  const query = new URLSearchParams()
  if (from !== '') query.append('from', from)
  for (const { to, amount } of recipients) {
    query.append('to', to)
    query.append('amount', amount)
  }
  if (sendAll) query.append('sendAll', 'true')
  query.append('tier', tier)
  if (rate !== '') query.append('rate', rate)
  query.append('strategy', strategy)
  for (const one of use) query.append('use', one)
  for (const one of spare) query.append('spare', one)
  return query.toString()
}

/** With at most three decimal places, rounded up, so that the payment is not slower than its tier. */
export function rateOf({ tier, rate }: SpendForm, fees: Fees | undefined): number | undefined {
  const chosen = tier === 'custom' ? (/^\d{1,5}(\.\d{1,3})?$/.test(rate) ? Number(rate) : undefined) : fees?.[tier]
  if (chosen === undefined || chosen > 10_000 || chosen < 0.001) return undefined
  // The tolerance keeps 0.1 from becoming 0.101.
  return Math.ceil(chosen * 1_000 - 1e-6) / 1_000
}

/** In satoshi; undefined if it is no amount. */
const amountOf = ({ amount }: Recipient): number | undefined => {
  const satoshi = parseCoinAmount(amount)
  return satoshi === undefined || satoshi < 1 ? undefined : satoshi
}

/** What to type instead of a text that is no amount. */
export const amountHint = (text: string): string =>
  /^\d+,\d{3}$/.test(text.trim())
    ? `This could be thousands or decimals. Write ${text.trim().replace(',', '')} or ${text.trim().replace(',', '.')}.`
    : 'Enter an amount with at most eight decimals, for example 0.01.'

export type RecipientFault = 'address' | 'amount' | 'repeated'

/** What is wrong with a recipient. */
export function faultOf({ recipients, sendAll }: SpendForm, at: number): RecipientFault | undefined {
  const one = recipients[at]
  if (one === undefined) return undefined
  if (one.to === '') return 'address'
  if (recipients.findIndex(({ to }) => to === one.to) < at) return 'repeated'
  return amountOf(one) === undefined && !(sendAll && at === 0) ? 'amount' : undefined
}

/** An error of the service about one field of the form. Recipients count from zero. */
export type FieldError = {
  readonly field: 'from' | 'to' | 'amount' | 'rate'
  readonly recipient?: number
  readonly text: string
}

const FIELD_NAMES: Readonly<Record<string, FieldError['field']>> = {
  fromAddress: 'from',
  toAddress: 'to',
  amount: 'amount',
  feeRate: 'rate',
}
const NAMED_FIELD = /^(?:recipients\.(\d+)\.(address|amount)|(\w+)): (.+)$/s

/** The field that a refusal of the service names at its start: `recipients.0.address: This is not an address.` */
export function fieldErrorOf(message: string): FieldError | undefined {
  const [, index, part, name = '', text = ''] = NAMED_FIELD.exec(message) ?? []
  if (index !== undefined) {
    const field = part === 'address' ? 'to' : 'amount'
    return { field, recipient: Number(index) + 1, text: sentenceOf(text) }
  }
  const field = FIELD_NAMES[name]
  if (field === undefined) return undefined
  return { field, ...(field === 'to' || field === 'amount' ? { recipient: 0 } : {}), text: sentenceOf(text) }
}

/** The recipient whose amount is below the dust limit, if that is why a payment is not possible. */
export function dustErrorOf({ reason, recipients }: Pick<Simulation, 'reason' | 'recipients'>): FieldError | undefined {
  if (reason !== 'AMOUNT_BELOW_DUST') return undefined
  const recipient = recipients.findIndex(({ amount, dustThreshold }) => amount < dustThreshold)
  const limit = recipients[recipient]?.dustThreshold
  if (limit === undefined) return undefined
  return { field: 'amount', recipient, text: `Nodes do not relay less than ${wholeNumber(limit)} sat to this address.` }
}

/** Whether the form is complete, except for a fee rate that the service provides. */
export const isComplete = (form: SpendForm): boolean =>
  form.from !== '' &&
  form.recipients.every((_, at) => faultOf(form, at) === undefined) &&
  (form.tier !== 'custom' || rateOf(form, undefined) !== undefined)

/** Undefined until the form is complete and the fee rate is known. */
export function spendOf(form: SpendForm, fees: Fees | undefined): Spend | undefined {
  const feeRate = rateOf(form, fees)
  const [first, ...others] = form.recipients
  if (!isComplete(form) || feeRate === undefined || first === undefined) return undefined
  const amount = form.sendAll ? undefined : amountOf(first)
  return {
    fromAddress: form.from,
    toAddress: first.to,
    ...(amount !== undefined && { amount }),
    recipients: others.map((one) => ({ address: one.to, amount: amountOf(one) ?? 0 })),
    sendAll: form.sendAll,
    mustUse: [...form.use],
    mustNotUse: [...form.spare],
    feeRate,
    utxoSelection: form.strategy,
  }
}
