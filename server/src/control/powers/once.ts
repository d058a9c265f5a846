/**
 * Functions that can run once: every call that succeeds requires that a mark in storage is not set, and sets it, and no function
 * removes the mark. A log such as `Initialized` is no proof of it.
 */
import { bitsStored } from '../code/certain-stores.ts'
import type { Fact } from '../code/conditions.ts'
import type { Dataflow, RawEffect } from '../code/dataflow.ts'
import { lastCallIn } from '../code/epochs.ts'
import { OP } from '../code/instructions.ts'
import { ADDRESS_MASK, isBoolean, type Term, withoutMask } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { mentions } from './guards.ts'
import { ALL_BITS, changedBits, isKept } from './stored-bits.ts'

/** A number in a slot. */
type Field = { readonly slot: bigint; readonly shift: bigint; readonly mask: bigint }
/** Values of a field: all below a number, one number, or all but one. */
type Values = { readonly type: 'below' | 'is' | 'not'; readonly value: bigint }
type Test = { readonly field: Field; readonly allowed: Values }

type Effects = ReadonlyMap<bigint | undefined, readonly RawEffect[]>
type Store = RawEffect & { readonly value: Term }

/** Tests of marks that are tried. Code that needs more is hostile. */
const MOST_TESTS = 24

/** The functions that can run once; undefined: the fallback function. */
export function runningOnce(flow: Dataflow, effects: Effects): ReadonlySet<bigint | undefined> {
  const stores = [...effects.values()].flat().filter(isSlotStore)
  const written = new Set(stores.map(({ subject }) => valueOf(subject)))
  const known = new Map<string, Test>()
  for (const term of flow.conditions)
    for (const holds of [true, false])
      for (const test of testsIn({ term, holds })) if (written.has(test.field.slot)) known.set(textOf(test), test)
  const tests = [...known.values()].slice(0, MOST_TESTS)
  const by: Functions = { flow, effects }
  return new Set([...effects.keys()].filter((selector) => tests.some((test) => isOnceBy(selector, test, tests, by))))
}

type Functions = { readonly flow: Dataflow; readonly effects: Effects }

const textOf = ({ field, allowed }: Test): string => [...Object.values(field), ...Object.values(allowed)].join()

const isSlotStore = (effect: RawEffect): effect is Store =>
  effect.kind === 'store' && effect.value !== undefined && valueOf(effect.subject) !== undefined

function isOnceBy(selector: bigint | undefined, test: Test, tests: readonly Test[], by: Functions): boolean {
  const own = by.effects.get(selector)?.filter(isSlotStore) ?? []
  const setting = own.filter((store) => storedIn(store, test) === 'set')
  if (setting.length === 0 || !isKeptSet(selector, test, by)) return false
  const isUnset = (fact: Fact): boolean => testsIn(fact).some((each) => isWithin(each, test))
  const isRight = (isExcused: (fact: Fact) => boolean): boolean =>
    !mayEnd(selector, [], (fact) => isUnset(fact) || isExcused(fact), by) && !mayEnd(selector, setting, isExcused, by)
  if (isRight(() => false)) return true
  return tests.some((second) => {
    const isSecond = ({ field, allowed }: Test): boolean => isSameField(field, second.field) && isSetOnly(allowed)
    const isRunning = (fact: Fact): boolean => testsIn(fact).some(isSecond)
    return (
      second.field.slot === test.field.slot &&
      !isSameField(second.field, test.field) &&
      isSetOnly(second.allowed) &&
      own.some((store) => storedIn(store, second) === 'set') &&
      isSetBack(second, isRunning, by) &&
      isRight(isRunning)
    )
  })
}

