/** The bits of a position in storage that a store may change. */
import { OP } from '../code/instructions.ts'
import { ADDRESS_MASK, isAccount, type Term } from '../code/terms.ts'

export const ALL_BITS = (1n << 256n) - 1n

/** The bits of a position that a store may change. */
export function changedBits(value: Term, position: Term): bigint {
  const parts = value.kind === 'operation' && value.op === OP.OR ? value.args : [value]
  const [kept] = parts.filter((part) => isKept(part, position))
  const [mask] = kept?.args ?? []
  if (mask?.kind !== 'constant') return ALL_BITS
  return parts.filter((part) => part !== kept).reduce((bits, part) => bits | bitsOf(part), ALL_BITS ^ mask.value)
}

/** The bits that a term may have. */
export function bitsOf(term: Term): bigint {
  const [left, right] = term.args
  if (term.kind === 'constant') return term.value
  if (isAccount(term) || term.kind === 'self') return ADDRESS_MASK
  if (term.kind !== 'operation' || left === undefined) return ALL_BITS
  if (term.op === OP.ISZERO || term.op === OP.EQ) return 1n
  if (right === undefined) return ALL_BITS
  if (term.op === OP.AND) return bitsOf(left) & bitsOf(right)
  if (left.kind !== 'constant') return ALL_BITS
  if (term.op === OP.SHL && left.value < 256n) return (bitsOf(right) << left.value) & ALL_BITS
  const isPower = term.op === OP.MUL && left.value !== 0n && (left.value & (left.value - 1n)) === 0n
  return isPower ? (bitsOf(right) * left.value) & ALL_BITS : ALL_BITS
}

/** A part of the value that is stored already. */
export const isKept = (part: Term, position: Term): boolean =>
  part.kind === 'operation' &&
  part.op === OP.AND &&
  part.args.some((arg) => arg.kind === 'stored' && arg.args[0] === position)
