/**
 * Calls that an entry of a queue lets pass: whether the key of that entry determines what is called, and whether the entry
 * is removed.
 *
 * The function is followed with texts and lists of fixed lengths, so that every byte is known by its place in the input, and
 * each path apart from the others. Each byte that is passed must be one that was hashed into the key, or be given by the
 * code. A function that may treat arguments or answers of other lengths in another way binds nothing; lists that are longer
 * than those that are tried are not covered by this.
 */
import type { Hex } from '../../lib/hex.ts'
import { WORD_MASK } from './arithmetic.ts'
import { AskedLengths, MeasuredTerms } from './asked-lengths.ts'
import { MOST_BYTES } from './block.ts'
import { bitsStored } from './certain-stores.ts'
import { type Dataflow, followExactly, type RawEffect } from './dataflow.ts'
import { OP } from './instructions.ts'
import { cut, isPutTogether, selectorIn } from './passed-input.ts'
import { addends, positionOf } from './positions.ts'
import { delayOf, isNow, operationOf, ordered, placesOf } from './queued-operations.ts'
import { isJoinedHash, type Segment, type Term, withoutMask } from './terms.ts'
import { valueOf } from './values.ts'

/** Words of the input by their offset. */
type Words = ReadonlyMap<bigint, bigint>

/** OpenZeppelin's timelock needs 16,000 steps, its governor without the optimizer more than 60,000. */
const BUDGET = { steps: 250_000, nodes: 6_000 }
/** While lengths are not known, loops over them are followed in vain. */
const FIRST_BUDGET = { steps: 25_000, nodes: 1_000 }
const MAX_ROUNDS = 16
const MAX_OFFSETS = 24
/**
 * What the input looks like. `aside`: by how many bytes offsets differ from a number of words.
 * Two words come first: loops that copy words leave no rest.
 */
type Shape = { readonly text: bigint; readonly list: bigint; readonly aside: bigint }
const SHORT: Shape = { text: 64n, list: 1n, aside: 0n }
/** A function that takes four words, as most that are called, twice, at odd places. */
const LONG: Shape = { text: 132n, list: 2n, aside: 1n }
/** Longer lists of texts of one word. */
const MANY: Shape = { text: 32n, list: 3n, aside: 0n }
/** What calls return, where they return something. */
const ANSWER_SIZE = 64n
/** Offsets of arguments are powers of two from here on, so that no two sums of them are equal. */
const FIRST_OFFSET = 1n << 12n
const SELECTOR_SHIFT = 224n
const SMALL = 1n << 16n

class FixedInput extends MeasuredTerms {
  readonly #words: Words
  /** The words that are lengths of texts and of lists, with the smallest length. */
  readonly #lengths: Words

  constructor(code: Uint8Array, asked: AskedLengths, words: Words, lengths: Words) {
    super(code, asked)
    this.#words = words
    this.#lengths = lengths
  }

  override input(offset: Term): Term {
    const known = offset.kind === 'constant' ? this.#words.get(offset.value) : undefined
    if (known === undefined) return super.input(offset)
    const least = offset.kind === 'constant' ? this.#lengths.get(offset.value) : undefined
    return least === undefined || known === 0n ? this.constant(known) : this.length(known, least)
  }
}

/** Places in the keys of a mapping, in bytes, where times stand. */
type Times = readonly number[]

export type Entries = {
  /**
   * The mappings, by their slot, whose tested keys determine target and data of all calls that the function makes, and whose
   * entries do not outlast them. With the times that must have come for each of these calls.
   */
  readonly executed: ReadonlyMap<Hex, Times>
  /** The mappings in which the function stores flags, with the time that is checked for each of them. */
  readonly queued: ReadonlyMap<Hex, Times>
  /** For each call, by its position in the code: the mappings whose tested keys determine target and data, such as votes. */
  readonly named: ReadonlyMap<number, ReadonlyMap<Hex, Naming>>
}

/** `asking`: apart from what only a timelock may be called with, such as the delay that it answered itself. */
export type Naming = 'whole' | 'asking'

const NO_ENTRIES: Entries = { executed: new Map(), queued: new Map(), named: new Map() }

