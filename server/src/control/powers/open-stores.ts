/**
 * Stores that every caller can make. One that changes who passes a guard gives every caller the powers behind that guard,
 * unless the state of the contract prevents it, see `control/profile/taken-keys.ts`.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Fact } from '../code/conditions.ts'
import { type Condition, stateCondition } from '../code/effects.ts'
import { OP } from '../code/instructions.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { targetOf } from '../code/targets.ts'
import { isAccount, type Term, withoutMask, word } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import type { Guard } from './guards.ts'
import { changedBits, isKept } from './stored-bits.ts'

export type StateCondition = Condition & { readonly type: 'state' }

export type OpenStore = {
  /** The function that makes it. */
  readonly selector: Hex
  readonly position: Position
  /** The bits that it may change. */
  readonly bits: Hex
  /** The account or mark that is stored: what the caller chooses, or that of a slot or of the code. Undefined: not known. */
  readonly stores?: 'any' | Guard
  /** It only removes bits. */
  readonly isClear?: true
  /** What the storage must hold. */
  readonly conditions: readonly StateCondition[]
  /** It depends on more than fixed slots and what the caller passes and pays. */
  readonly isConditional?: true
}

/** The stores of a function that need no certain caller. */
export function openStores({ selector, access, accessAtAny, atExits, effects }: CodeFunction): readonly OpenStore[] {
  if (access.type === 'guarded') return []
  const found = effects.flatMap((effect): readonly OpenStore[] => {
    const { kind, subject, value, facts } = effect
    if (kind !== 'store' || value === undefined) return []
    if (accessAtAny([effect]).type !== 'open') return []
    const stores = storedBy(value, subject, facts)
    return [
      {
        selector,
        position: withoutNumbers(positionOf(subject, facts)),
        bits: word(changedBits(value, subject)),
        ...(stores && { stores }),
        ...(isCleared(value, subject) && { isClear: true }),
        conditions: facts.flatMap((fact) => stateOf(fact)),
        ...((atExits.type === 'unknown' || !facts.every(({ term }) => isPlain(term, subject))) && {
          isConditional: true,
        }),
      },
    ]
  })
  return [...new Map(found.map((store) => [JSON.stringify(store), store])).values()]
}

/** Keys that are not known differ in each analysis; two of them may be the same. */
const withoutNumbers = (position: Position): Position =>
  position.type === 'table'
    ? { ...position, keys: position.keys.map((key) => (/^[?#]/.test(key) ? '?0' : key)) }
    : position

function stateOf(fact: Fact): readonly StateCondition[] {
  const condition = stateCondition(fact)
  return condition?.type === 'state' ? [condition] : []
}

/** Whether a condition depends on nothing but the caller, what it passes and pays, fixed slots, and what is stored over. */
const isPlain = (term: Term, position: Term): boolean =>
  !mentionsOutside(term, (part) => {
    if (part.kind === 'environment') return part.op !== OP.CALLVALUE && part.op !== OP.CALLDATASIZE
    if (part.kind === 'stored') return part.args[0] !== position && valueOf(part.args[0] as Term) === undefined
    return part.kind === 'hash' || part.kind === 'returned' || part.kind === 'asked' || part.kind === 'opaque'
  })

/** What a store leaves at a position, apart from what was there before. */
function storedBy(value: Term, position: Term, facts: readonly Fact[]): OpenStore['stores'] | undefined {
  const parts = partsOf(value).filter((part) => !isKept(part, position))
  const isChosen = (part: Term): boolean => part.kind === 'input' || isAccount(part)
  if (parts.some((part) => mentionsOutside(part, isChosen))) return 'any'
  const [only, ...others] = parts.map(withoutShift)
  if (only === undefined || others.length > 0) return undefined
  const target = targetOf(only, facts)
  if (target.type === 'constant' || target.type === 'slot' || target.type === 'self') return target
  return undefined
}

const partsOf = (value: Term): readonly Term[] =>
  value.kind === 'operation' && value.op === OP.OR ? value.args.flatMap(partsOf) : [value]

/** Whether a part of a value has a property. Where a value was stored before is no part of it. */
function mentionsOutside(term: Term, is: (part: Term) => boolean, seen = new Set<Term>()): boolean {
  if (seen.has(term)) return false
  seen.add(term)
  return is(term) || (term.kind !== 'stored' && term.args.some((arg) => mentionsOutside(arg, is, seen)))
}

function withoutShift(term: Term): Term {
  const [shift, inner] = term.args
  const isShifted =
    term.kind === 'operation' && (term.op === OP.SHL || term.op === OP.MUL) && shift?.kind === 'constant'
  return isShifted && inner !== undefined ? withoutMask(inner) : term
}
