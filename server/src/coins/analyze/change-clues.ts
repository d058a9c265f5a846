/**
 * What a payment of two outputs tells about which of them is change.
 *
 * After Esplora's privacy analysis. A payment that returns change to its own address needs no clue and is left out.
 */
import { isCoinJoinLike } from './coinjoin.ts'
import type { SeenTx } from './facts.ts'
import { PRIVACY } from './score-table.ts'

export type Clue =
  | 'CHANGE_BY_PRECISION'
  | 'CHANGE_BY_SCRIPT_TYPE'
  | 'CHANGE_BY_SIZE'
  | 'UNNECESSARY_INPUT'
  | 'ROUND_PAYMENT'

export function trailingZeros(value: number): number {
  let zeros = 0
  for (let rest = value; rest > 0 && rest % 10 === 0; rest /= 10) zeros++
  return zeros
}

/** Two outputs, neither our own, none that holds data, and nobody else's money mixed in. */
export const isPlainPayment = (tx: SeenTx): boolean =>
  tx.isSpend &&
  tx.outputs.length === 2 &&
  tx.inputs.length > 0 &&
  tx.outputs.every(({ isOwn, type }) => !isOwn && type !== 'nulldata') &&
  !isCoinJoinLike(tx)

export function cluesOf(tx: SeenTx): Clue[] {
  if (!isPlainPayment(tx)) return []
  const [first, second] = tx.outputs
  if (first === undefined || second === undefined) return []
  const clues: Clue[] = []
  const zeros = [trailingZeros(first.value), trailingZeros(second.value)]
  const [fewer = 0, more = 0] = zeros.toSorted((a, b) => a - b)
  if (more - fewer >= PRIVACY.CHANGE_BY_PRECISION.zeros) clues.push('CHANGE_BY_PRECISION')
  if (more >= PRIVACY.ROUND_PAYMENT.zeros && fewer < PRIVACY.ROUND_PAYMENT.zeros) clues.push('ROUND_PAYMENT')
  const types = new Set(tx.inputs.map(({ type }) => type))
  const alike = tx.outputs.filter(({ type }) => types.has(type)).length
  if (types.size === 1 && alike === 1) clues.push('CHANGE_BY_SCRIPT_TYPE')
  if (tx.inputs.length > 1) clues.push(...clueOfInputs(tx))
  return clues
}

/**
 * With several inputs: an output smaller than each of them can only be change (else one input fewer had done), and an
 * input without which the larger output had still been paid was not needed for it.
 */
function clueOfInputs({ inputs, outputs }: SeenTx): Clue[] {
  const ins = inputs.map(({ value }) => value)
  const outs = outputs.map(({ value }) => value)
  const total = ins.reduce((sum, value) => sum + value, 0)
  const fee = total - outs.reduce((sum, value) => sum + value, 0)
  const smallest = Math.min(...ins)
  if (total - smallest >= Math.max(...outs) + fee) return ['UNNECESSARY_INPUT']
  return Math.min(...outs) < smallest ? ['CHANGE_BY_SIZE'] : []
}
