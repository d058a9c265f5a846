/** Evaluates conditions on the present storage of a contract. */
import type { Hex } from '../../lib/hex.ts'
import type { Expression } from './effects.ts'
import { OP } from './instructions.ts'
import { fold, WORD_MASK } from './terms.ts'

const isOperation = (expression: Expression): expression is readonly [number, ...Expression[]] =>
  Array.isArray(expression)

/** The slots that an expression depends on. */
export function slotsRead(expression: Expression): readonly Hex[] {
  if (typeof expression === 'string') return []
  if (!isOperation(expression)) return [expression.stored]
  const [, ...operands] = expression
  return [...new Set(operands.flatMap(slotsRead))]
}

/** The value of an expression; undefined where an instruction is not known. */
export function evaluate(expression: Expression, self: bigint, words: ReadonlyMap<Hex, bigint>): bigint | undefined {
  if (expression === 'self') return self
  if (typeof expression === 'string') return BigInt(expression)
  if (!isOperation(expression)) return words.get(expression.stored)
  const [op, ...operands] = expression
  const values = operands.map((operand) => evaluate(operand, self, words))
  const [left, right] = values
  if (left === undefined) return undefined
  if (op === OP.ISZERO) return left === 0n ? 1n : 0n
  if (op === OP.NOT) return WORD_MASK ^ left
  return right === undefined ? undefined : fold(op, left, right)
}
