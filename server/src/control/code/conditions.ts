/** Conditions of branches: what a branch shows, and which conditions keep paths apart. */
import { OP } from './instructions.ts'
import { ADDRESS_MASK, isAccount, isAnswerSize, isBoolean, isIdentity, type Term, type Terms } from './terms.ts'

/** A condition that holds, or does not hold, wherever a path is. */
export type Fact = { readonly term: Term; readonly holds: boolean }

const NONE: readonly Fact[] = []
/**
 * What was computed from a list of conditions, kept at the list itself: weak maps of so many lists cost the garbage collector
 * much time.
 */
type Computed = {
  /** Sorted by their terms, which are all in `comparedBy` of their arguments. */
  isIndexed?: boolean
  searches?: number
  byArgument?: ReadonlyMap<Term, readonly Fact[]>
  withoutSmall?: readonly Fact[]
  outcomes?: ReadonlyMap<Term, boolean>
}
const computedOf = (facts: readonly Fact[]): Computed => facts as unknown as Computed
/** Most lists of conditions are searched a few times only, which is faster without an index. */
const MAX_SEARCHES = 16

/** The list of conditions that are sorted by their terms, and whose arguments name them: few compare one term. */
export function indexed(facts: readonly Fact[]): readonly Fact[] {
  computedOf(facts).isIndexed = true
  return facts
}

/** Adds a condition to those that compare one of its arguments. Nothing more is to be known of a constant. */
export function addComparison(argument: Term, condition: Term): void {
  if (argument.kind === 'constant') return
  const known = (argument.comparedBy ??= [])
  const before = known.findLastIndex(({ id }) => id <= condition.id)
  if (known[before] !== condition) known.splice(before + 1, 0, condition)
}

/** The conditions that compare or test a term. */
export function factsAbout(facts: readonly Fact[], term: Term): readonly Fact[] {
  if (facts.length === 0) return NONE
  const computed = computedOf(facts)
  if (computed.isIndexed === true) {
    const found: Fact[] = []
    for (const condition of term.comparedBy ?? []) {
      const fact = factOf(facts, condition)
      if (fact !== undefined) found.push(fact)
    }
    return found
  }
  if (computed.byArgument !== undefined) return computed.byArgument.get(term) ?? NONE
  const searches = computed.searches ?? 0
  if (searches < MAX_SEARCHES) {
    computed.searches = searches + 1
    let found: Fact[] | undefined
    // An iterator of a list at which something is kept costs more than an index.
    for (let index = 0; index < facts.length; index += 1) {
      const fact = facts[index] as Fact
      const { args } = fact.term
      if (args[0] !== term && args[1] !== term && !(args.length > 2 && args.includes(term))) continue
      if (found === undefined) found = [fact]
      else found.push(fact)
    }
    return found ?? NONE
  }
  const built = new Map<Term, Fact[]>()
  for (const fact of facts)
    for (const arg of new Set(fact.term.args)) {
      const others = built.get(arg)
      if (others === undefined) built.set(arg, [fact])
      else others.push(fact)
    }
  computed.byArgument = built
  return built.get(term) ?? NONE
}

/** The condition with a term in a list that is sorted by terms. */
function factOf(facts: readonly Fact[], { id }: Term): Fact | undefined {
  let [low, high] = [0, facts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((facts[middle] as Fact).term.id < id) low = middle + 1
    else high = middle
  }
  return facts[low]?.term.id === id ? facts[low] : undefined
}

/** The conditions without those about numbers that are only known to be small. */
export function factsWithoutSmall(facts: readonly Fact[]): readonly Fact[] {
  if (facts.length === 0) return facts
  const computed = computedOf(facts)
  if (computed.withoutSmall === undefined) {
    const isSmall = ({ term }: Fact): boolean => term.hasSmall
    computed.withoutSmall = facts.some(isSmall) ? facts.filter((fact) => !isSmall(fact)) : facts
    if (computed.isIndexed === true) indexed(computed.withoutSmall)
  }
  return computed.withoutSmall
}