/** Whether a call may succeed without one of the stores, other than by branches with an excused condition. */
function mayEnd(
  selector: bigint | undefined,
  missed: readonly Store[],
  isExcused: (fact: Fact) => boolean,
  { flow, effects }: Functions,
): boolean {
  const ends = effects.get(selector)?.filter(({ kind }) => kind === 'exit' || kind === 'selfdestruct') ?? []
  return flow.paths.mayMiss(selector, blocksOf(ends), blocksOf(missed), isExcused)
}

const blocksOf = (effects: readonly RawEffect[]): readonly number[] => effects.flatMap(({ blocks }) => blocks)

/**
 * Whether no function makes a mark one that is not set. One that cannot begin after the mark was set, and sets it nowhere, may: the
 * first of several versions. No other code runs before it does.
 */
function isKeptSet(selector: bigint | undefined, test: Test, by: Functions): boolean {
  const isUnset = (fact: Fact): boolean => testsIn(fact).some((each) => isWithin(each, test))
  return [...by.effects].every(([of, effects]) => {
    const stores = effects.filter(isSlotStore)
    const removing = stores.filter((store) => storedIn(store, test) === 'other')
    if (removing.length === 0) return true
    return (
      of !== selector &&
      removing.every(({ epoch }) => lastCallIn(epoch) === '') &&
      !stores.some((store) => storedIn(store, test) === 'set') &&
      !mayEnd(of, [], isUnset, by)
    )
  })
}

/** Whether each function that sets a second mark sets it back: it says that a call is in progress. */
function isSetBack(second: Test, isRunning: (fact: Fact) => boolean, { flow, effects }: Functions): boolean {
  return [...effects].every(([selector, its]) => {
    const stores = its.filter(isSlotStore)
    const clearing = stores.filter((store) => storedIn(store, second) === 'set')
    const setting = stores.filter((store) => storedIn(store, second) === 'other')
    return setting.every(({ blocks }) => !flow.paths.mayMiss(selector, blocks, blocksOf(clearing), isRunning))
  })
}

const isSameField = (a: Field, b: Field): boolean => a.slot === b.slot && a.shift === b.shift && a.mask === b.mask
const isSetOnly = ({ type, value }: Values): boolean => type === 'not' && value === 0n

/** Whether a test allows no more values than another of the same field. */
function isWithin(test: Test, other: Test): boolean {
  if (!isSameField(test.field, other.field)) return false
  const [a, b] = [test.allowed, other.allowed]
  if (a.type === b.type) return a.type === 'below' ? a.value <= b.value : a.value === b.value
  return a.type === 'is' && isAllowed(a.value, b)
}

const isAllowed = (value: bigint, { type, value: bound }: Values): boolean =>
  type === 'below' ? value < bound : type === 'is' ? value === bound : value !== bound

/** What a store does to a field: it stays as it is, gets a value that the test refuses, or another. */
function storedIn(store: Store, { field, allowed }: Test): 'kept' | 'set' | 'other' {
  const { subject, value, epoch } = store
  if (valueOf(subject) !== field.slot) return 'kept'
  const { ones, zeros, kept } = bitsStored(value, subject, epoch)
  const bits = field.mask << field.shift
  const isOfNow = !mentions(value, ({ kind, tag, args }) => kind === 'stored' && args[0] === subject && tag !== epoch)
  if ((kept & bits) === bits || (isOfNow && (changedBits(value, subject) & bits) === 0n)) return 'kept'
  const isKnown = ((ones | zeros) & bits) === bits
  if (isKnown) return isAllowed((ones & bits) >> field.shift, allowed) ? 'other' : 'set'
  const isZeroOnly = isAllowed(0n, allowed) && !isAllowed(1n, allowed)
  return isZeroOnly && ((ones & bits) !== 0n || hasAccount(store, field)) ? 'set' : 'other'
}

