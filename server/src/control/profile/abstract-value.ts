/**
 * What is known of a value on the stack while code is followed: where it comes from, not what it is.
 *
 * Pure. Every rule errs towards `anything`: what is not known must not look known.
 */
import type { Hex } from 'viem'
import { SLOTS } from './slots.ts'

/** Where a value comes from. */
export type Value =
  | { readonly from: 'constant'; readonly value: bigint; readonly isMember?: true }
  | { readonly from: 'slot'; readonly slot: bigint | 'hashed' | 'any'; readonly isPart?: true }
  /**
   * Whether the call at this place of the code went well, or the comparison held: 1 or 0, and the opposite. A difference
   * is 0 where it held, and anything else where not.
   */
  | { readonly from: 'yes' | 'no'; readonly place: number; readonly asks?: Question; readonly isDifference?: true }
  /** `isPart`: some of its bits alone, which say little about the others. */
  | { readonly from: 'self' | 'sender'; readonly isPart?: true }
  | { readonly from: 'input' | 'hash' | 'anything' }

/** Is the sender whoever stands in this slot, or this address; does the code run at this address; is this slot empty. */
export type Question = { readonly about: 'sender' | 'self' | 'emptiness'; readonly is: Hex }

/**
 * What must hold on a path: who the sender is (in a slot, or an address of the code), where it does not run, and which
 * pointer is not set yet.
 */
export type Held = { readonly sender?: Hex; readonly notAt?: Hex; readonly unset?: Hex }

export const ANYTHING: Value = { from: 'anything' }
export const HASH: Value = { from: 'hash' }
export const constant = (value: bigint): Value => ({ from: 'constant', value })

export const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
export const account = (value: bigint): Hex => `0x${value.toString(16).padStart(40, '0')}`

export const fromSlot = (position: Value): Value =>
  position.from === 'constant'
    ? { from: 'slot', slot: position.value }
    : { from: 'slot', slot: position.from === 'hash' ? 'hashed' : 'any' }

/** What a sender or the code's own address is compared with, where it can be named later. */
export function wholeOf(other: Value): Hex | undefined {
  if (other.from === 'constant') return other.value < FAR ? account(other.value) : undefined
  return other.from === 'slot' && typeof other.slot === 'bigint' ? word(other.slot) : undefined
}

/** Others are not worth following twice, once for each outcome. */
const POINTERS: ReadonlySet<Hex> = new Set([
  SLOTS.implementation,
  SLOTS.implementationOffByOne,
  SLOTS.zosImplementation,
  SLOTS.proxiable,
  SLOTS.polygonImplementation,
])

const ADDRESS_MASK = (1n << 160n) - 1n

/** A mask leaves a value what it was; an answer, which is one bit, only where it lets that bit through. */
export function masked(left: Value, right: Value): Value {
  if (left.from === 'constant' && right.from === 'constant')
    return left.isMember || right.isMember ? ANYTHING : constant(left.value & right.value)
  const [mask, value] = left.from === 'constant' ? [left, right] : [right, left]
  if (mask.from !== 'constant') return ANYTHING
  const isWhole = (mask.value & ADDRESS_MASK) === ADDRESS_MASK
  if (value.from === 'sender' || value.from === 'self') return isWhole ? value : { from: value.from, isPart: true }
  if (value.from === 'slot') return isWhole ? value : { ...value, isPart: true }
  if (value.from !== 'yes' && value.from !== 'no') return value
  return (value.isDifference ? isWhole : (mask.value & 1n) !== 0n) ? value : ANYTHING
}

export type Answer = Value & { readonly from: 'yes' | 'no' }

const isAnswer = (value: Value): value is Answer => value.from === 'yes' || value.from === 'no'

/** What was just asked has left its answer on top. What an earlier round of a loop left is another answer. */
export function withAnswer(stack: readonly Value[], answer: Answer): Value[] {
  const older = stack.slice(0, -1).map((value) => (isAnswer(value) && value.place === answer.place ? ANYTHING : value))
  return [...older, answer]
}