/** The entries that a function uses up or adds; none of one with more blocks than the budget, even where paths are joined. */
export function entriesOf({ code, sizes }: Pick<Dataflow, 'code' | 'sizes'>, selector: bigint): Entries {
  if ((sizes.get(selector) ?? 0) > BUDGET.nodes) return NO_ENTRIES
  const merged = flowsOf(code, selector, true)
  // A search has paths without end.
  const isSearching = merged.some(({ isLooping }) => isLooping === true)
  const flows = isSearching ? [] : flowsOf(code, selector, false)
  const [flow] = flows
  if (flow === undefined) return { ...NO_ENTRIES, named: namedIn(merged) }
  const [first = new Map<Hex, boolean>(), ...others] = flows.map(boundIn)
  const isBound = (table: Hex): boolean => others.every((bound) => bound.get(table) !== false)
  const bound = [...first].flatMap(([table, isCovered]) => (isCovered && isBound(table) ? [table] : []))
  const times = timesIn(flow, (effect) => (effect.kind === 'call' && effect.op === OP.CALL ? timesCome(effect) : []))
  return {
    executed: new Map(bound.map((table) => [table, times.get(table) ?? []])),
    queued: timesIn(flow, (effect) => (effect.kind === 'store' ? timesChecked(effect) : [])),
    named: namedIn(flows),
  }
}

/** A function followed with one input. `texts`: where the input has the lengths of texts, which are `length` or empty. */
type Flow = Dataflow & { readonly texts: Texts }
type Texts = { readonly places: ReadonlySet<bigint>; readonly length: bigint }

/**
 * Texts of two words, and each text empty in turn; longer ones, and lists of two elements; calls return nothing, or words.
 * No flow if one is not followed to its end.
 */
function flowsOf(code: Uint8Array, selector: bigint, isMerging: boolean): readonly Flow[] {
  const asked = new AskedLengths()
  const lengths = new Map<bigint, bigint>()
  const flowOf = (words: Words, answerSize = 0n, budget = BUDGET): Dataflow => {
    const input = new Map([...words, [0n, selector << SELECTOR_SHIFT] as const])
    return followExactly(code, new FixedInput(code, asked, input, lengths), { answerSize, isMerging }, budget)
  }
  const flows: Flow[] = []
  for (const shape of [SHORT, LONG, MANY]) {
    const layout = layoutOf(flowOf, shape, lengths)
    if (layout?.flow.settled !== true) return []
    const { flow, words } = layout
    const texts = { places: new Set(layout.texts), length: shape.text }
    flows.push({ ...flow, texts })
    const emptied = shape === SHORT ? layout.texts.map((text) => new Map([...words, [text, 0n]])) : []
    for (const input of [words, ...emptied])
      for (const answerSize of [ANSWER_SIZE, 0n]) {
        if (input === words && answerSize === 0n) continue
        const next = flowOf(input, answerSize)
        if (!next.settled) return []
        flows.push({ ...next, texts })
      }
  }
  return asked.mayDiffer ? [] : flows
}

/** Gives offsets and lengths of arguments a value, one after the other, until all are known that the function uses. */
function layoutOf(
  flowOf: (words: Words, answerSize?: bigint, budget?: typeof BUDGET) => Dataflow,
  { text: textLength, list: listLength, aside }: Shape,
  measured: Map<bigint, bigint>,
): { readonly flow: Dataflow; readonly words: Words; readonly texts: readonly bigint[] } | undefined {
  const words = new Map<bigint, bigint>()
  const texts: bigint[] = []
  let offsets = 0
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const first = flowOf(words, 0n, FIRST_BUDGET)
    const flow = first.settled || unknownIn(first).count > 0 ? first : flowOf(words)
    const found = unknownIn(flow)
    // A list may have an offset for each element: its length comes first.
    const heads = [...found.offsets].filter((offset) => offset < FIRST_OFFSET)
    const lists = heads.length > 0 ? [] : [...found.lists]
    const others = heads.length + lists.length > 0 ? [] : [...found.offsets]
    const lengths = heads.length + lists.length + others.length > 0 ? [] : [...found.texts]
    for (const offset of [...heads, ...others]) {
      words.set(offset, (FIRST_OFFSET << BigInt(offsets)) + aside)
      offsets += 1
    }
    for (const list of lists) words.set(list, listLength)
    for (const text of lengths) words.set(text, textLength)
    texts.push(...lengths)
    for (const list of lists) measured.set(list, listLength)
    for (const text of lengths) measured.set(text, 0n)
    if (offsets > MAX_OFFSETS) return undefined
    if (found.count === 0) return { flow, words, texts }
  }
  return undefined
}

