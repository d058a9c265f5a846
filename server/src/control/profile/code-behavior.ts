/** What code does as a whole, from its effects: delegatecalls, slots it may write, callers that it checks. */
import type { Hex } from '../../lib/hex.ts'
import type { CodeEffects, Condition, Effect, Expression } from '../code/effects.ts'
import { OP } from '../code/instructions.ts'
import type { Target } from '../code/targets.ts'

export type DelegateSource =
  | { readonly from: 'fixed'; readonly address: Hex }
  | { readonly from: 'slot'; readonly slot: Hex }
  | { readonly from: 'mapping' } // a diamond's facet table
  /** What a contract returns, such as a beacon: the one in this slot or at this address. */
  | { readonly from: 'answer'; readonly by?: Hex }
  | { readonly from: 'self' | 'anything' }
  /**
   * `sender`: only if the caller is this address or the one in this slot. `notAt`: not if the code runs at this address.
   * `unless`: only while this slot is zero.
   */
  | { readonly from: 'input'; readonly sender?: Hex; readonly notAt?: Hex; readonly unless?: Hex }

export type CodeBehavior = {
  /** Every reachable delegatecall. */
  readonly delegates: readonly DelegateSource[]
  /** Slots at fixed positions that it may write; elements of mappings and arrays are not among them. */
  readonly writes: readonly Hex[]
  /** Slots that it may write on a path without a check of the caller. `unless`: only while this slot is zero. */
  readonly unguardedWrites: readonly { readonly slot: Hex; readonly unless?: Hex }[]
  /** It may write a slot whose position is not known. */
  readonly writesAnywhere: boolean
  /** Addresses in the code that the caller must be. */
  readonly senders: readonly Hex[]
  /** Slots that hold accounts that the caller must be. */
  readonly senderSlots: readonly Hex[]
  /** An entry of the caller in a table is required. */
  readonly looksUpSender: boolean
  /** It calls contracts other than those in `calledSlots`, or itself for any caller: these may decide about access. */
  readonly callsOut: boolean
  /** Slots whose contracts it asks. */
  readonly calledSlots: readonly Hex[]
  /** Every path was followed to its end. */
  readonly settled: boolean
}

export const NO_BEHAVIOR: CodeBehavior = {
  delegates: [],
  writes: [],
  unguardedWrites: [],
  writesAnywhere: false,
  senders: [],
  senderSlots: [],
  looksUpSender: false,
  callsOut: false,
  calledSlots: [],
  settled: true,
}

export function behaviorOf({ effects, asks, settled }: CodeEffects): CodeBehavior {
  const stores = effects.filter(({ kind }) => kind === 'store')
  const callers = effects.flatMap(({ conditions }) => conditions.flatMap(callerOf))
  return {
    delegates: distinct(effects.filter(({ kind }) => kind === 'delegatecall').map(sourceOf)),
    writes: distinct(stores.flatMap(({ position }) => (position?.type === 'slot' ? [position.slot] : []))),
    unguardedWrites: distinct(stores.flatMap(unguardedWrite)),
    writesAnywhere: stores.some(({ position }) => position?.type === 'anywhere'),
    senders: distinct(callers.filter((caller) => caller.length === ADDRESS_LENGTH && BigInt(caller) > 0xffffn)),
    senderSlots: distinct(callers.filter((caller) => caller.length !== ADDRESS_LENGTH)),
    looksUpSender: effects.some(({ conditions }) => conditions.some(({ type }) => type === 'listed')),
    callsOut: effects.some(isOpenCall) || asks.some(({ type }) => type !== 'slot'),
    calledSlots: distinct(asks.flatMap((target) => (target.type === 'slot' ? [target.slot] : []))),
    settled,
  }
}

const ADDRESS_LENGTH = 42

function distinct<T>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

