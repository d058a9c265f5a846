/**
 * Words that a value is computed from and that the caller does not give.
 *
 * An account that may store a value decides on control only if no other can change what the value is computed from.
 */
import type { Fact } from './conditions.ts'
import type { RawEffect } from './dataflow.ts'
import { OP } from './instructions.ts'
import { CODE, COPIED, CREATED, CREATED_OF_OTHERS, CREATED_UNSEEN, FORWARDED } from './passed-input.ts'
import { addends, type Position, positionOf } from './positions.ts'
import { listOf } from './read-tables.ts'
import { LEAST_HASH } from './reported-stores.ts'
import { isPointer, isSmallNumber, type Segment, type Term } from './terms.ts'

/** Storage that a value is read from. `takesOther`: it is computed from something else too, such as what a contract answers. */
export type Taken = { readonly takes?: readonly Position[]; readonly takesOther?: true }

/** Block fields and sizes that no account chooses. */
const FIXED: ReadonlySet<number> = new Set([OP.TIMESTAMP, OP.NUMBER, OP.CHAINID, OP.CALLDATASIZE, OP.CALLVALUE])
/** Opaque words that the input or the code gives. */
const GIVEN: readonly string[] = [CREATED, COPIED, FORWARDED, CODE]

/** `to`: the position that a value is stored at, whose other bits it keeps. `reads`: positions that its function reads. */
export function takenFrom(value: Term, to: Term, facts: readonly Fact[], reads: Iterable<Term> | undefined): Taken {
  const { read, isOther, isUnseen } = wordsIn([value], to)
  const takesOther = isOther || (isUnseen && reads === undefined)
  return { ...taken(isUnseen ? [...read, ...(reads ?? [])] : read, facts), ...(takesOther ? { takesOther: true } : {}) }
}

/**
 * What decides whom a call reaches, and with what. `reads`: positions that its function reads. Bytes that are not known may be
 * those of any list among these, unless the call passes bytes of the input on.
 */
export function takenByCall({ subject, passed = [], passedSize, facts }: RawEffect, reads: Iterable<Term>): Taken {
  const terms = passed.map(({ term }) => term)
  const { read, isOther, isUnseen } = wordsIn([subject, ...terms])
  const isShown = passedSize !== undefined && passedSize <= SHOWN_BYTES
  const isOfInput = terms.some(({ tag }) => tag.startsWith(COPIED) || tag.startsWith(FORWARDED))
  const lists = !isOther && (isShown || isOfInput) ? [] : [...reads].filter(isInList)
  return taken([...read, ...(isUnseen ? reads : lists)], facts)
}

function taken(read: readonly Term[], facts: readonly Fact[]): Taken {
  const takes = positionsOf(read, facts)
  return takes.length === 0 ? {} : { takes }
}

/** An element of a list stands for the list: its length decides what is read. */
export function positionsOf(read: readonly Term[], facts: readonly Fact[]): readonly Position[] {
  const positions = read.map((position) => positionOf(listOf(position) ?? position, facts))
  return [...new Map(positions.map((position) => [JSON.stringify(position), position])).values()]
}

export const storageRead = (words: readonly Term[]): readonly Term[] => wordsIn(words).read

/** The positions in storage that words are read from, and those of their keys. */
function wordsIn(
  words: readonly Term[],
  to?: Term,
): { readonly read: readonly Term[]; readonly isOther: boolean; readonly isUnseen: boolean } {
  const [seen, read] = [new Set<Term>(), new Set<Term>()]
  let [isOther, isUnseen] = [false, false]
  const visit = (term: Term): void => {
    if (seen.has(term)) return
    seen.add(term)
    const { kind, op, args, segments = [] } = term
    if (kind === 'stored' && args[0] === to) return
    if (kind === 'stored') read.add(args[0] as Term)
    if (kind === 'environment' ? !FIXED.has(op) : kind === 'opaque' ? !isGiven(term) : OTHERS.has(kind)) isOther = true
    if (kind === 'opaque' && term.tag.startsWith(CREATED_UNSEEN)) isUnseen = true
    for (const arg of args) visit(arg)
    for (const segment of segments) visit(segment.term)
  }
  for (const word of words) visit(word)
  return { read: [...read], isOther, isUnseen }
}

/** An element of a list in a mapping, or of one whose place the code knows. */
const isInList = (position: Term): boolean =>
  listOf(position) !== undefined || (position.kind === 'operation' && addends(position).fixed >= LEAST_HASH)

/** As many bytes of what a call passes are known. */
const SHOWN_BYTES = 100
const OTHERS: ReadonlySet<Term['kind']> = new Set(['origin', 'returned', 'asked', 'signer'])

const isGiven = (term: Term): boolean =>
  isSmallNumber(term) || isPointer(term) || (isOfInputOrCode(term) && !term.tag.startsWith(CREATED_OF_OTHERS))

const isOfInputOrCode = ({ tag }: Term): boolean => GIVEN.some((prefix) => tag.startsWith(prefix))

/**
 * What gives the code of a contract that is created. Where its size is not known, its first bytes tell. `unknown`: memory that is
 * not followed. `isAlone`: nothing of other contracts may be in memory.
 */
export function createdBy(
  initial: readonly Segment[],
  size: number | undefined,
  unknown: Term,
  isAlone: boolean,
): typeof CREATED | typeof CREATED_UNSEEN | typeof CREATED_OF_OTHERS {
  const shown = initial.flatMap(({ term }) => (term === unknown ? [] : [term]))
  const { read, isOther } = wordsIn(shown)
  if (isOther || read.length > 0) return CREATED_OF_OTHERS
  const isShown = shown.length === initial.length
  if (isShown && (size !== undefined || (shown[0] !== undefined && isOfInputOrCode(shown[0])))) return CREATED
  return isAlone ? CREATED_UNSEEN : CREATED_OF_OTHERS
}
