/** Positions in storage, and how large the numbers in them are. */
import type { Hex } from '../../lib/hex.ts'
import { type Fact, factsAbout } from './conditions.ts'
import { OP } from './instructions.ts'
import { isNonZeroTest } from './queued-operations.ts'
import { isAnswerSize, isJoinedHash, isSmallNumber, type Segment, SMALL_NUMBER_BITS, type Term, word } from './terms.ts'

export const REACH = 1n << 64n
export const TOP = 1n << 256n
/** Characters of a key that is the content of another position. */
const MAX_KEY = 2_000

/**
 * A key of a mapping: the caller, a constant, the content of another position (`@` and its text), a hash (`#`) or another
 * value that is not known (`?`), with a number that tells different values of one analysis apart. What is read after a store
 * or a call has such a number too, before the text of its position.
 */
export type Key = 'caller' | Hex | `?${number}` | `#${number}` | `@${string}`

/** A position in storage. `lengths`: it is only there if these slots hold plausible lengths of arrays. */
export type Position =
  | { readonly type: 'slot'; readonly slot: Hex }
  /** An element of a mapping, or of a mapping in a mapping, and a member of it. */
  | {
      readonly type: 'table'
      readonly base: Hex
      readonly keys: readonly Key[]
      readonly member: number
      readonly lengths?: readonly Position[]
    }
  /** Less than 2^128 away from a fixed slot. */
  | { readonly type: 'near'; readonly slot: Hex; readonly lengths?: readonly Position[] }
  /** Less than 2^128 away from the hash of so many bytes; zero: of an unknown number. */
  | {
      readonly type: 'hashed'
      readonly bytes: number
      readonly isBelow: boolean
      /** The hash is of the position of an element of a mapping, as of an array in a mapping. */
      readonly isOfElement?: true
      readonly lengths?: readonly Position[]
    }
  | { readonly type: 'anywhere' }

/** Positions without conditions, and by the conditions of effects: stores are compared with each other repeatedly. */
const FIXED = new WeakMap<Term, Position>()
const UNDER = new WeakMap<readonly Fact[], WeakMap<Term, Position>>()

/** Where a position is in storage. */
export function positionOf(term: Term, facts: readonly Fact[]): Position {
  let known = facts.length === 0 ? FIXED : UNDER.get(facts)
  if (known === undefined) UNDER.set(facts, (known = new WeakMap()))
  let position = known.get(term)
  if (position === undefined) known.set(term, (position = findPosition(term, facts)))
  return position
}

function findPosition(term: Term, facts: readonly Fact[]): Position {
  if (term.kind === 'constant') return { type: 'slot', slot: word(term.value) }
  const lengths: Position[] = []
  const { fixed: sum, hash, others } = addends(term)
  const compared = comparedConstant(others, facts, lengths)
  const fixed = (sum - (compared ?? 0n) + TOP) % TOP
  if (compared === undefined && !others.every((other) => isBounded(other, facts, lengths))) return { type: 'anywhere' }
  const used = lengths.length === 0 ? {} : { lengths }
  if (hash === undefined) {
    // A fixed base and an index; without a base only a small number.
    return { type: 'near', slot: word(fixed), ...used }
  }
  const isBelow = fixed >= TOP - REACH
  if (fixed >= REACH && !isBelow) return { type: 'anywhere' }
  const table = tableOf(hash)
  if (table !== undefined && !isBelow)
    return { type: 'table', ...table, member: others.length > 0 || fixed > 0xffffn ? -1 : Number(fixed), ...used }
  return { type: 'hashed', bytes: bytesHashed(hash), isBelow, ...(isOfElement(hash) && { isOfElement: true }), ...used }
}

function isOfElement({ segments = [] }: Term): boolean {
  const [only, ...more] = segments
  if (only === undefined || more.length > 0 || only.from !== 0 || only.to !== 32) return false
  const { fixed, hash, others } = addends(only.term)
  return hash !== undefined && others.length === 0 && fixed < REACH && tableOf(hash)?.base.length === 66
}

