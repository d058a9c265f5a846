/** Conditions on storage: what a term says about it, and its value on the present storage of a contract. */
import type { Hex } from '../../lib/hex.ts'
import { fold, WORD_MASK } from './arithmetic.ts'
import type { Expression } from './effects.ts'
import { OP } from './instructions.ts'
import { type Term, word } from './terms.ts'
import { valueOf } from './values.ts'

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

/** The expression of a term that depends on storage and the contract's own address alone. */
export function expressionOf(term: Term): Expression | undefined {
  switch (term.kind) {
    case 'constant':
      return word(term.value)
    case 'self':
      return 'self'
    case 'stored': {
      const position = valueOf(term.args[0] as Term)
      return position === undefined ? undefined : { stored: word(position) }
    }
    case 'operation': {
      const parts: Expression[] = []
      for (const arg of term.args) {
        const part = expressionOf(arg)
        if (part === undefined) return undefined
        parts.push(part)
      }
      return [term.op, ...parts]
    }
    case 'caller':
    case 'origin':
    case 'environment':
    case 'input':
    case 'hash':
    case 'returned':
    case 'signer':
    case 'asked':
    case 'opaque':
    default:
      return undefined
  }
}
