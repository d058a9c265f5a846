/** What a plan includes, as texts. */
import type { Plans } from '../../api/use-plans.ts'
import { wholeNumber } from '../../text/amounts.ts'
import { codeName } from '../../text/names.ts'

export type PlanText = {
  readonly id: string
  readonly name: string
  /** Whether the plan includes requests to the API. */
  readonly hasApi: boolean
  readonly items: readonly PlanItem[]
}

type PlanItem = { readonly name: string; readonly value: string }

const NOT_INCLUDED = 'Not included'
const limit = (value: number | null): string =>
  value === null ? 'Unlimited' : value === 0 ? NOT_INCLUDED : wholeNumber(value)

/** The pages of contracts are the same on every plan. */
export const controlPlans = ({ v1 }: Plans): readonly PlanText[] =>
  v1.map((plan) => ({
    id: plan.id,
    name: codeName(plan.id),
    hasApi: plan.apiKeys > 0,
    items: [
      { name: 'Pages, history and search', value: 'Included' },
      { name: 'Alerts by webhook, e-mail and Telegram', value: 'Included' },
      { name: 'Contracts that are not watched yet', value: limit(plan.newContracts) },
      ...keyItems(plan),
    ],
  }))

export const coinPlans = ({ v2 }: Plans): readonly PlanText[] =>
  v2.map((plan) => ({
    id: plan.id,
    name: codeName(plan.id),
    hasApi: plan.apiKeys > 0,
    items: [
      ...keyItems(plan),
      { name: 'UTXOs per response', value: limit(plan.utxoLimit) },
      { name: 'Addresses per batch', value: limit(plan.batchLimit) },
      { name: 'Immediate results (sync=true)', value: plan.syncCalculation ? 'Included' : NOT_INCLUDED },
      { name: 'Wallets by descriptor or extended key', value: plan.syncCalculation ? 'Included' : NOT_INCLUDED },
      { name: 'Kept wallets', value: plan.walletLimit > 0 ? limit(plan.walletLimit) : NOT_INCLUDED },
      { name: 'Subscriptions to addresses, wallets and transactions', value: limit(plan.subscriptionLimit) },
    ],
  }))

type KeyLimits = Pick<Plans['v1'][number], 'apiKeys' | 'requestsPerMinute' | 'requestsPerMonth'>

/** A plan without keys has no limits of keys to name. */
function keyItems({ apiKeys, requestsPerMinute, requestsPerMonth }: KeyLimits): readonly PlanItem[] {
  const keys = { name: 'API keys', value: limit(apiKeys) }
  return apiKeys === 0
    ? [keys]
    : [
        keys,
        { name: 'Requests per minute and key', value: limit(requestsPerMinute) },
        { name: 'Requests per month and key', value: limit(requestsPerMonth) },
      ]
}
