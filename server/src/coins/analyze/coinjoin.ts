/** Recognizes transactions that look like CoinJoins. */
import type { ExaminedTx } from './facts.ts'
import { PRIVACY } from './score-table.ts'

/** Returns how often the most frequent value occurs. */
function mostEqual(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

/** Whether a transaction may look like a CoinJoin. Decides without the inputs whether they are worth loading. */
export function mayBeCoinJoin(inputCount: number, outputValues: readonly number[]): boolean {
  const { equalOutputs } = PRIVACY.COINJOIN_LIKE
  return inputCount >= equalOutputs && mostEqual(outputValues) >= equalOutputs
}

/**
 * Equal outputs, at least as many input scripts, and at most one change output each. Equal outputs paid by one script
 * are a batch payment.
 */
export function isCoinJoinLike({ inputs, outputs }: ExaminedTx): boolean {
  const equal = mostEqual(outputs.map(({ value }) => value))
  const payers = new Set(inputs.map(({ script }) => script)).size
  return equal >= PRIVACY.COINJOIN_LIKE.equalOutputs && payers >= equal && outputs.length <= 2 * equal + 1
}
