/**
 * Operations that wait in a queue: the time of an entry, the delay that it is stored with, and the key that binds an entry
 * to its operation.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Fact } from './conditions.ts'
import type { RawEffect } from './dataflow.ts'
import { OP } from './instructions.ts'
import { COPIED, FORWARDED } from './passed-input.ts'
import { isJoinedHash, type Segment, type Term, withoutMask, word } from './terms.ts'
import { valueOf } from './values.ts'

/** The order that a comparison shows: the first is not above the second. */
export function ordered({ term, holds }: Fact): readonly [Term, Term] | undefined {
  const [a, b] = term.args
  if (term.kind !== 'operation' || a === undefined || b === undefined) return undefined
  if (term.op === OP.LT) return holds ? [a, b] : [b, a]
  if (term.op === OP.GT) return holds ? [b, a] : [a, b]
  return undefined
}

export const isNow = (term: Term): boolean => term.kind === 'environment' && term.op === OP.TIMESTAMP

export function isNonZeroTest(term: Term, holds: boolean, value: Term): boolean {
  if (term === value) return holds
  const [a, b] = term.args
  if (term.kind !== 'operation') return false
  if (term.op === OP.LT) return holds ? b === value : a === value && b?.kind === 'constant' && b.value > 0n
  return term.op === OP.GT && (holds ? a === value : b === value && a?.kind === 'constant' && a.value > 0n)
}

/** Whether an entry is known to be neither empty nor the mark of what is done. */
export function isSet(entry: Term, facts: readonly Fact[]): boolean {
  const isOne = ({ kind, value }: Term): boolean => kind === 'constant' && value === 1n
  const isAboveOne = facts.some((fact) => {
    const [lower, upper] = ordered(fact) ?? []
    const isStrict = fact.term.op === OP.LT ? fact.holds : fact.term.op === OP.GT && fact.holds
    return isStrict && upper === entry && lower?.kind === 'constant' && lower.value >= 1n
  })
  if (isAboveOne) return true
  const isNotOne = facts.some(
    ({ term, holds }) => !holds && term.op === OP.EQ && term.args[1] === entry && isOne(term.args[0] as Term),
  )
  return isNotOne && facts.some(({ term, holds }) => isNonZeroTest(term, holds, entry))
}

/** Whether the sum of the present time and a delay may exceed a word: no comparison rules it out. */
function mayWrap(sum: Term, wait: Term, facts: readonly Fact[]): boolean {
  const isComplement = (term: Term, of: (inner: Term) => boolean): boolean =>
    term.kind === 'operation' && term.op === OP.NOT && of(term.args[0] as Term)
  return !facts.some((fact) => {
    const [lower, upper] = ordered(fact) ?? []
    if (lower === undefined || upper === undefined) return false
    if (upper === sum) return isNow(lower) || lower === wait
    return (
      (lower === wait && isComplement(upper, isNow)) || (isNow(lower) && isComplement(upper, (term) => term === wait))
    )
  })
}

/**
 * The slot with the delay that a stored time lies ahead, or a time that is checked and stands in the key. `timeAt`: where it
 * stands there, in bytes.
 */
export type Delay = { readonly delaySlot: Hex; readonly timeAt?: number }

export function delayOf(value: Term, position: Term, facts: readonly Fact[]): Delay | undefined {
  const key = keyIn(position)
  const slotOf = (term: Term): Hex | undefined => {
    const position = term.kind === 'stored' ? valueOf(term.args[0] as Term) : undefined
    return position === undefined ? undefined : word(position)
  }
  /** The other addend of a sum with the present time. */
  const ahead = (term: Term): Term | undefined => {
    const [left, right] = term.args
    if (term.kind !== 'operation' || term.op !== OP.ADD || left === undefined || right === undefined) return undefined
    return isNow(left) ? right : isNow(right) ? left : undefined
  }
  const wait = ahead(value)
  const isFlag = value.kind === 'constant' || (value.kind === 'operation' && value.op === OP.OR)
  for (const fact of facts) {
    const order = ordered(fact)
    if (order === undefined) continue
    const [lower, upper] = order
    const inSum = ahead(lower)
    const isWait = wait !== undefined && upper === wait && !mayWrap(value, wait, facts)
    // A flag is set for a time that the caller gave and that its key contains.
    const timeAt = isFlag && upper.kind === 'input' && !lacks(key, upper) ? placeIn(key, upper) : undefined
    const isChecked = upper === value || timeAt !== undefined
    const delaySlot = isWait ? slotOf(lower) : inSum !== undefined && isChecked ? slotOf(inSum) : undefined
    if (delaySlot !== undefined) return { delaySlot, ...(isWait || timeAt === undefined ? {} : { timeAt }) }
  }
  return undefined
}