/**
 * The constant in an index that a comparison bounds as a whole, such as one below a number in storage: the index is then
 * known to be small, and the number in it need not be.
 */
function comparedConstant(others: readonly Term[], facts: readonly Fact[], lengths: Position[]): bigint | undefined {
  if (others.length === 0) return undefined
  for (const { term, holds } of facts) {
    const [left, right] = term.args
    if (term.kind !== 'operation' || (term.op !== OP.LT && term.op !== OP.GT)) continue
    const [index, bound] = (term.op === OP.LT) === holds ? [left, right] : [right, left]
    if (index === undefined || bound === undefined) continue
    const { fixed, hash, others: parts } = addends(index)
    const isIndex = hash === undefined && fixed !== 0n && textOf(parts) === textOf(others)
    // A check for an overflow compares the number with itself.
    if (!isIndex || addends(bound).others.some((other) => parts.includes(other))) continue
    const needed: Position[] = []
    if (!isBounded(bound, facts, needed)) continue
    lengths.push(...needed)
    return fixed
  }
  return undefined
}

/** The same for the same terms in any order. */
const textOf = (terms: readonly Term[]): string =>
  terms
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join()

/** The sum that a term is: a constant, at most one hash, and the rest. */
export function addends(term: Term): {
  readonly fixed: bigint
  readonly hash: Term | undefined
  readonly others: readonly Term[]
} {
  let fixed = 0n
  let hash: Term | undefined
  const others: Term[] = []
  const add = (part: Term): void => {
    if (part.kind === 'constant') fixed = (fixed + part.value) % TOP
    else if (part.kind === 'operation' && part.op === OP.ADD) for (const arg of part.args) add(arg)
    else if (part.kind === 'hash' && hash === undefined) hash = part
    else others.push(part)
  }
  add(term)
  return { fixed, hash, others }
}

/** The number of bytes that a hash is of; zero where it is not known. */
export const bytesHashed = (hash: Term): number => {
  const last = hash.segments?.at(-1)
  if (hash.segments === undefined || last === undefined || last.to < 0) return 0
  return hash.segments.reduce((sum, { from, to }) => sum + (to - from), 0)
}

/** A mapping stores an element at the hash of its key and the mapping's own position. */
function tableOf(hash: Term): { readonly base: Hex; readonly keys: readonly Key[] } | undefined {
  const [first, second, ...more] = hash.segments ?? []
  if (first === undefined) return undefined
  const isWhole = (segment: Segment | undefined): boolean => segment?.from === 0 && segment.to === 32
  if (second !== undefined && more.length === 0 && isWhole(first) && isWhole(second)) {
    const [key, base] = [first.term, second.term]
    // Vyper hashes them in the other order: such an element may be in any mapping.
    if (!isBase(base)) return undefined
    if (base.kind === 'constant') return { base: word(base.value), keys: [keyOf(key)] }
    if (base.kind === 'hash') {
      const outer = tableOf(base)
      return outer?.base.length === 66 ? { base: outer.base, keys: [...outer.keys, keyOf(key)] } : undefined
    }
    const { fixed, hash: inner, others } = addends(base)
    const outer = inner === undefined || others.length > 0 ? undefined : tableOf(inner)
    // A mapping that is a member of a struct in a mapping.
    return outer?.base.length !== 66 || fixed >= REACH
      ? undefined
      : { base: outer.base, keys: [...outer.keys, `0x${fixed.toString(16)}`, keyOf(key)] }
  }
  return packedTable(hash.segments ?? [])
}

const isBase = (term: Term): boolean =>
  term.kind === 'constant' || term.kind === 'hash' || (term.kind === 'operation' && term.op === OP.ADD)