/** What follows from a condition being true or false, in one form for each test. */
export function learn(terms: Terms, term: Term, holds: boolean, facts: Fact[]): void {
  const [left, right] = term.args as [Term, Term]
  if (term.kind === 'operation') {
    if (term.op === OP.ISZERO) return learn(terms, left, !holds, facts)
    if (term.op === OP.AND && holds && isBoolean(left) && isBoolean(right)) {
      learn(terms, left, true, facts)
      return learn(terms, right, true, facts)
    }
    if (term.op === OP.OR && !holds) {
      learn(terms, left, false, facts)
      return learn(terms, right, false, facts)
    }
    // A difference of zero is equality.
    if (term.op === OP.SUB || term.op === OP.XOR)
      return learn(terms, terms.operation(OP.EQ, left, right), !holds, facts)
    // Adding the complement of a constant is a comparison with it.
    if (term.op === OP.ADD && left.kind === 'constant')
      return learn(terms, terms.operation(OP.EQ, terms.operation(OP.SUB, terms.zero, left), right), !holds, facts)
    // The upper bits of a comparison of addresses do not matter.
    const isLower =
      (term.op === OP.SHL && left.kind === 'constant' && left.value === 96n) ||
      (term.op === OP.AND && left.kind === 'constant' && left.value === ADDRESS_MASK)
    if (isLower && !holds && right.kind === 'operation' && (right.op === OP.XOR || right.op === OP.SUB)) {
      const [one, other] = right.args as [Term, Term]
      return learn(terms, terms.operation(OP.EQ, lower(terms, one), lower(terms, other)), true, facts)
    }
  }
  if (term.kind !== 'constant') facts.push({ term, holds })
}

const lower = (terms: Terms, term: Term): Term => terms.operation(OP.AND, terms.constant(ADDRESS_MASK), term)

/** The number or the time of the present block. */
export const isClock = ({ kind, op }: Term): boolean =>
  kind === 'environment' && (op === OP.NUMBER || op === OP.TIMESTAMP)

/** A comparison of the first four bytes of the input with a constant. */
export function isSelectorTest(term: Term): boolean {
  const [constant, shifted] = term.args
  if (term.kind !== 'operation' || term.op !== OP.EQ || constant?.kind !== 'constant' || shifted === undefined)
    return false
  return constant.value <= 0xffff_ffffn && isSelector(shifted)
}

/** SHR(224, input 0), with or without a mask of four bytes. */
function isSelector(term: Term): boolean {
  const [left, right] = term.args
  if (term.kind !== 'operation' || left?.kind !== 'constant' || right === undefined) return false
  if (term.op === OP.AND) return left.value === 0xffff_ffffn && isSelector(right)
  return (
    term.op === OP.SHR &&
    left.value === 224n &&
    right.kind === 'input' &&
    right.args[0]?.kind === 'constant' &&
    right.args[0].value === 0n
  )
}

/** The caller is compared, or looked up in a table: paths with different checks are followed apart. */
export function isCallerCheck(term: Term): boolean {
  if (isAnswer(term)) return true
  if (!term.hasCaller || !term.isStable) return false
  if (term.kind === 'stored') return true
  if (term.kind !== 'operation') return false
  const [left, right] = term.args as [Term, Term]
  if (term.op === OP.EQ) return isIdentity(left) || isIdentity(right)
  return term.op === OP.AND && left.kind === 'constant' && (right.kind === 'stored' || right.op === OP.SHR)
}

/** The caller is compared with an account that the caller does not name: a guard, or one round of a loop over a list. */
export function isCallerComparison(term: Term): boolean {
  if (isCallerCheck(term)) return true
  const [left, right] = term.args
  if (term.kind !== 'operation' || term.op !== OP.EQ || left === undefined || right === undefined) return false
  return (isIdentity(left) || isIdentity(right)) && !mentionsInput(term)
}

