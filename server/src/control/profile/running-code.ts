/** Code that runs on the storage of a contract, what is known where it is reached, and what of it is not proven. */
import type { Hex } from 'viem'
import type { ExceededLimit } from '../../../../vocabulary/reasons.ts'
import type { Condition, Effect } from '../code/effects.ts'
import { evaluate, slotsRead } from '../code/expressions.ts'
import type { CodeFacts } from './code-facts.ts'

/**
 * Code that runs on the storage of the contract. `conditions`: what holds whenever it is reached. `isRenamed`: it gets other
 * input than the contract, so that its functions are reached under any name.
 */
export type Running = {
  readonly address: Hex
  readonly code: CodeFacts
  readonly conditions: readonly Condition[]
  readonly isRenamed: boolean
}

/** The effects of code, without the functions that they belong to where these are not functions of the contract. */
export const ownEffects = ({ code, isRenamed }: Running): readonly Effect[] =>
  isRenamed ? code.effects.effects.map(withoutFunction) : code.effects.effects

export function withoutFunction(effect: Effect): Effect {
  const { selector: _, ...rest } = effect
  return rest
}

/** Whether a condition requires an account in the code as the caller. */
export const isByConstant = (condition: Condition): boolean =>
  condition.type === 'caller' && condition.is.type === 'constant'

export type PassedInput = 'isForwarded' | 'isRenamed'

/** Whether code gets the selector of the input. */
export const keepsFunction = ({ isForwarded, isRenamed }: Pick<Effect, PassedInput>): boolean =>
  isForwarded === true && isRenamed !== true

/**
 * An effect by which code may destroy itself where it is called on its own, or run other code that does; undefined where it has
 * none that is possible at its address. `isReserved`: whether a condition reserves it to known accounts there too.
 */
export function endOf(
  { address, code }: Running,
  isReserved: (condition: Condition, effect: Effect) => boolean,
): Effect | undefined {
  if (code.cloneOf !== undefined) return { kind: 'delegatecall', at: 0, conditions: [] }
  return code.effects.effects.find(
    (effect) =>
      (effect.kind === 'selfdestruct' || (effect.kind === 'delegatecall' && effect.target?.type !== 'self')) &&
      !effect.conditions.some((condition) => isExcludedAt(address, condition) || isReserved(condition, effect)),
  )
}

/** Whether a condition never holds at an address, whatever its storage. */
export function isExcludedAt(address: Hex, condition: Condition): boolean {
  if (condition.type !== 'state' || slotsRead(condition.expression).length > 0) return false
  const value = evaluate(condition.expression, BigInt(address), new Map())
  return value !== undefined && (value === 0n) !== condition.isZero
}

/** The slots that decide whether conditions hold. */
export const slotsDeciding = (conditions: readonly Condition[]): readonly Hex[] =>
  conditions.flatMap((condition) => (condition.type === 'state' ? slotsRead(condition.expression) : []))

/**
 * Whether a call that passes a selector may reach one of the functions; undefined among them: any. A call may pass fewer
 * bytes: those that are missing are zero.
 */
export const mayName = (functions: ReadonlySet<Hex | undefined>, passes: Hex): boolean =>
  functions.has(undefined) ||
  [10, 8, 6, 4].some((length) => functions.has(passes.slice(0, length).padEnd(10, '0') as Hex))

/** The effects of the code that an effect belongs to. */
export const effectsWith = (effect: Effect, codes: readonly CodeFacts[]): readonly Effect[] | undefined =>
  codes.find(({ effects: { effects } }) => effects.includes(effect))?.effects.effects

/** Functions of tokens: a call of one changes no control, unless a controlled contract reserves a function of that name. */
export const TOKEN_FUNCTIONS: ReadonlySet<Hex> = new Set<Hex>([
  '0xa9059cbb', // transfer
  '0x23b872dd', // transferFrom
  '0x095ea7b3', // approve
  '0x42842e0e', // safeTransferFrom
  '0x70a08231', // balanceOf
])

export const callsTokens = (effects: readonly Effect[]): boolean =>
  effects.some(({ kind, passes }) => kind === 'call' && passes !== undefined && TOKEN_FUNCTIONS.has(passes))

const isPlainKey = (key: string): boolean => key === 'caller' || key.startsWith('0x')

/**
 * The conditions that also hold in code that is run. Keys of another code have numbers of their own, and whether an entry of
 * a queue, or a vote, is about a call is known only in the code that makes the call.
 */
export const sharedConditions = (conditions: readonly Condition[]): readonly Condition[] =>
  conditions.filter((condition) =>
    condition.type === 'listed' ? condition.table.keys.every(isPlainKey) : SHARED.has(condition.type),
  )

const SHARED: ReadonlySet<Condition['type']> = new Set(['caller', 'answered', 'state'])

/** An effect that no known account is needed for: where it is. */
export type Unproven = {
  readonly address: Hex
  readonly at: number
  readonly effect: Effect['kind'] | 'code' | 'silent_store' | 'entries'
  readonly selector?: Hex
  /** The limit that the analysis of the code exceeded. */
  readonly exceeded?: ExceededLimit
}

/** Code that could not be followed to its end. */
export function unfollowed(address: Hex, { effects: { unsettledAt, exceeded } }: CodeFacts): Unproven {
  return { address, at: unsettledAt ?? 0, effect: 'code', ...(exceeded === undefined ? {} : { exceeded }) }
}
