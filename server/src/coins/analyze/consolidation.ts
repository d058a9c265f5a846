/** Advises whether and when to consolidate the coins of an address, and what that costs and saves. */
import { txWeight, virtualSize } from '../select/weights.ts'
import type { AddressFacts } from './facts.ts'
import { CONSOLIDATION } from './score-table.ts'

export type Consolidation = {
  readonly recommendation: 'now' | 'wait' | 'optional' | 'none'
  /** Coins worth more than their input at the current rate, and with another coin to consolidate with. */
  readonly included: number
  readonly excluded: number
  readonly feeRate: number
  /** The rate to wait for; null unless `recommendation` is wait. */
  readonly targetFeeRate: number | null
  /** Consolidating now is cheaper if the coins are later spent at this rate or above; null without coins to consolidate. */
  readonly breakEvenFeeRate: number | null
  readonly cost: { readonly low: number; readonly medium: number; readonly high: number }
  /** Savings if the coins are spent later at these percentiles of the last 30 days; can be negative. */
  readonly savings: { readonly p50: number; readonly p75: number; readonly p90: number }
  readonly batches: {
    readonly inputs: number
    readonly value: number
    readonly fee: number
    readonly size: number
  }[]
  readonly note: string
}

type ConsolidationFacts = Pick<
  AddressFacts,
  'utxos' | 'wallet' | 'input' | 'inputVsize' | 'outputBytes' | 'maxInputs' | 'tiers' | 'feeHistory'
>

const NOTE = 'All inputs belong to one address, so consolidating them reveals no new link between addresses.'
const WALLET_NOTE =
  'The inputs belong to several addresses. Consolidating them shows that these addresses have one owner.'

export function adviseConsolidation(facts: ConsolidationFacts): Consolidation {
  const { tiers, feeHistory, input, inputVsize } = facts
  const feeRate = tiers.medium
  const settled = facts.utxos.filter(({ isSettled }) => isSettled)
  const values = settled.map(({ value }) => value).filter((value) => value > inputVsize * feeRate)
  const batches = splitIntoBatches(values, facts)
  const merged = batches.reduce((sum, batch) => sum + batch.inputs, 0)
  const included = batches.length === 0 ? values.length : merged
  const savedVsize = ((merged - batches.length) * input.weight) / 4
  const size = batches.reduce((sum, batch) => sum + batch.size, 0)
  const breakEven = savedVsize <= 0 ? null : (feeRate * size) / savedVsize
  const saving = (rate: number): number => Math.round(savedVsize * rate - size * feeRate)
  // Waiting is advised for the rate p25, anything else for the current rate.
  const pays = (rate: number): boolean => savedVsize * feeHistory.p90 > size * rate
  const recommendation = recommend({ coins: included, feeRate, breakEven, pays }, feeHistory)
  return {
    recommendation,
    included,
    excluded: facts.utxos.length - included,
    feeRate,
    targetFeeRate: recommendation === 'wait' ? feeHistory.p25 : null,
    breakEvenFeeRate: breakEven === null ? null : Math.round(breakEven * 1000) / 1000,
    cost: {
      low: Math.ceil(size * tiers.low),
      medium: Math.ceil(size * tiers.medium),
      high: Math.ceil(size * tiers.high),
    },
    savings: { p50: saving(feeHistory.p50), p75: saving(feeHistory.p75), p90: saving(feeHistory.p90) },
    batches,
    note: facts.wallet === undefined ? NOTE : WALLET_NOTE,
  }
}

type Terms = {
  readonly coins: number
  readonly feeRate: number
  readonly breakEven: number | null
  /** Whether consolidating at a rate saves anything, even if the coins are spent at the 90th percentile. */
  readonly pays: (rate: number) => boolean
}

function recommend(
  { coins, feeRate, breakEven, pays }: Terms,
  { p25, p50 }: AddressFacts['feeHistory'],
): Consolidation['recommendation'] {
  if (coins < CONSOLIDATION.leastCoins || breakEven === null) return 'none'
  if (feeRate <= p25 && breakEven <= p50) return 'now'
  if (feeRate > p50) return pays(p25) ? 'wait' : 'none'
  return pays(feeRate) ? 'optional' : 'none'
}

/** Splits the coins into transactions, smallest coins first. */
function splitIntoBatches(
  values: readonly number[],
  { input, outputBytes, maxInputs, tiers }: ConsolidationFacts,
): Consolidation['batches'] {
  const most = Math.min(CONSOLIDATION.batch, maxInputs)
  // An input can be so large that less than two fit into a transaction.
  if (values.length < 2 || most < 2) return []
  // With pairs and an odd number of coins, the largest coin is left out.
  const even = most === 2 ? values.length - (values.length % 2) : values.length
  const sorted = values.toSorted((a, b) => a - b).slice(0, even)
  const count = Math.ceil(sorted.length / most)
  // Even batches, so that none has a single coin.
  return Array.from({ length: count }, (_, i) => {
    const part = sorted.slice(Math.floor((i * sorted.length) / count), Math.floor(((i + 1) * sorted.length) / count))
    const size = virtualSize(txWeight({ inputs: part.length, input, outputs: 1, outputBytes }))
    return {
      inputs: part.length,
      value: part.reduce((sum, value) => sum + value, 0),
      fee: Math.ceil(size * tiers.medium),
      size,
    }
  })
}
