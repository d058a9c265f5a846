/**
 * Values where paths meet: what two terms have in common.
 *
 * A sum stays the sum of its base and a small number, so that a loop over the elements of an array is known to stay near
 * its start. A loop takes fewer than 2^32 rounds, because each one costs gas.
 */
import { type Fact, factsWithoutSmall } from './conditions.ts'
import { OP } from './instructions.ts'
import { addends, bitLength, bitsOf, type Position } from './positions.ts'
import { isAnswerSize, isPointer, isSmallNumber, type Segment, smallLevel, type Term, type Terms } from './terms.ts'

const TOP = 1n << 256n
const LARGEST_STEP = 1n << 32n
const LARGE = 1n << 64n
/** Sums of so many numbers of so many bits, and of the steps of loops, have fewer than `SMALL_NUMBER_BITS`. */
const PLAIN_BITS = 80
const MOST_ADDENDS = 4
const HIGHEST_LEVEL = 3

/** A value and what is known on its path. */
type Known = { readonly term: Term; readonly facts: readonly number[] }

type Context = {
  readonly terms: Terms
  readonly factsOf: (facts: readonly number[]) => readonly Fact[]
}

/** Where values meet: a place on the stack of a node. */
type Meeting = { readonly node: number; readonly index: number }

/** The tag of what values are named where they meet. */
export const JOIN = 'join'

/** The term for two values that meet; it is opaque where they have nothing in common. */
export function joinedTerm({ terms, factsOf }: Context, a: Known, b: Known, { node, index }: Meeting): Term {
  const mayBeCaller = a.term.hasCaller || b.term.hasCaller
  const isApart = isUnbounded(a.term) || (isNumber(a.term) && isUnbounded(b.term))
  if (isApart) return terms.opaqueAt(JOIN, node, index, mayBeCaller)
  const place = `${JOIN}${node}.${index}`
  const [base, offset, other] = fromCommonBase(terms, a.term, b.term, place)
  if (offset === other) return terms.operation(OP.ADD, base, offset)
  const level = levelOnPath(offset, () => factsOf(a.facts))
  const otherLevel = level === undefined ? undefined : levelOnPath(other, () => factsOf(b.facts))
  if (level === undefined || otherLevel === undefined) return terms.opaqueAt(JOIN, node, index, mayBeCaller)
  return terms.operation(OP.ADD, base, terms.small(place, Math.max(level, otherLevel), mayBeCaller))
}

/** A number with which no sum begins that is near a large number of the code. */
const isNumber = ({ kind, value }: Term): boolean => kind === 'constant' && value < LARGE

/** A value that is computed from no others, and of which nothing shows that it is small. */
const isUnbounded = (term: Term): boolean =>
  (term.kind === 'input' || term.kind === 'opaque' || term.kind === 'returned' || term.kind === 'stored') &&
  !isSmallNumber(term) &&
  !isAnswerSize(term) &&
  term.comparedBy === undefined

/**
 * The level of a number that is small on its path; undefined for another one. A loop may add a constant to a small number.
 * Any other sum of small numbers has a level above theirs: a loop that doubles a number soon exceeds the highest one.
 */
function levelOnPath(term: Term, facts: () => readonly Fact[]): number | undefined {
  const isPlain = (part: Term): boolean => {
    if (part.hasSmall) return false
    if (part.kind === 'constant') return bitLength(part.value) <= PLAIN_BITS
    const lengths: Position[] = []
    const bits = bitsOf(part, factsWithoutSmall(facts()), lengths)
    return bits !== undefined && bits <= PLAIN_BITS && lengths.length === 0
  }
  if (isPlain(term)) return 1
  const { fixed, hash, others } = addends(term)
  const small = others.filter(isSmallNumber)
  if (hash !== undefined || fixed >= LARGEST_STEP || small.length === 0 || others.length > MOST_ADDENDS)
    return undefined
  if (!others.every((other) => small.includes(other) || isPlain(other))) return undefined
  const highest = Math.max(...small.map(smallLevel))
  const level = others.length === 1 ? highest : highest + 1
  return level > HIGHEST_LEVEL ? undefined : level
}

