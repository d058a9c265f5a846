/**
 * Abstract values on the stack: where a value comes from, not what it is.
 *
 * Pure. Every rule errs towards `anything`, so that nothing unknown counts as known.
 */
import type { Hex } from 'viem'
import { OP } from '../code/instructions.ts'
import { toWord } from './abi-values.ts'
import { SLOTS } from './slots.ts'

/** Where a value comes from. */
export type Value =
  | { readonly from: 'constant'; readonly value: bigint; readonly isMember?: true }
  | { readonly from: 'slot'; readonly slot: bigint | 'hashed' | 'any'; readonly isPart?: true }
  /**
   * Whether the call at this code position succeeded, or the comparison there held: 1 or 0, or the negation. A difference
   * is 0 where the comparison held, and another value where not.
   */
  | { readonly from: 'yes' | 'no'; readonly position: number; readonly tests?: Condition; readonly isDifference?: true }
  /** `isPart`: only some of its bits. */
  | { readonly from: 'self' | 'sender'; readonly isPart?: true }
  | { readonly from: 'input' | 'hash' | 'anything' }

/** Is the caller this address or the one in this slot; does the code run at this address; is this slot empty. */
export type Condition = { readonly about: 'sender' | 'self' | 'emptiness'; readonly is: Hex }

/** What holds on a path: the caller is in this slot or is this address, the code does not run at this address, this pointer is empty. */
export type Held = { readonly sender?: Hex; readonly notAt?: Hex; readonly unset?: Hex }

export const ANYTHING: Value = { from: 'anything' }
export const HASH: Value = { from: 'hash' }
export const constant = (value: bigint): Value => ({ from: 'constant', value })

export const account = (value: bigint): Hex => `0x${value.toString(16).padStart(40, '0')}`

export const fromSlot = (position: Value): Value =>
  position.from === 'constant'
    ? { from: 'slot', slot: position.value }
    : { from: 'slot', slot: position.from === 'hash' ? 'hashed' : 'any' }

/** The address or slot that the caller or the code's own address is compared with. */
export function wholeOf(other: Value): Hex | undefined {
  if (other.from === 'constant') return other.value < ADDRESS_LIMIT ? account(other.value) : undefined
  return other.from === 'slot' && typeof other.slot === 'bigint' ? toWord(other.slot) : undefined
}

/** Only tests of these slots are followed for both outcomes. */
const POINTERS: ReadonlySet<Hex> = new Set([
  SLOTS.implementation,
  SLOTS.implementationOffByOne,
  SLOTS.zosImplementation,
  SLOTS.proxiable,
  SLOTS.polygonImplementation,
])

const ADDRESS_MASK = (1n << 160n) - 1n

/** A mask keeps the source of a value. It keeps an outcome, which is one bit, only if it passes that bit. */
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

export type Outcome = Value & { readonly from: 'yes' | 'no' }

const isOutcome = (value: Value): value is Outcome => value.from === 'yes' || value.from === 'no'

/** Puts an outcome on top. Outcomes of the same position from an earlier iteration of a loop are no longer known. */
export function withOutcome(stack: readonly Value[], outcome: Outcome): Value[] {
  const older = stack
    .slice(0, -1)
    .map((value) => (isOutcome(value) && value.position === outcome.position ? ANYTHING : value))
  return [...older, outcome]
}

/** The condition that a test for zero checks: the caller is the zero address, or a pointer is still empty. */
export function testedByZero(value: Value, position: number): Outcome | undefined {
  if (value.from === 'sender' && !value.isPart)
    return { from: 'yes', position, tests: { about: 'sender', is: account(0n) } }
  if (value.from !== 'slot' || typeof value.slot !== 'bigint' || value.isPart) return undefined
  const is = toWord(value.slot)
  return POINTERS.has(is) ? { from: 'yes', position, tests: { about: 'emptiness', is } } : undefined
}

export function opposite(value: Value): Value {
  if (value.from === 'constant') return constant(value.value === 0n ? 1n : 0n)
  if (!isOutcome(value)) return ANYTHING
  const { position, tests } = value
  return { from: value.from === 'yes' ? 'no' : 'yes', position, ...(tests === undefined ? {} : { tests }) }
}

/**
 * The stack after a branch: every copy of the outcome is known from there on. Otherwise the failure of a `try` would be
 * followed into code that only its success reaches.
 */
export function knowing(stack: readonly Value[], condition: Value, isTrue: boolean): Value[] {
  if (!isOutcome(condition)) return [...stack]
  return stack.map((value) => {
    if (!isOutcome(value) || value.position !== condition.position) return value
    if ((value.from === condition.from) !== isTrue) return constant(0n)
    return value.isDifference ? ANYTHING : constant(1n)
  })
}

/** What holds after a branch. The first condition of each kind is kept. */
export function holding(held: Held, condition: Value, isTrue: boolean): Held {
  if (!isOutcome(condition) || condition.tests === undefined) return held
  const { about, is } = condition.tests
  const isSo = (condition.from === 'yes') === isTrue
  if (about === 'sender') return isSo && held.sender === undefined ? { ...held, sender: is } : held
  if (about === 'emptiness') return isSo && held.unset === undefined ? { ...held, unset: is } : held
  return isSo || held.notAt !== undefined ? held : { ...held, notAt: is }
}

/** Computes only masks: loop counters would produce endless states. */
export function maskFrom(left: Value, right: Value): Value {
  if (left.from !== 'constant' || right.from !== 'constant' || left.isMember) return ANYTHING
  const isMask = right.value === 1n && left.value > 0xffffn
  return isMask ? constant(left.value - 1n) : ANYTHING
}

/** Hashed slot positions are above this, addresses below. */
const ADDRESS_LIMIT = 1n << 160n

/** A member of a struct at a fixed position. Nothing is added to it again: a loop over members would never end. */
export function memberOf(left: Value, right: Value): Value {
  if (left.from !== 'constant' || right.from !== 'constant') return ANYTHING
  const [position, offset] = left.value > right.value ? [left, right] : [right, left]
  if (position.isMember || position.value < ADDRESS_LIMIT || offset.value > 0xffn) return ANYTHING
  return { from: 'constant', value: (position.value + offset.value) & ((1n << 256n) - 1n), isMember: true }
}

export function powerOf(op: number, left: Value, right: Value): Value {
  if (left.from !== 'constant' || right.from !== 'constant') return ANYTHING
  const [base, exponent] = op === OP.EXP ? [left.value, right.value] : [right.value, left.value]
  if (exponent > 255n || base > 256n) return ANYTHING
  return constant((op === OP.EXP ? base ** exponent : base << exponent) & ((1n << 256n) - 1n))
}

export const inputOf = (left: Value, right: Value): Value =>
  left.from === 'input' || right.from === 'input' ? { from: 'input' } : ANYTHING

export function keyOf(value: Value): string {
  if (value.from === 'constant') return `#${value.value.toString(36)}${value.isMember ? '+' : ''}` // a number must not read like a name
  if (isOutcome(value))
    return `${value.from}${value.position}${value.isDifference ? '-' : ''}${value.tests === undefined ? '' : `${value.tests.about}${value.tests.is}`}`
  if (value.from === 'slot') return `s${value.slot}${value.isPart ? '-' : ''}`
  return 'isPart' in value ? `${value.from}-` : value.from
}
