/** Units of a token that come from nothing, or move without the allowance that other callers need. */
import type { Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { positionOf } from '../code/positions.ts'
import { type Term, valueOf, withoutMask } from '../code/terms.ts'
import { type Context, isAmountChange, isAt, isFromCaller, isTaken } from './acts.ts'
import type { CodeFunction } from './functions.ts'
import { type Access, accessOf, anyOf, type Guard, mentions, OPEN } from './guards.ts'

/**
 * Permit2, which some tokens exempt from allowances. Its address is given by its code (CREATE2), which moves units only as
 * their owner approved or signed.
 */
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const MAX_WORD = (1n << 256n) - 1n
/** A sum above this is an amount, and no count. */
const LARGE = 1n << 32n

const NOT_KNOWN: Access = { type: 'unknown', why: 'condition' }

/** Who moves units of others without an allowance: the accounts that the reduction of allowances leaves out. */
export function exemptedBy({ effects }: CodeFunction, { amounts }: Context): Access | undefined {
  const isFromOthers = (effect: RawEffect): boolean => isTakenFromOthers(effect, amounts)
  if (effects.some(isFromOthers) && !effects.some(concernsCaller)) return NOT_KNOWN
  const exits = effects.filter(({ kind }) => kind === 'exit')
  const isPassed = ({ term }: Fact): boolean =>
    exits.some(({ facts }) => !facts.some((fact) => fact.term === term && !fact.holds))
  const found = effects
    .filter(isSpent)
    .flatMap(({ subject, facts }) =>
      facts.filter((fact) => !fact.holds && !isAbout(fact.term, subject) && isPassed(fact)).map(({ term }) => term),
    )
    .map(accessIf)
    .filter(({ type }) => type !== 'open')
  return found.length === 0 ? undefined : anyOf(found)
}

/** A store that takes from the balance of an account that the caller names. */
function isTakenFromOthers(effect: RawEffect, amounts: Context['amounts']): boolean {
  if (!isAmountChange(effect) || effect.value?.op !== OP.SUB || !mentions(effect.subject, isInput)) return false
  const position = positionOf(effect.subject, effect.facts)
  return position.type === 'table' && position.keys.length === 1 && amounts.some((table) => isAt(position, table))
}

const isInput = ({ kind }: Term): boolean => kind === 'input'

/** The caller is checked, or has an entry that is written. */
const concernsCaller = ({ kind, subject, facts }: RawEffect): boolean =>
  (kind === 'store' && subject.hasCaller) || facts.some(({ term }) => term.hasCaller)

/** A store that takes from an allowance of the caller. */
function isSpent(effect: RawEffect): boolean {
  if (!isAmountChange(effect) || effect.value?.op !== OP.SUB) return false
  const position = positionOf(effect.subject, effect.facts)
  return position.type === 'table' && position.keys.length === 2 && position.keys.includes('caller')
}

/** A condition about the allowance itself, as that it has no end. */
const isAbout = (term: Term, position: Term): boolean =>
  mentions(term, ({ kind, args }) => kind === 'stored' && args[0] === position)

/** Who may if a condition is true. */
function accessIf(term: Term): Access {
  if (!term.hasCaller) return isCase(term) ? NOT_KNOWN : OPEN
  const access = accessOf([{ term, holds: true }], () => 'holder')
  const isHarmless = (guard: Guard): boolean =>
    guard.type === 'self' || (guard.type === 'constant' && guard.address === PERMIT2)
  return access.type === 'guarded' && access.guards.every(isHarmless) ? OPEN : access
}

/** The caller passes a certain value, such as an account in the code or in a slot. */
function isCase({ kind, op, args }: Term): boolean {
  const [left, right] = args.map(withoutMask)
  if (kind !== 'operation' || op !== OP.EQ || left === undefined || right === undefined) return false
  if (isInput(left) === isInput(right)) return false
  const other = isInput(left) ? right : left
  if (other.kind === 'constant') return other.value !== 0n && other.value !== MAX_WORD
  return other.kind === 'stored' && valueOf(other.args[0] as Term) !== undefined
}

/** Whether a balance grows by a number that the caller chooses, or a large one, in a function that takes nothing for it. */
export function isFree({ effects }: CodeFunction, { amounts }: Context): boolean {
  if (effects.some(isPayment)) return false
  return effects.some((effect) => {
    const { subject, value, facts } = effect
    const position = positionOf(subject, facts)
    if (!isAmountChange(effect) || position.type !== 'table' || position.keys.length !== 1) return false
    return (
      amounts.some((table) => isAt(position, table)) &&
      value?.args.some((added) => isFromCaller(added) || (added.kind === 'constant' && added.value > LARGE))
    )
  })
}

/** Other code runs, a stored amount shrinks, or the caller sends ether. */
const isPayment = ({ kind, op, value, facts }: RawEffect): boolean => {
  if (kind === 'delegatecall' || kind === 'create' || (kind === 'call' && op !== OP.STATICCALL)) return true
  if (kind === 'store' && value !== undefined && isTaken(value)) return true
  const isEther = (part: Term): boolean => part.kind === 'environment' && part.op === OP.CALLVALUE
  return (
    kind === 'store' &&
    (mentions(value as Term, isEther) || facts.some(({ term, holds }) => holds && mentions(term, isEther)))
  )
}