const mentionsInput = (term: Term, depth = 0): boolean =>
  term.kind === 'input' ||
  depth > 12 ||
  term.args.some((arg) => mentionsInput(arg, depth + 1)) ||
  term.segments?.some((segment) => mentionsInput(segment.term, depth + 1)) === true

/** What another contract returned to a question about the caller. */
export const isAnswer = (term: Term): boolean =>
  term.kind === 'returned' && term.args[1]?.segments?.some(({ term: passed }) => isAccount(passed)) === true

/** An entry is compared with zero, with a number, or with the present time: the state of a queued operation. */
export function isEntryCheck(term: Term): boolean {
  if (term.kind === 'stored') return true
  const [left, right] = term.args
  if (term.kind !== 'operation' || left === undefined || right === undefined) return false
  if (term.op === OP.EQ || term.op === OP.AND) return left.kind === 'constant' && right.kind === 'stored'
  if (term.op !== OP.LT && term.op !== OP.GT) return false
  const isTime = (side: Term): boolean => side.kind === 'environment' && side.op === OP.TIMESTAMP
  if (isTime(left) || isTime(right)) return true
  return (left.kind === 'constant' && right.kind === 'stored') || (left.kind === 'stored' && right.kind === 'constant')
}

/** A call returned less than a word: compilers shorten what they read, and revert later. */
export function isShortAnswer(term: Term): boolean {
  const [size, least] = term.args
  return term.kind === 'operation' && term.op === OP.LT && isAnswerSize(size) && least?.kind === 'constant'
}

/** Whether no path meets both conditions: one holds what the other excludes. */
export function areContradictory(facts: readonly Fact[], others: readonly Fact[]): boolean {
  if (facts === others) return false
  if (computedOf(facts).isIndexed === true && computedOf(others).isIndexed === true)
    return areContradictorySorted(facts, others)
  const outcomes = outcomesOf(facts)
  return others.some(({ term, holds }) => outcomes.get(term) === !holds)
}

/** The same for lists that are sorted by their terms. */
function areContradictorySorted(facts: readonly Fact[], others: readonly Fact[]): boolean {
  let at = 0
  for (let index = 0; index < others.length; index += 1) {
    const { term, holds } = others[index] as Fact
    while (at < facts.length && (facts[at] as Fact).term.id < term.id) at += 1
    const fact = facts[at]
    if (fact?.term === term && fact.holds !== holds) return true
  }
  return false
}

/** Whether every path that meets the first conditions meets the others as well, because they are among them. */
export function includesAll(facts: readonly Fact[], others: readonly Fact[]): boolean {
  const outcomes = outcomesOf(facts)
  return others.every(({ term, holds }) => outcomes.get(term) === holds)
}

function outcomesOf(facts: readonly Fact[]): ReadonlyMap<Term, boolean> {
  const computed = computedOf(facts)
  return (computed.outcomes ??= new Map(facts.map(({ term, holds }) => [term, holds])))
}

/** The first position whose number is not below the given one. */
export function indexFor(sorted: readonly number[], number: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}

/** Numbers in both sorted lists; the first list itself where it has no others. */
export function common(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a === b) return a
  let both: number[] | undefined
  let other = 0
  for (let index = 0; index < a.length; index += 1) {
    const number = a[index] as number
    while (other < b.length && (b[other] as number) < number) other += 1
    if (b[other] === number) both?.push(number)
    else both ??= a.slice(0, index)
  }
  return both ?? a
}

/** Numbers in one of two sorted lists; the first list itself where it has them all. */
export function union(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a === b || b.length === 0) return a
  if (b.every((number) => a[indexFor(a, number)] === number)) return a
  const all: number[] = []
  let other = 0
  for (const number of a) {
    while (other < b.length && (b[other] as number) < number) all.push(b[other++] as number)
    if (b[other] === number) other += 1
    all.push(number)
  }
  while (other < b.length) all.push(b[other++] as number)
  return all
}