/**
 * Two terms as sums of one base and an offset each. The base is a hash, of bytes that may differ at the same places, or a
 * large number of the code that both are close to; it is zero where there is neither.
 */
function fromCommonBase(
  terms: Terms,
  a: Term,
  b: Term,
  place: string,
): readonly [base: Term, offset: Term, other: Term] {
  const from = addends(a)
  const fixed = from.hash === undefined ? terms.largeBelow(from.fixed) : 0n
  if (fixed === undefined) return [terms.zero, a, b]
  const to = addends(b)
  const hash = joinedHash(terms, from.hash, to.hash, place)
  if (hash === undefined && from.hash !== to.hash) return [terms.zero, a, b]
  const offsetOf = (sum: typeof from): Term =>
    sum.others.reduce(
      (offset, other) => terms.operation(OP.ADD, offset, other),
      terms.constant((sum.fixed - fixed + TOP) % TOP),
    )
  return [hash ?? terms.constant(fixed), offsetOf(from), offsetOf(to)]
}

/** The hash of what the bytes of two hashes have in common: elements of one mapping stay elements of it. */
function joinedHash(terms: Terms, a: Term | undefined, b: Term | undefined, place: string): Term | undefined {
  if (a === b || a === undefined || b === undefined) return a === b ? a : undefined
  const others = b.segments ?? []
  if (a.kind !== 'hash' || b.kind !== 'hash' || a.segments?.length !== others.length) return undefined
  const joined: Segment[] = []
  for (const [at, { term, from, to }] of a.segments.entries()) {
    const other = others[at] as Segment
    if (from !== other.from || to !== other.to) return undefined
    const inner = `${place}.${at}`
    const part =
      joinedHash(terms, term, other.term, inner) ?? terms.opaque(inner, term.hasCaller || other.term.hasCaller)
    joined.push({ term: part, from, to })
  }
  return terms.joinedHash(joined)
}

/** Two pointers that meet, and the name of both from there on. */
export type Pair = { readonly a: Term; readonly b: Term; readonly joined: Term }

/** The name of two pointers that meet. Pointers that meet in several places get one name, and keep their distances. */
export function joinedPair(terms: Terms, pairs: Map<string, Pair>, a: Term, b: Term, place: string): Term {
  const known = knownPair(terms, pairs, a, b)
  if (known !== undefined) return known
  const [distance, from, to] = distanced(a, b)
  const isBoth = from !== a && isPointer(from) && isPointer(to)
  const [first, second] = isBoth ? [from, to] : [a, b]
  const joined = first === second ? first : terms.pointer(isBoth ? `${place}~` : place)
  if (first !== second) pairs.set(`${first.id}:${second.id}`, { a: first, b: second, joined })
  return isBoth ? terms.operation(OP.ADD, distance, joined) : joined
}

export function knownPair(terms: Terms, pairs: ReadonlyMap<string, Pair>, a: Term, b: Term): Term | undefined {
  const whole = pairs.get(`${a.id}:${b.id}`)
  if (whole !== undefined) return whole.joined
  const [distance, from, to] = distanced(a, b)
  const inner = from === a ? undefined : pairs.get(`${from.id}:${to.id}`)
  return inner === undefined ? undefined : terms.operation(OP.ADD, distance, inner.joined)
}

/** Two terms without the constant that both add to something; the terms themselves where they add no such constant. */
function distanced(a: Term, b: Term): readonly [distance: Term, a: Term, b: Term] {
  const [distance, from] = a.args
  const [other, to] = b.args
  const isSum = a.kind === 'operation' && a.op === OP.ADD && b.kind === 'operation' && b.op === OP.ADD
  const isSame = isSum && distance?.kind === 'constant' && distance === other
  return isSame && from !== undefined && to !== undefined ? [distance, from, to] : [a, a, b]
}

/** Whether one of the names occurs in a term. */
export function mentions(term: Term, names: ReadonlySet<Term>, seen = new Set<Term>()): boolean {
  if (names.has(term)) return true
  if (term.isStable || seen.has(term)) return false
  seen.add(term)
  const isIn = (part: Term): boolean => mentions(part, names, seen)
  return term.args.some(isIn) || term.segments?.some((segment) => isIn(segment.term)) === true
}