/** Solady hashes an account next to a seed, or to a role and a seed: these take the part of the base. */
function packedTable(segments: readonly Segment[]): { readonly base: Hex; readonly keys: readonly Key[] } | undefined {
  const parts = segments.flatMap(accountAndSeed)
  const isKey = ({ from, to }: Segment): boolean => from === 12 && to === 32
  const [first] = parts
  const last = parts.at(-1)
  const key = [first, last].find((part) => part !== undefined && isKey(part))
  if (key === undefined || parts.length < 2) return undefined
  let base = ''
  for (const part of parts) {
    if (part === key) continue
    const bytes = bytesIn(part)
    if (bytes === undefined) return undefined
    base += bytes
  }
  // The account comes first, or last: the numbers of bytes tell which.
  const isSeed = key === first && base.length === 24
  const isRole = key === last && base.length === 72
  return isSeed || isRole ? { base: `0x${base}`, keys: [keyOf(key.term)] } : undefined
}

const SEED_BYTES = 12
const SHIFTED = 96n

/** An account that is shifted to the left and joined with a seed by OR, as its two parts. */
function accountAndSeed(segment: Segment): readonly Segment[] {
  const { term, from, to } = segment
  const shifted = shiftedAccount(term)
  return from === 0 && to === 32 && shifted !== undefined
    ? [
        { term: shifted, from: SEED_BYTES, to: 32 },
        { term, from: 20, to: 32 },
      ]
    : [segment]
}

function shiftedAccount({ kind, op, args: [seed, shift] }: Term): Term | undefined {
  const isJoined = kind === 'operation' && op === OP.OR && seed?.kind === 'constant' && seed.value < 1n << SHIFTED
  if (!isJoined || shift?.kind !== 'operation' || shift.op !== OP.SHL) return undefined
  const [bits, account] = shift.args
  return bits?.kind === 'constant' && bits.value === SHIFTED ? account : undefined
}

/** The bytes of a constant, or of the seed that is joined with an account. */
function bytesIn({ term, from, to }: Segment): string | undefined {
  const isSeed = from >= 32 - SEED_BYTES && shiftedAccount(term) !== undefined
  const known = isSeed ? term.args[0] : term
  return known?.kind === 'constant' && to >= 0 ? word(known.value).slice(2 + from * 2, 2 + to * 2) : undefined
}

export function keyOf(term: Term): Key {
  if (term.kind === 'caller') return 'caller'
  if (term.kind === 'constant') return word(term.value)
  if (term.kind === 'hash' && !isJoinedHash(term)) return `#${term.id}`
  if (term.kind !== 'stored') return `?${term.id}`
  const position = positionOf(term.args[0] as Term, [])
  const text = isExact(position) ? JSON.stringify(position) : ''
  // A key in a key in a key, as of a list that is followed element by element, would grow without end.
  if (text === '' || text.length > MAX_KEY) return `?${term.id}`
  return term.tag === '' ? `@${text}` : `@${term.id}${text}`
}

/** Whether two positions with this text are the same one. */
const isExact = (position: Position): boolean =>
  position.type === 'slot' || (position.type === 'table' && position.member >= 0)

/** The position whose content a key is. */
export function positionIn(key: Key): Position | undefined {
  return key.startsWith('@') ? (JSON.parse(key.slice(key.indexOf('{'))) as Position) : undefined
}

/** Numbers of fewer bits stay far below the distance between hashes. */
const SMALL_BITS = 120
const WORD_BITS = 256
/** Sizes, times and numbers of blocks. */
const SIZE_BITS = 64
/** A length that only grows by small steps. */
const LENGTH_BITS = 80

/** Whether a number is small if the lengths that it depends on are plausible. */
export function isBounded(term: Term, facts: readonly Fact[], lengths: Position[]): boolean {
  const bits = bitsOf(term, facts, lengths)
  return bits !== undefined && bits < SMALL_BITS
}

/**
 * How many bits a number has at most; undefined where nothing shows it. What shows it without depending on a length is
 * preferred.
 */