/** The words of the input that are offsets, lengths of texts, and lengths of lists. */
function unknownIn({ conditions }: Dataflow) {
  const [offsets, texts, lists] = [new Set<bigint>(), new Set<bigint>(), new Set<bigint>()]
  const seen = new Set<Term>()
  const visit = (term: Term): void => {
    if (seen.has(term)) return
    seen.add(term)
    if (term.kind === 'input') for (const word of wordsIn(term.args[0] as Term)) offsets.add(word)
    for (const arg of term.args) visit(arg)
    for (const { term: part } of term.segments ?? []) visit(part)
  }
  for (const condition of conditions) {
    visit(condition)
    const [left, right] = condition.args
    if (condition.op !== OP.LT || left === undefined || right === undefined) continue
    if (right.kind === 'constant' && right.value === MOST_BYTES)
      for (const word of wordsIn(left)) (isProduct(left) ? lists : texts).add(word)
    // A loop compares its counter with the length of a list, or the place of an element with that of the end.
    else if (left.kind === 'constant' && (isProduct(right) || (left.value < SMALL && right.kind === 'input')))
      for (const word of wordsIn(right)) if (word >= FIRST_OFFSET) lists.add(word)
  }
  for (const text of texts) lists.delete(text)
  return { offsets, texts, lists, count: offsets.size + texts.size + lists.size }
}

/** The offsets of the words of the input in a term. */
function wordsIn(term: Term): readonly bigint[] {
  const [offset] = term.args
  if (term.kind === 'input' && offset?.kind === 'constant') return [offset.value]
  return [...term.args, ...(term.segments ?? []).map((segment) => segment.term)].flatMap(wordsIn)
}

/** The length of a list takes part in the size of a copy as a number of words. */
const isProduct = (term: Term): boolean =>
  term.kind === 'operation' && (term.op === OP.MUL || term.op === OP.SHL || term.args.some(isProduct))

/** The mappings whose keys are tested before a call, and whether each such call is bound to its entry, which it removes. */
function boundIn({ effects, texts }: Flow): ReadonlyMap<Hex, boolean> {
  const ends = effects.filter(({ kind }) => kind === 'exit' || kind === 'selfdestruct').map(pathOf)
  const stores = effects.filter(({ kind }) => kind === 'store').map(pathOf)
  const bound = new Map<Hex, boolean>()
  for (const call of effects) {
    if (call.kind !== 'call' || call.op !== OP.CALL) continue
    const { facts } = pathOf(call)
    const later = ends.filter((end) => end.facts.isSupersetOf(facts))
    for (const { table, key, entry } of testedEntries(call)) {
      const isUsedUp = later.every((end) =>
        stores.some(({ effect, facts: before }) => end.facts.isSupersetOf(before) && removes(effect, entry, call)),
      )
      const isRemoved = later.length > 0 && isUsedUp
      const isBound = isRemoved && determines(key, call) && hasOneReading(key, texts)
      bound.set(table, bound.get(table) !== false && isBound)
    }
  }
  return bound
}

/** The mappings whose keys are tested before each call and name it, with texts of any of the lengths that are followed. */
function namedIn(flows: readonly Flow[]): Entries['named'] {
  const found = new Map<number, ReadonlyMap<Hex, Naming>>()
  const calls = flows.flatMap(({ effects, texts }) =>
    effects.filter(({ kind, op }) => kind === 'call' && op === OP.CALL).map((call) => ({ call, texts })),
  )
  for (const { call, texts } of calls) {
    const named = new Map<Hex, Naming>()
    for (const [table, entries] of Map.groupBy(testedEntries(call), ({ table }) => table)) {
      const isNamed = (mayAsk: boolean): boolean =>
        entries.every(({ key }) => determines(key, call, mayAsk) && hasOneReading(key, texts))
      if (isNamed(true)) named.set(table, isNamed(false) ? 'whole' : 'asking')
    }
    const before = found.get(call.at)
    const both = [...named].filter(([table]) => before?.has(table) !== false)
    found.set(
      call.at,
      new Map(both.map(([table, naming]) => [table, before?.get(table) === 'asking' ? 'asking' : naming])),
    )
  }
  return found
}

/** An effect, and the conditions of its path: every path that goes on from there has them, and no other. */
const pathOf = (effect: RawEffect): { readonly effect: RawEffect; readonly facts: ReadonlySet<number> } => ({
  effect,
  facts: new Set(effect.facts.map(({ term, holds }) => term.id * 2 + (holds ? 1 : 0))),
})

