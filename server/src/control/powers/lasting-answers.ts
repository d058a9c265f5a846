/**
 * Functions that answer how many votes the account in their first argument has, so that the same votes do not count for a
 * second account: the answer does not change.
 *
 * Of functions with a time as their second argument, such as `getPastVotes(address,uint256)`, proven is that they refuse a
 * time that is not past, read checkpoints and numbers of checkpoints alone, and compare the times of checkpoints with the time
 * that is asked. Checkpoints are words that are written with the present time, or in the block of their time. That a search
 * finds the last checkpoint before the time is believed.
 */
import type { Hex } from '../../lib/hex.ts'
import { type Fact, includesAll, isClock } from '../code/conditions.ts'
import type { Dataflow, RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import type { Observed } from '../code/observed.ts'
import { addends, positionOf } from '../code/positions.ts'
import type { Term } from '../code/terms.ts'
import { isZero } from './acts.ts'
import { accountOf, hasNumber, isBehindLast } from './entries.ts'
import type { CodeFunction } from './functions.ts'
import { guardsOf, mentions } from './guards.ts'
import { bitsOf, changedBits } from './stored-bits.ts'

type Store = RawEffect & { readonly value: Term }
type Part = { readonly term: Term; readonly shift: bigint }

/** Where arguments are in the input. */
const FIRST_ARGUMENT = 4n
const SECOND_ARGUMENT = 36n
/** Masks of an answer on its way through calls inside of the code. */
const MOST_MASKS = 16
/** Times have at least so many bits. */
const TIME_BITS = (1n << 32n) - 1n

/** `timed`: the answer for a past time does not change. `lasting`: only accounts that pass a guard change the answer. */
export type LastingAnswers = { readonly timed: readonly Hex[]; readonly lasting: readonly Hex[] }

export function lastingAnswers(flow: Dataflow, functions: readonly CodeFunction[]): LastingAnswers {
  const stores = functions
    .filter((each) => !isReserved(each))
    .flatMap(({ effects }) =>
      effects.filter((effect): effect is Store => effect.kind === 'store' && effect.value !== undefined),
    )
  const selectorsOf = (isSuch: typeof isTimed): readonly Hex[] =>
    functions.filter((each) => !each.isFallback && isSuch(flow, each, stores)).map(({ selector }) => selector)
  return { timed: selectorsOf(isTimed), lasting: selectorsOf(isLasting) }
}

/** What it stores is a power of the accounts that pass its guard. */
const isReserved = ({ isWhole, access }: CodeFunction): boolean =>
  isWhole && guardsOf(access).every(({ type }) => type !== 'member')

/** Whether a function answers with an entry of the account, which only accounts that pass a guard change. */
function isLasting(flow: Dataflow, { selector, isView, effects }: CodeFunction, stores: readonly Store[]): boolean {
  const { observed } = flow
  const exits = exitsOf(effects)
  const reads = readsOf(flow, selector)
  return (
    isView &&
    exits.length > 0 &&
    effects.every(({ kind }) => kind === 'exit') &&
    exits.every(({ subject }) => answersOf(observed, subject).every(isZeroOrOfAccount)) &&
    reads.every((read) => !stores.some((store) => mayBeIn(store, read)))
  )
}

const exitsOf = (effects: readonly RawEffect[]): readonly RawEffect[] =>
  effects.filter(({ kind, subject }) => kind === 'exit' && !isZero(subject))

/** The positions that a function reads. */
const readsOf = ({ functions, observed }: Dataflow, selector: Hex): readonly Term[] =>
  [...(functions.get(BigInt(selector)) ?? [])].flatMap((read) => observed.valuesOf(read))

function isTimed(flow: Dataflow, { selector, isView, effects }: CodeFunction, stores: readonly Store[]): boolean {
  const { observed } = flow
  const exits = exitsOf(effects)
  const isPast = ({ facts }: RawEffect): boolean =>
    facts.some(({ term: { op, args }, holds }) => op === OP.LT && holds && isAskedTime(args[0]) && isPresent(args[1]))
  if (!isView || exits.length === 0 || !exits.every(isPast)) return false
  const tests = observed.testedIn(BigInt(selector)).flatMap(comparedTime)
  const reads = readsOf(flow, selector)
  const shifts = new Set<bigint>()
  const isCheckpoint = (read: Term): boolean => {
    const hitting = stores.filter((store) => mayBeIn(store, read))
    return !hitting.every(isCounter) && hitting.some((store) => shiftsOfTime(store, stores).length > 0)
  }
  const isSound = (read: Term): boolean =>
    stores
      .filter((store) => mayBeIn(store, read))
      .every((store) => {
        const found = shiftsOfTime(store, stores)
        for (const shift of found) shifts.add(shift)
        return found.length > 0 || isCounter(store)
      })
  if (!reads.every(isSound) || shifts.size !== 1) return false
  const isCompared = (read: Term, at: readonly Part[]): boolean =>
    at.some(({ term: { args }, shift }) => {
      const places = observed.valuesOf(args[0] as Term)
      return shifts.has(shift) && places.some((place) => isBeside(place, read))
    })
  const checkpoints = new Set(reads.filter(isCheckpoint))
  return (
    checkpoints.size > 0 &&
    [...checkpoints].every((read) => isSearched(read) || isCompared(read, tests)) &&
    exits.every(({ subject, facts }) =>
      answersOf(observed, subject).every((value) => {
        const [position] = value.args
        if (isZero(value)) return true
        if (position === undefined || !isZeroOrOfAccount(value)) return false
        const isFound =
          plain(subject).term !== value || isSearched(position) || isCompared(position, facts.flatMap(notAfter))
        return isFound && observed.valuesOf(position).every((read) => checkpoints.has(read))
      }),
    ) &&
    [...checkpoints].some((read) => isCompared(read, tests))
  )
}

/** The words that an answer may be a part of. */
function answersOf(observed: Observed, answer: Term, depth = 0): readonly Term[] {
  const word = plain(answer).term
  if (depth > MOST_MASKS) return [word]
  return observed.valuesOf(word).flatMap((value) => (value === word ? [word] : answersOf(observed, value, depth + 1)))
}

/** Whether a word is zero, or an element of a mapping for the account that is asked about, or of a list of it. */
function isZeroOrOfAccount(word: Term): boolean {
  const account = word.kind === 'stored' ? accountOf(word.args[0] as Term) : undefined
  return isZero(word) || (account !== undefined && isArgument(account, FIRST_ARGUMENT))
}

/** The number in a word: without masks of the bits of a time or more, and without shifts. */
function plain(term: Term, shift = 0n): Part {
  const [left, right] = term.args
  if (term.kind !== 'operation' || left?.kind !== 'constant' || right === undefined) return { term, shift }
  if (term.op === OP.AND && isWide(left.value)) return plain(right, shift)
  if (term.op === OP.SHR || term.op === OP.SHL) return plain(right, shift + left.value)
  if (term.op === OP.MUL && isPower(left.value)) return plain(right, shift + BigInt(left.value.toString(2).length - 1))
  return { term, shift }
}

/** Whether a mask keeps a run of bits that has room for a time. */
const isWide = (mask: bigint): boolean => {
  const lowest = mask & -mask
  const run = mask / (lowest === 0n ? 1n : lowest)
  return (run & (run + 1n)) === 0n && run >= TIME_BITS
}
const isPower = (value: bigint): boolean => value > 0n && (value & (value - 1n)) === 0n

const isAskedTime = (term: Term | undefined): boolean => term !== undefined && isArgument(term, SECOND_ARGUMENT)

function isArgument(term: Term, at: bigint): boolean {
  const { term: asked, shift } = plain(term)
  const [offset] = asked.args
  return shift === 0n && asked.kind === 'input' && offset?.kind === 'constant' && offset.value === at
}

const isPresent = (term: Term | undefined): boolean => {
  if (term === undefined) return false
  const { term: time, shift } = plain(term)
  return shift === 0n && isClock(time)
}

const storedPart = (term: Term): Part | undefined => {
  const part = plain(term)
  return part.term.kind === 'stored' ? part : undefined
}

/** The stored number that a condition compares with the time that is asked. */
function comparedTime({ op, args: [left, right] }: Term): readonly Part[] {
  if ((op !== OP.LT && op !== OP.EQ) || left === undefined || right === undefined) return []
  const other = isAskedTime(left) ? storedPart(right) : isAskedTime(right) ? storedPart(left) : undefined
  return other === undefined ? [] : [other]
}

/** The same where the stored time is shown not to be after the one that is asked. */
function notAfter({ term, holds }: Fact): readonly Part[] {
  const isShown = term.op === OP.EQ ? holds : isAskedTime(term.args[0]) !== holds
  return isShown ? comparedTime(term) : []
}

/** A position that a loop has found. */
const isSearched = (position: Term): boolean => mentions(position, ({ kind }) => kind === 'opaque')

/** Whether two words are members of one checkpoint. */
function isBeside(a: Term, b: Term): boolean {
  const [one, other] = [addends(a), addends(b)]
  return (
    a === b ||
    (one.hash !== undefined &&
      one.hash === other.hash &&
      one.others.length === other.others.length &&
      one.others.every((each) => other.others.includes(each)))
  )
}

/** Where the time is in a word that is stored with it or in its block; a checkpoint of several words has it in one of them. */
function shiftsOfTime(store: Store, stores: readonly Store[]): readonly bigint[] {
  const own = clockIn(store.value)
  // A later time of an entry that was there would change what was answered before.
  if (own !== undefined && (isBehindLast(store.subject) || !hasNumber(store.subject))) return [own]
  const keepsTime = (shift: bigint, at: Term): boolean =>
    at !== store.subject || (changedBits(store.value, store.subject) & (TIME_BITS << shift)) === 0n
  // The time of a checkpoint that is written again is now.
  const again = store.facts.flatMap(({ term: { op, args }, holds }) => {
    if (op !== OP.EQ || !holds) return []
    const other = isPresent(args[0]) ? args[1] : isPresent(args[1]) ? args[0] : undefined
    const part = other === undefined ? undefined : storedPart(other)
    return part !== undefined && isBeside(part.term.args[0] as Term, store.subject) ? [part] : []
  })
  const made = stores.flatMap((other) => {
    const shift = clockIn(other.value)
    const isMade = shift !== undefined && other.selector === store.selector && isBeside(other.subject, store.subject)
    return isMade && includesAll(store.facts, other.facts) ? [{ shift, at: other.subject }] : []
  })
  return [...again.map(({ term, shift }) => ({ shift, at: term.args[0] as Term })), ...made]
    .filter(({ shift, at }) => keepsTime(shift, at))
    .map(({ shift }) => shift)
}

/** Where the present time is in a word, if nothing else is there. */
function clockIn(value: Term): bigint | undefined {
  const parts = partsOf(value)
  const clock = parts.map((part) => plain(part)).find(({ term }) => isClock(term))
  if (clock === undefined) return undefined
  const time = TIME_BITS << clock.shift
  return parts.every((part) => isClock(plain(part).term) || (bitsOf(part) & time) === 0n) ? clock.shift : undefined
}

const partsOf = (value: Term): readonly Term[] =>
  value.kind === 'operation' && value.op === OP.OR ? value.args.flatMap(partsOf) : [value]

/** One more than the number that is stored already. */
function isCounter({ subject, value }: Store): boolean {
  const isOld = (term: Term): boolean => storedPart(term)?.term.args[0] === subject
  const isNext = (part: Term): boolean => {
    const { term } = plain(part)
    const [one, old] = term.args
    return term.op === OP.ADD && one?.kind === 'constant' && one.value === 1n && old !== undefined && isOld(old)
  }
  const isRest = (part: Term): boolean =>
    isOld(part) || (part.op === OP.AND && part.args[1] !== undefined && isOld(part.args[1]))
  const parts = partsOf(value)
  return parts.some(isNext) && parts.every((part) => isNext(part) || isRest(part))
}

/** Whether a store may change what is at a position. */
function mayBeIn({ subject, facts }: Store, read: Term): boolean {
  const [stored, held] = [familyOf(subject), familyOf(read)]
  const isAnywhere = positionOf(subject, facts).type === 'anywhere' && !isSearched(subject)
  if (stored === undefined || held === undefined || isAnywhere) return true
  return stored === held || stored.includes(REVERSED) !== held.includes(REVERSED)
}

const REVERSED = 'r('

/** The mapping, array or slot that a position belongs to; undefined where it may be any. */
function familyOf(position: Term): string | undefined {
  const { fixed, hash, others } = addends(position)
  if (hash === undefined)
    return others.length === 0 ? `s${fixed}` : fixed >> 64n === 0n ? undefined : `n${fixed >> 64n}`
  const [first, second, ...more] = hash.segments ?? []
  const isWord = [first, second].every((each) => each === undefined || (each.from === 0 && each.to === 32))
  if (first === undefined || more.length > 0 || !isWord) {
    const table = positionOf(position, [])
    return table.type === 'table' ? `t${table.base}:${table.keys.length}+${table.member}` : undefined
  }
  if (second === undefined) {
    const inner = familyOf(first.term)
    return inner === undefined ? undefined : `a(${inner})`
  }
  const isBase = (term: Term): boolean => term.kind === 'constant' || addends(term).hash !== undefined
  const base = isBase(second.term) ? second.term : isBase(first.term) ? first.term : undefined
  const inner = base === undefined ? undefined : familyOf(base)
  if (inner === undefined) return undefined
  return `${base === second.term ? 'm(' : REVERSED}${inner})${others.length === 0 ? `+${fixed}` : ''}`
}