export function bitsOf(term: Term, facts: readonly Fact[], lengths: Position[], depth = 0): number | undefined {
  if (depth > 8) return undefined
  if (term.kind === 'constant') return bitLength(term.value)
  if (isSmallNumber(term)) return SMALL_NUMBER_BITS
  if (isAnswerSize(term)) return SIZE_BITS
  if (term.kind === 'environment')
    return term.op === OP.CALLDATASIZE || term.op === OP.TIMESTAMP || term.op === OP.NUMBER ? SIZE_BITS : undefined
  const [left, right] = term.args
  let best: number | undefined
  let needed: readonly Position[] = NO_LENGTHS
  let isFound: boolean = false
  const take = (bits: number | undefined, used: readonly Position[]): void => {
    if (bits === undefined || (best !== undefined && (bits >= SMALL_BITS || used.length > 0))) return
    best = bits
    needed = used
    isFound = bits < SMALL_BITS && used.length === 0
  }
  const takePart = (part: Term): void => {
    const used: Position[] = []
    take(bitsOf(part, facts, used, depth + 1), used)
  }
  // How it is computed, what it was compared with, that it is a stored length.
  const isOneLess = term.op === OP.ADD && left?.kind === 'constant' && left.value === TOP - 1n && right !== undefined
  if (term.kind === 'operation' && !isOneLess) {
    const used: Position[] = []
    take(
      bitsOfOperation(term, (part) => (part === undefined ? undefined : bitsOf(part, facts, used, depth + 1))),
      used,
    )
  }
  if (!isFound)
    for (const { term: fact, holds } of factsAbout(facts, term)) {
      const [a, b] = fact.args
      if (fact.kind !== 'operation' || a === undefined || b === undefined || a === b) continue
      const isBelow = fact.op === OP.LT ? holds : fact.op === OP.GT && !holds
      const isAbove = fact.op === OP.GT ? holds : fact.op === OP.LT && !holds
      const isEqual = fact.op === OP.EQ && holds && a.kind === 'constant'
      if (isBelow && a === term) takePart(b)
      if (!isFound && (isAbove || isEqual) && b === term) takePart(a)
      if (isFound) break
    }
  // One less than a number that is not zero.
  if (!isFound && isOneLess && facts.some((fact) => isNonZeroTest(fact.term, fact.holds, right))) takePart(right)
  if (!isFound && term.kind === 'stored') {
    const length = findPosition(term.args[0] as Term, facts)
    if (length.type !== 'anywhere') take(LENGTH_BITS, [length])
  }
  lengths.push(...needed)
  return best
}

const NO_LENGTHS: readonly Position[] = []

type BitsOf = (part: Term | undefined) => number | undefined

function bitsOfOperation({ op, args: [left, right] }: Term, of: BitsOf): number | undefined {
  const known = left?.kind === 'constant' ? left.value : undefined
  switch (op) {
    case OP.ISZERO:
    case OP.EQ:
    case OP.LT:
    case OP.GT:
      return 1
    case OP.BYTE:
      return 8
    case OP.AND:
      return known === undefined ? undefined : Math.min(bitLength(known), of(right) ?? WORD_BITS)
    case OP.SHR:
      if (known === undefined) return of(right)
      return known >= BigInt(WORD_BITS) ? 0 : Math.max((of(right) ?? WORD_BITS) - Number(known), 0)
    case OP.SHL: {
      const bits = known === undefined || known >= BigInt(WORD_BITS) ? undefined : of(right)
      return bits === undefined ? undefined : bits + Number(known)
    }
    case OP.DIV:
      return of(left)
    case OP.MUL:
    case OP.ADD: {
      const [one, other] = [of(left), of(right)]
      if (one === undefined || other === undefined) return undefined
      return op === OP.MUL ? one + other : Math.max(one, other) + 1
    }
    default:
      return undefined
  }
}

export const bitLength = (value: bigint): number =>
  value <= 0xffff_ffffn ? 32 - Math.clz32(Number(value)) : value.toString(2).length

/** Whether the last key of an element is a hash of something else than one word. */
export const isHashed = (position: Position): boolean =>
  position.type === 'table' && position.keys.at(-1)?.startsWith('#') === true
