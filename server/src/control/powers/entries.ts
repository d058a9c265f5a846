/** Whose entry of a mapping a position is. */
import { OP } from '../code/instructions.ts'
import { addends } from '../code/positions.ts'
import type { Term } from '../code/terms.ts'

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