/** The address in the code, or the slot, that a condition compares the caller with. */
function callerOf(condition: Condition): readonly Hex[] {
  if (condition.type !== 'caller') return []
  if (condition.is.type === 'constant') return [condition.is.address]
  return condition.is.type === 'slot' ? [condition.is.slot] : []
}

const isGuarded = ({ conditions }: Effect): boolean =>
  conditions.some(({ type }) => type === 'caller' || type === 'listed')

/** After a check of the caller, only that caller can make the contract call itself. */
const isOpenCall = (effect: Effect): boolean =>
  effect.kind === 'call' && !(effect.target?.type === 'self' && isGuarded(effect))

function sourceOf({ target, conditions }: Effect): DelegateSource {
  switch (target?.type) {
    case 'constant':
      return { from: 'fixed', address: target.address }
    case 'slot':
      return { from: 'slot', slot: target.slot }
    case 'table':
      return { from: 'mapping' }
    case 'self':
      return { from: 'self' }
    case 'returned': {
      const by = answererOf(target.by)
      return { from: 'answer', ...(by === undefined ? {} : { by }) }
    }
    case 'input': {
      const [sender] = conditions.flatMap(callerOf)
      const [notAt] = conditions.flatMap(excludedAddress)
      const [unless] = conditions.flatMap(emptySlot)
      return {
        from: 'input',
        ...(sender === undefined ? {} : { sender }),
        ...(notAt === undefined ? {} : { notAt }),
        ...(unless === undefined ? {} : { unless }),
      }
    }
    case 'caller':
    case 'unknown':
    case undefined:
    default:
      return { from: 'anything' }
  }
}

const answererOf = (by: Target): Hex | undefined =>
  by.type === 'slot' ? by.slot : by.type === 'constant' ? by.address : undefined

const isOperation = (expression: Expression): expression is readonly [number, ...Expression[]] =>
  Array.isArray(expression)

/** The address at which the code must not run. */
function excludedAddress(condition: Condition): readonly Hex[] {
  if (condition.type !== 'state' || !condition.isZero || !isOperation(condition.expression)) return []
  const [op, left, right] = condition.expression
  return op === OP.EQ && right === 'self' && typeof left === 'string' && left !== 'self' ? [`0x${left.slice(-40)}`] : []
}

/** The slot that a condition requires to be zero, in whole or in all bits of an address. */
function emptySlot(condition: Condition): readonly Hex[] {
  if (condition.type !== 'state' || !condition.isZero || typeof condition.expression === 'string') return []
  const { expression } = condition
  if (!isOperation(expression)) return [expression.stored]
  const [op, mask, masked] = expression
  const isAddress = op === OP.AND && typeof mask === 'string' && mask !== 'self' && mask.endsWith('f'.repeat(40))
  return isAddress && masked !== undefined && typeof masked !== 'string' && !isOperation(masked) ? [masked.stored] : []
}

function unguardedWrite(effect: Effect): readonly { readonly slot: Hex; readonly unless?: Hex }[] {
  if (effect.position?.type !== 'slot' || isGuarded(effect)) return []
  const [unless] = effect.conditions.flatMap(emptySlot)
  return [{ slot: effect.position.slot, ...(unless === undefined ? {} : { unless }) }]
}

/** Delegatecalls whose target may change: it is in storage, or not known. */
export const replaceable = (code: Pick<CodeBehavior, 'delegates'>): CodeBehavior['delegates'] =>
  code.delegates.filter(({ from }) => from === 'slot' || from === 'mapping' || from === 'answer' || from === 'anything')

/** Whether the code calls other contracts than those in the known slots. */
export const callsOthers = (code: CodeBehavior, known: readonly Hex[] = []): boolean =>
  code.callsOut || code.calledSlots.some((slot) => !known.includes(slot))

/** Whether the code may write this slot. Ruled out only for code that was followed to its end. */
export const mayWrite = (code: CodeBehavior, slot: Hex): boolean =>
  !code.settled || code.writesAnywhere || code.writes.includes(slot)
