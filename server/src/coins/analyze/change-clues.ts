/**
 * Finds what reveals which of the two outputs of a payment is change, after Esplora's privacy analysis.
 *
 * A payment with change to its own address is left out: its change is known.
 */
import { isCoinJoinLike } from './coinjoin.ts'
import type { ExaminedTx } from './facts.ts'
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

/** Whether an output goes to an address that paid. */
export const returnsToPayer = ({ inputs, outputs }: ExaminedTx): boolean =>
  outputs.some(({ isOwn, script }) => isOwn && inputs.some((input) => input.script === script))

/** A spend with two outputs, neither to an address that paid nor with data, that is not a CoinJoin. */
export const isPlainPayment = (tx: ExaminedTx): boolean =>
  tx.isSpend &&
  tx.outputs.length === 2 &&
  tx.inputs.length > 0 &&
  !returnsToPayer(tx) &&
  tx.outputs.every(({ type }) => type !== 'nulldata') &&
  !isCoinJoinLike(tx)

export function cluesOf(tx: ExaminedTx): Clue[] {
  if (!isPlainPayment(tx)) return []
  const [first, second] = tx.outputs
  if (first === undefined || second === undefined) return []
  const clues: Clue[] = []
  const zeros = [trailingZeros(first.value), trailingZeros(second.value)]
  const [fewer = 0, more = 0] = zeros.toSorted((a, b) => a - b)
  if (more - fewer >= PRIVACY.CHANGE_BY_PRECISION.zeros) clues.push('CHANGE_BY_PRECISION')
  if (more >= PRIVACY.ROUND_PAYMENT.zeros && fewer < PRIVACY.ROUND_PAYMENT.zeros) clues.push('ROUND_PAYMENT')
  const types = new Set(tx.inputs.map(({ type }) => type))
  const matching = tx.outputs.filter(({ type }) => types.has(type)).length
  if (types.size === 1 && matching === 1) clues.push('CHANGE_BY_SCRIPT_TYPE')
  if (tx.inputs.length > 1) clues.push(...inputClues(tx))
  return clues
}

/**
 * With several inputs, an output smaller than each of them must be change, because otherwise one input less would have
 * paid. An input without which the larger output could still be paid was unnecessary.
 */
function inputClues({ inputs, outputs }: ExaminedTx): Clue[] {
  const ins = inputs.map(({ value }) => value)
  const outs = outputs.map(({ value }) => value)
  const total = ins.reduce((sum, value) => sum + value, 0)
  const fee = total - outs.reduce((sum, value) => sum + value, 0)
  const smallest = Math.min(...ins)
  if (total - smallest >= Math.max(...outs) + fee) return ['UNNECESSARY_INPUT']
  return Math.min(...outs) < smallest ? ['CHANGE_BY_SIZE'] : []
}