/** Whether a store gives a field an account that is not zero. */
function hasAccount({ subject, value, facts }: Store, { shift, mask }: Field): boolean {
  if ((mask & ADDRESS_MASK) !== ADDRESS_MASK) return false
  const parts = value.kind === 'operation' && value.op === OP.OR ? value.args : [value]
  return parts.some((part) => {
    if (isKept(part, subject)) return false
    const account = shift === 0n ? part : shiftedBy(part, shift)
    if (account === undefined) return false
    const inner = withoutMask(account)
    const isSet = facts.some(
      ({ term, holds }) => holds && (term === account || (term === inner && isClean(inner, facts))),
    )
    return inner.kind === 'caller' || inner.kind === 'self' || isSet
  })
}

function shiftedBy({ kind, op, args: [left, right] }: Term, shift: bigint): Term | undefined {
  const by = left === undefined || kind !== 'operation' ? undefined : valueOf(left)
  const isIt = (op === OP.SHL && by === shift) || (op === OP.MUL && by === 1n << shift)
  return isIt ? right : undefined
}

/** Whether a word has no more bits than an address. */
const isClean = (word: Term, facts: readonly Fact[]): boolean =>
  facts.some(
    ({ term: { op, args }, holds }) =>
      holds && op === OP.EQ && args.includes(word) && args.some((arg) => arg !== word && withoutMask(arg) === word),
  )

/** What a condition says about a field of a slot. */
function testsIn({ term, holds }: Fact): readonly Test[] {
  const [left, right] = term.args
  const whole = fieldOf(term)
  if (whole !== undefined) return [{ field: trimmed(whole), allowed: holds ? { type: 'not', value: 0n } : UNSET }]
  if (term.kind !== 'operation' || left === undefined || right === undefined) return []
  if (term.op === OP.EQ && left.kind === 'constant') {
    const field = fieldOf(right)
    return field === undefined ? [] : [{ field, allowed: { type: holds ? 'is' : 'not', value: left.value } }]
  }
  if (term.op !== OP.LT && term.op !== OP.GT) return []
  const [low, high] = term.op === OP.LT ? [left, right] : [right, left]
  // What is above a truth value is none of both.
  if (holds && isBoolean(high)) return testsIn({ term: high, holds: true })
  if (holds && high.kind === 'constant') return below(fieldOf(low), high.value)
  return !holds && low.kind === 'constant' ? below(fieldOf(high), low.value + 1n) : []
}

const below = (field: Field | undefined, value: bigint): readonly Test[] =>
  field === undefined ? [] : [{ field, allowed: { type: 'below', value } }]

const UNSET: Values = { type: 'below', value: 1n }

/** A test of bits for zero has one form, whether they are moved first or not. */
function trimmed({ slot, shift, mask }: Field): Field {
  const zeros = exponentOf(mask & -mask) ?? 0n
  return { slot, shift: shift + zeros, mask: mask >> zeros }
}

/** The bits of a slot that a term is. */
function fieldOf(term: Term): Field | undefined {
  const [left, right] = term.args
  if (term.kind === 'stored') {
    const slot = left === undefined ? undefined : valueOf(left)
    return slot === undefined ? undefined : { slot, shift: 0n, mask: ALL_BITS }
  }
  if (term.kind !== 'operation' || left === undefined || right === undefined) return undefined
  if (term.op === OP.DIV && right.kind === 'constant') return shiftedField(fieldOf(left), exponentOf(right.value))
  if (left.kind !== 'constant') return undefined
  const inner = fieldOf(right)
  if (term.op === OP.SHR) return shiftedField(inner, left.value)
  return term.op === OP.AND && inner !== undefined ? { ...inner, mask: inner.mask & left.value } : undefined
}

const shiftedField = (field: Field | undefined, by: bigint | undefined): Field | undefined =>
  field === undefined || by === undefined || by > 255n
    ? undefined
    : { slot: field.slot, shift: field.shift + by, mask: (field.mask >> by) & (ALL_BITS >> (field.shift + by)) }

const exponentOf = (value: bigint): bigint | undefined =>
  value > 0n && (value & (value - 1n)) === 0n ? BigInt(value.toString(2).length - 1) : undefined