/**
 * What is asked by a look whether a value is zero: is the sender nobody; or is a pointer not set yet, before it is set
 * for the first time, by anyone.
 */
export function askedByZero(value: Value, place: number): Answer | undefined {
  if (value.from === 'sender' && !value.isPart)
    return { from: 'yes', place, asks: { about: 'sender', is: account(0n) } }
  if (value.from !== 'slot' || typeof value.slot !== 'bigint' || value.isPart) return undefined
  const is = word(value.slot)
  return POINTERS.has(is) ? { from: 'yes', place, asks: { about: 'emptiness', is } } : undefined
}

export function opposite(value: Value): Value {
  if (value.from === 'constant') return constant(value.value === 0n ? 1n : 0n)
  if (!isAnswer(value)) return ANYTHING
  const { place, asks } = value
  return { from: value.from === 'yes' ? 'no' : 'yes', place, ...(asks === undefined ? {} : { asks }) }
}

/**
 * The stack where a condition turned out so: every copy of the answer it tells is known from there on. Without it a
 * `try` would be followed from its failure into what only its success leads to, with a stack that is not so.
 */
export function knowing(stack: readonly Value[], condition: Value, isTrue: boolean): Value[] {
  if (!isAnswer(condition)) return [...stack]
  return stack.map((value) => {
    if (!isAnswer(value) || value.place !== condition.place) return value
    if ((value.from === condition.from) !== isTrue) return constant(0n)
    return value.isDifference ? ANYTHING : constant(1n)
  })
}

/** What holds beside where a condition turned out so. The first that held is enough: it still does. */
export function holding(held: Held, condition: Value, isTrue: boolean): Held {
  if (!isAnswer(condition) || condition.asks === undefined) return held
  const { about, is } = condition.asks
  const isSo = (condition.from === 'yes') === isTrue
  if (about === 'sender') return isSo && held.sender === undefined ? { ...held, sender: is } : held
  if (about === 'emptiness') return isSo && held.unset === undefined ? { ...held, unset: is } : held
  return isSo || held.notAt !== undefined ? held : { ...held, notAt: is }
}

/** Only masks are computed: counters of loops would be states without end. */
export function maskFrom(left: Value, right: Value): Value {
  if (left.from !== 'constant' || right.from !== 'constant' || left.isMember) return ANYTHING
  const isMask = right.value === 1n && left.value > 0xffffn
  return isMask ? constant(left.value - 1n) : ANYTHING
}

/** Places found by hashing are this far from zero, and addresses are not. */
const FAR = 1n << 160n

/** A member of a struct at a fixed place. Nothing is added to it again: a loop over members would be without end. */
export function memberOf(left: Value, right: Value): Value {
  if (left.from !== 'constant' || right.from !== 'constant') return ANYTHING
  const [place, offset] = left.value > right.value ? [left, right] : [right, left]
  if (place.isMember || place.value < FAR || offset.value > 0xffn) return ANYTHING
  return { from: 'constant', value: (place.value + offset.value) & ((1n << 256n) - 1n), isMember: true }
}

export function powerOf(op: number, left: Value, right: Value): Value {
  if (left.from !== 'constant' || right.from !== 'constant') return ANYTHING
  const [base, exponent] = op === 0x0a ? [left.value, right.value] : [right.value, left.value]
  if (exponent > 255n || base > 256n) return ANYTHING
  return constant((op === 0x0a ? base ** exponent : base << exponent) & ((1n << 256n) - 1n))
}

export const inputOf = (left: Value, right: Value): Value =>
  left.from === 'input' || right.from === 'input' ? { from: 'input' } : ANYTHING

export function keyOf(value: Value): string {
  if (value.from === 'constant') return `#${value.value.toString(36)}${value.isMember ? '+' : ''}` // a number must not read like a name
  if (isAnswer(value))
    return `${value.from}${value.place}${value.isDifference ? '-' : ''}${value.asks === undefined ? '' : `${value.asks.about}${value.asks.is}`}`
  if (value.from === 'slot') return `s${value.slot}${value.isPart ? '-' : ''}`
  return 'isPart' in value ? `${value.from}-` : value.from
}