/** Whether a store removes the bits of an entry that are tested before a call, or marks its time as done. */
function removes({ subject, value, epoch }: RawEffect, entry: Term, { facts }: RawEffect): boolean {
  if (subject !== entry || value === undefined) return false
  const tests = facts.filter(({ term }) => mentionsEntry(term, entry))
  const masks = tests.map(({ term: { op, kind, args } }) => {
    const [mask, tested] = args
    const isMasked = kind === 'operation' && op === OP.AND && mask?.kind === 'constant' && tested?.kind === 'stored'
    return isMasked ? mask.value : WORD_MASK
  })
  const { zeros } = bitsStored(value, subject, epoch)
  if (masks.every((mask) => (mask & ~zeros) === 0n)) return true
  const isTime = tests.some((fact) => {
    const [time, present] = ordered(fact) ?? []
    return time?.kind === 'stored' && time.args[0] === entry && present !== undefined && isNow(present)
  })
  return isTime && value.kind === 'constant' && value.value <= 1n
}

const mentionsEntry = (term: Term, entry: Term): boolean =>
  (term.kind === 'stored' && term.args[0] === entry) ||
  (term.kind === 'operation' && term.args.some((arg) => mentionsEntry(arg, entry)))

/**
 * Whether no other arguments have the same hash: at most one text is hashed without its length before it, and of no hash
 * only a few bytes are, such as those of a function's name.
 */
function hasOneReading(hash: Term, texts: Texts): boolean {
  const parts = (hash.segments ?? []).flatMap((segment) => (isPutTogether(segment.term) ? cut(segment) : [segment]))
  const bare = parts.filter(({ term, from }, at) => {
    const [offset] = term.args
    const isStart =
      term.kind === 'input' && from === 0 && offset?.kind === 'constant' && texts.places.has(offset.value - 32n)
    const before = parts[at - 1]?.term
    return isStart && !(before?.kind === 'constant' && before.value === texts.length)
  })
  const isWhole = ({ term, from, to }: Segment): boolean =>
    term.kind === 'hash' ? from === 0 && to === 32 && hasOneReading(term, texts) : !hasHash(term)
  return bare.length <= 1 && parts.every(isWhole)
}

/** Whether a number is computed from a hash. */
const hasHash = ({ kind, args }: Term): boolean =>
  kind === 'operation' && args.some((arg) => arg.kind === 'hash' || hasHash(arg))

type TimesOf = readonly { readonly table: Hex; readonly times: Times }[]

/** The times that all effects have in common, for each mapping. */
function timesIn({ effects }: Dataflow, of: (effect: RawEffect) => TimesOf): ReadonlyMap<Hex, Times> {
  const found = new Map<Hex, Times>()
  for (const { table, times } of effects.flatMap(of))
    found.set(table, found.get(table)?.filter((time) => times.includes(time)) ?? times)
  return found
}

/** The times in the keys of entries that must have come for a call. */
const timesCome = (call: RawEffect): TimesOf =>
  testedEntries(call).map(({ table, entry }) => ({ table, times: placesOf(entry, operationOf(call)) }))

/** The time in the key of an entry that a flag is stored for, and that is checked. */
function timesChecked({ subject, value, facts }: RawEffect): TimesOf {
  const position = positionOf(subject, facts)
  const timeAt = value === undefined ? undefined : delayOf(value, subject, facts)?.timeAt
  return position.type === 'table' && timeAt !== undefined ? [{ table: position.base, times: [timeAt] }] : []
}

type Tested = { readonly table: Hex; readonly key: Term; readonly entry: Term }

/** The entries whose keys are hashes, and which conditions of an effect depend on. */
function testedEntries({ facts }: RawEffect): readonly Tested[] {
  const found = new Map<Term, Tested>()
  const visit = (term: Term): void => {
    if (term.kind === 'stored') {
      const entry = term.args[0] as Term
      const position = positionOf(entry, facts)
      const key = addends(entry).hash?.segments?.[0]?.term
      if (position.type === 'table' && key?.kind === 'hash') found.set(entry, { table: position.base, key, entry })
    }
    if (term.kind === 'operation' || term.kind === 'stored') term.args.forEach(visit)
  }
  for (const { term } of facts) visit(term)
  return [...found.values()]
}

/**
 * Whether what a call is to and what it passes depend on nothing but the hashed bytes and the code. `mayAsk`: a timelock in
 * a slot may answer itself with which delay it is called, and cancel an operation that is stored with the same key.
 */
