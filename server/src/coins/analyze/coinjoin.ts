/** Transactions in which several parties seem to have paid together: equal outputs, and at least as many who paid. */
import type { SeenTx } from './facts.ts'
import { PRIVACY } from './score-table.ts'

/** How many outputs share the most frequent amount. */
export function mostEqual(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

/** Equal outputs and at most one more output for each of them: its change. One script that pays many is a payroll. */
export function isCoinJoinLike({ inputs, outputs }: SeenTx): boolean {
  const equal = mostEqual(outputs.map(({ value }) => value))
  const payers = new Set(inputs.map(({ script }) => script)).size
  return equal >= PRIVACY.COINJOIN_LIKE.equalOutputs && payers >= equal && outputs.length <= 2 * equal + 1
}
