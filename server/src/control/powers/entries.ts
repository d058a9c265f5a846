/** Whose entry of a mapping a position is. */
import type { Fact } from '../code/conditions.ts'
import { OP } from '../code/instructions.ts'
import { addends } from '../code/positions.ts'
import type { Term } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'

/** The account whose element of a mapping a position is, or is in an array of: the first key. */
export function accountOf(position: Term): Term | undefined {
  const first = elementOf(position)?.segments?.[0]?.term
  return first && (seededAccount(first) ?? first)
}

/** The account in a word with a seed, as Solady hashes both. */
function seededAccount({ kind, op, args: [seed, shifted] }: Term): Term | undefined {
  const [by, account] = shifted?.args ?? []
  const isSeeded = kind === 'operation' && op === OP.OR && seed?.kind === 'constant' && shifted?.op === OP.SHL
  return isSeeded && by?.kind === 'constant' && by.value === ADDRESS_SHIFT ? account : undefined
}
const ADDRESS_SHIFT = 96n

/** The hash of the first key and the position of a mapping, or of an account next to a seed. */
function elementOf(position: Term): Term | undefined {
  const { hash } = addends(position)
  const [first, second] = hash?.segments ?? []
  if (hash === undefined || first === undefined) return undefined
  // The elements of an array, or of a mapping in a mapping.
  const inner = second === undefined ? first.term : second.term
  const isElement = second !== undefined || seededAccount(first.term) !== undefined
  return addends(inner).hash === undefined ? (isElement ? hash : undefined) : elementOf(inner)
}

/** The number of the mapping that a position is in if Vyper has hashed it before the key. */
export function mappingOfVyper(position: Term): bigint | undefined {
  const [mapping, key, ...more] = addends(position).hash?.segments ?? []
  if (mapping === undefined || key === undefined || more.length > 0 || key.term.kind === 'constant') return undefined
  return valueOf(mapping.term)
}

/** All that is hashed to a position: the keys, and the number or the seed of the mapping. */
export function hashedIn(position: Term): readonly Term[] {
  const terms = addends(position).hash?.segments?.map(({ term }) => term) ?? []
  return terms.flatMap((term) => (addends(term).hash === undefined ? [seededAccount(term) ?? term] : hashedIn(term)))
}

/** Whether an amount is stored for the account that an entry belongs to, in the same mapping. */
export const isStoredOf = ({ kind, args: [position] }: Term, entry: Term): boolean => {
  const element = kind === 'stored' && position !== undefined ? elementOf(position) : undefined
  return element !== undefined && element === elementOf(entry)
}

/** Numbers of entries have at least so many bits; code counts down in them by adding the largest one. */
const NUMBER = 1n << 32n

/** Which entry of a list of an account, or of a mapping in a mapping, a position is: a stored number, and how far it is from it. */
function numberOf(position: Term): { readonly from: Term; readonly by: bigint; readonly member: bigint } | undefined {
  const { fixed, hash, others } = addends(position)
  const [key, mapping] = hash?.segments ?? []
  const isInMapping = mapping !== undefined && addends(mapping.term).hash !== undefined
  const number = isInMapping && key !== undefined ? addends(plainNumber(key.term)) : { fixed, others }
  const [from, ...more] = number.others.map(plainNumber)
  return from?.kind === 'stored' && more.length === 0
    ? { from, by: number.fixed % NUMBER, member: isInMapping ? fixed : 0n }
    : undefined
}

/** A number without masks of its low bits. */
function plainNumber(term: Term): Term {
  const [mask, masked] = term.args
  const isMasked = term.kind === 'operation' && term.op === OP.AND && mask?.kind === 'constant' && masked !== undefined
  return isMasked && ((mask.value + 1n) & mask.value) === 0n && mask.value + 1n >= NUMBER ? plainNumber(masked) : term
}

/** Whether a position is behind the last entry of the account, so that what is stored there is a new one. */
export const isBehindLast = (position: Term): boolean => numberOf(position)?.by === 0n

/** Whether a condition says that an account has no entries before a new one. */
export function isEmptyBefore(position: Term, { term, holds }: Fact): boolean {
  const count = plainNumber(term)
  return !holds && count.kind === 'stored' && count.args[0] === numberOf(position)?.from.args[0]
}

/** Whether an entry has a number among those of the account. */
export const hasNumber = (position: Term): boolean => {
  const { hash, others } = addends(position)
  const [, mapping] = hash?.segments ?? []
  return others.length > 0 || (mapping !== undefined && addends(mapping.term).hash !== undefined)
}

/** Whether an entry is the same, or the last one before a new one. */
export function isLastBefore(entry: Term, position: Term): boolean {
  if (entry === position) return true
  const [last, next] = [numberOf(entry), numberOf(position)]
  if (last === undefined || next === undefined) return false
  const isSame = last.from.args[0] === next.from.args[0] && last.member === next.member
  return isSame && (last.by + 1n) % NUMBER === next.by
}