function determines(key: Term, { subject, passed = [], passedSize }: RawEffect, mayAsk = false): boolean {
  const hashed = partsOf(key)
  const target = withoutMask(subject)
  const isNamed = hashed.some(({ term, from, to }) => withoutMask(term) === target && from <= 12 && to === 32)
  // A target in a slot is protected like any other account.
  const isFixed =
    target.kind === 'constant' || (target.kind === 'stored' && valueOf(target.args[0] as Term) !== undefined)
  const length = passed.reduce((sum, { from, to }) => sum + to - from, 0)
  const mayBe = ({ term }: Segment, at: number): boolean =>
    mayAsk &&
    ((at === delayIn(passed) && term.kind === 'returned' && isSameSlot(term.args[0], target)) ||
      (at === 1 &&
        isCancel(passed) &&
        term.kind === 'stored' &&
        addends(term.args[0] as Term).hash?.segments?.[0]?.term === key))
  return (
    (isNamed || isFixed) &&
    passedSize === length &&
    passed.every((part, at) => mayBe(part, at) || isGiven(part, hashed))
  )
}

/** `cancel(bytes32)` of OpenZeppelin's timelock. */
const CANCEL_SELECTOR = 0xc4d252f5n
/** `schedule` and `scheduleBatch` of it. */
const SCHEDULE_SELECTORS: ReadonlySet<bigint> = new Set([0x01d5062an, 0x8f2a0bb0n])
const DELAY_AT = 4 + 5 * 32

const selectorOf = ([first]: readonly Segment[]): bigint | undefined =>
  first?.term.kind === 'constant' && first.to - first.from === 4 ? selectorIn(first) : undefined

/** Whether an operation is canceled, by one word. */
const isCancel = (passed: readonly Segment[]): boolean => passed.length === 2 && selectorOf(passed) === CANCEL_SELECTOR

/** Which part of what is passed is the delay of an operation that is scheduled. */
function delayIn(passed: readonly Segment[]): number | undefined {
  if (!SCHEDULE_SELECTORS.has(selectorOf(passed) ?? 0n)) return undefined
  let place = 0
  return passed.findIndex(({ from, to }) => {
    const isDelay = place === DELAY_AT && from === 0 && to === 32
    place += to - from
    return isDelay
  })
}

/** Whether two accounts are in one slot. */
function isSameSlot(first: Term | undefined, second: Term): boolean {
  const [a, b] = [first === undefined ? undefined : withoutMask(first), withoutMask(second)]
  return a?.kind === 'stored' && b.kind === 'stored' && a.args[0] === b.args[0] && a.args[0]?.kind === 'constant'
}

/** The parts of what was hashed, also into hashes that were hashed. */
const partsOf = (hash: Term): readonly Segment[] =>
  isJoinedHash(hash)
    ? []
    : (hash.segments ?? []).flatMap((segment) => [
        segment,
        ...(segment.term.kind === 'hash' && segment.from === 0 && segment.to === 32 ? partsOf(segment.term) : []),
        ...(isPutTogether(segment.term) ? cut(segment) : []),
      ])

/** Whether bytes of a word depend on the hashed bytes and the code alone. */
function isGiven(segment: Segment, hashed: readonly Segment[], depth = 0): boolean {
  const { term, from, to } = segment
  if (term.kind === 'constant' || term.kind === 'self') return true
  if (depth > 16) return false
  if (hashed.some((part) => part.term === term && part.from <= from && part.to >= to)) return true
  const isWhole = (inner: Term): boolean => isGiven({ term: inner, from: 0, to: 32 }, hashed, depth + 1)
  if (isPutTogether(term)) return cut(segment).every((part) => isGiven(part, hashed, depth + 1))
  if (term.kind === 'hash')
    return (
      !isJoinedHash(term) && (term.segments ?? []).every((part) => part.to >= 0 && isGiven(part, hashed, depth + 1))
    )
  if (term.kind !== 'operation') return false
  const isSame = (inner: Term): boolean => isGiven({ term: inner, from, to }, hashed, depth + 1)
  const [left, right] = term.args
  if (term.op === OP.AND && left?.kind === 'constant' && right !== undefined)
    return isZeroIn(left.value, segment) || isSame(right)
  return term.op === OP.OR ? term.args.every(isSame) : term.args.every(isWhole)
}

/** Whether a number has only zeros at the bytes of a segment. */
const isZeroIn = (value: bigint, { from, to }: Segment): boolean =>
  ((value >> BigInt((32 - to) * 8)) & ((1n << BigInt((to - from) * 8)) - 1n)) === 0n