/** The hash that is the key of an element of a mapping. */
function keyIn(position: Term): Term | undefined {
  const key = position.segments?.[0]?.term
  return position.kind === 'hash' && key?.kind === 'hash' && !isJoinedHash(key) ? key : undefined
}

/** The place of a word that is not known to be missing. */
export const NO_PLACE = -1

/** Where a word stands among the hashed bytes, as far as they are known. */
function placeIn(key: Term | undefined, value: Term): number {
  let place = 0
  for (const { term, from, to } of key?.segments ?? []) {
    if (term === value && from === 0 && to === 32) return place
    place += to - from
  }
  return NO_PLACE
}

/** Where the times that must have come stand in the key of an entry. */
export function placesOf(entry: Term, { times }: Operation): readonly number[] {
  const key = keyIn(entry)
  return times.filter((time) => !lacks(key, time)).map((time) => placeIn(key, time))
}

const isRest = ({ to }: Segment): boolean => to < 0

/**
 * Whether a hash does not depend on a value, as far as is known. Bytes that are not known may be that value; those of a
 * hash in the hash are data of any length, which has no argument with a fixed place.
 */
function lacks(key: Term | undefined, value: Term, isInner = false): boolean {
  if (key === undefined) return true
  const wanted = withoutMask(value)
  const segments = key.segments ?? []
  // An argument that has a fixed place is encoded before those that have none.
  const isFixed = wanted.kind === 'input' && wanted.args[0]?.kind === 'constant'
  if (segments.some(isRest) && !isFixed) return false
  return segments.every((segment) => {
    const { term, from, to } = segment
    if (isRest(segment)) return true
    if (term.kind === 'hash') return lacks(term, value, true)
    if (term.kind === 'opaque') return isInner && isFixed
    return withoutMask(term) !== wanted || from > 12 || to !== 32
  })
}

/** Whether a hash is of a fixed number of bytes, and so are the hashes in it. */
const isShort = ({ segments = [] }: Term): boolean =>
  segments.every((segment) => !isRest(segment) && (segment.term.kind !== 'hash' || isShort(segment.term)))

/** What a call depends on: its target, whether its data has any length, and the times that must have come. */
export type Operation = {
  readonly target: Term
  readonly hasData: boolean
  readonly times: readonly Term[]
  /** The caller chooses the target or the data. */
  readonly isChosen: boolean
}

/** What an entry of a queue must be about to let a call pass. */
export function operationOf({ subject: target, passed = [], passedSize, facts }: RawEffect): Operation {
  const times = facts.flatMap((fact) => {
    const [time, now] = ordered(fact) ?? []
    return time?.kind === 'input' && now !== undefined && isNow(now) ? [time] : []
  })
  const isInput = ({ kind, tag }: Term): boolean =>
    kind === 'input' || tag.startsWith(COPIED) || tag.startsWith(FORWARDED)
  const isChosen = [target, ...passed.map(({ term }) => term)].some((term) => isInput(withoutMask(term)))
  return { target, hasData: passedSize === undefined, times, isChosen }
}

/** Whether an entry is known to be about something else than the operation, or only about a part of it. */
export function isOfAnother(entry: Term, { target, hasData, times }: Operation): boolean {
  const key = keyIn(entry.args[0] as Term)
  if (key === undefined) return false
  return (
    lacks(key, target) || (hasData && isShort(key)) || (times.length > 0 && times.every((time) => lacks(key, time)))
  )
}

/** Whether a count of votes is known to be about something else than a call, or the caller names both. */
export function isCountOfAnother(count: Term, { target, hasData, isChosen }: Operation): boolean {
  const position = count.args[0] as Term
  const element = position.kind === 'hash' ? position : position.args.find(({ kind }) => kind === 'hash')
  const key = element?.segments?.[0]?.term
  if (!isChosen || key?.kind === 'opaque') return false
  if (key?.kind !== 'hash') return true
  const isNamed = withoutMask(target).kind === 'input'
  return !isJoinedHash(key) && ((isNamed && lacks(key, target)) || (hasData && isShort(key)))
}
