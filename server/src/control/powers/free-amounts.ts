/** Units of a token that come from nothing, or move without the allowance that other callers need. */
import { areContradictory, type Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { keyOf, positionOf } from '../code/positions.ts'
import { type Term, withoutMask } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { type Context, isAmountChange, isAt, isFromCaller, isPaid, isTaken } from './acts.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import { type Access, accessOf, anyOf, type Guard, mentions, OPEN, signersIn } from './guards.ts'

/**
 * Permit2, which some tokens exempt from allowances. Its address is given by its code (CREATE2), which moves units only as
 * their owner approved or signed.
 */
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** A condition that the caller is Permit2. */
export const isPermit2 = ({ term: { op, args }, holds }: Fact): boolean =>
  holds &&
  op === OP.EQ &&
  args.some(({ kind }) => kind === 'caller') &&
  args.some((arg) => valueOf(arg) === BigInt(PERMIT2))
const MAX_WORD = (1n << 256n) - 1n
/** A sum above this is an amount, and no count. */
const LARGE = 1n << 32n

export const isLarge = ({ kind, value }: Term): boolean => kind === 'constant' && value > LARGE

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

/** Who gives allowances over units of accounts that neither call nor sign for it. */
export function allowingFor({ effects, accessAtAny }: CodeFunction, { amounts }: Context): Access | undefined {
  const allowances = amounts.filter(
    (table) => table.type === 'table' && table.keys.length === 2 && table.keys[1] === 'caller',
  )
  const found = effects.filter(({ kind, subject, value, facts }) => {
    if (kind !== 'store' || value === undefined || isTaken(value) || isCleared(value, subject)) return false
    const position = positionOf(subject, facts)
    if (position.type !== 'table' || !allowances.some((table) => isAt(position, table))) return false
    const [owner] = position.keys
    const accounts = facts.flatMap(accountsNamed)
    return owner !== 'caller' && !accounts.map(keyOf).some((key) => key === owner)
  })
  // Of a signature that is not understood nothing is known: it may be that of the owner.
  const isOther = (effect: RawEffect): boolean =>
    accessAtAny([effect]).type === 'open' || effect.facts.some((fact) => signersIn(fact).length > 0)
  const others = found.filter(isOther)
  if (others.length === 0) return undefined
  const access = accessAtAny(others)
  return access.type === 'open' ? NOT_KNOWN : access
}

/** The accounts that a condition shows to be the caller, or the one that has signed. */
export function accountsNamed(fact: Fact): readonly Term[] {
  const { term, holds } = fact
  const [left, right] = term.args
  if (!holds || term.op !== OP.EQ || left === undefined || right === undefined) return []
  const other = withoutMask(left).kind === 'caller' ? right : withoutMask(right).kind === 'caller' ? left : undefined
  return [...signersIn(fact), ...(other === undefined ? [] : [other, withoutMask(other)])]
}

/** A store that takes from the balance of an account that the caller names. */
export function isTakenFromOthers(effect: RawEffect, amounts: Context['amounts']): boolean {
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

/** Whether a balance grows by a number that the caller chooses, or a large one, on a path that takes nothing for it. */
export function isFree({ effects }: CodeFunction, { amounts }: Context): boolean {
  return effects.some((effect) => {
    const { subject, value, facts } = effect
    if (!isAmountChange(effect) || value === undefined || isTaken(value)) return false
    const position = positionOf(subject, facts)
    if (position.type !== 'table' || position.keys.length !== 1 || !amounts.some((table) => isAt(position, table)))
      return false
    const isChosen = value.args.some(isFromCaller)
    if (!isChosen && !value.args.some(isLarge)) return false
    const payments = effects.filter((other) => isPayment(other, isChosen))
    if (payments.length > 0 && facts.some(isRecorded)) return false
    return payments.every((other) => areContradictory(facts, other.facts))
  })
}

/** The hash of what the caller passes was stored, such as that of a message of another chain which failed before. */
export const isRecorded = ({ term: { kind, op, args }, holds }: Fact): boolean =>
  holds && kind === 'operation' && op === OP.EQ && args.some((arg) => arg.kind === 'hash') && args.some(isStored)

const isStored = ({ kind }: Term): boolean => kind === 'stored'

/** Other code runs, a stored amount shrinks, or the caller sends ether. `isChosen`: for an amount that the caller chooses. */
function isPayment({ kind, op, value, facts }: RawEffect, isChosen: boolean): boolean {
  if (kind === 'delegatecall' || kind === 'create' || (kind === 'call' && op !== OP.STATICCALL)) return true
  if (kind !== 'store' || value === undefined) return false
  return isTaken(value) || mentions(value, isPaid) || facts.some((fact) => isEtherAsked(fact, isChosen))
}

/** Whether a condition requires ether. A fixed price pays for no amount that the caller chooses. */
export function isEtherAsked({ term, holds }: Fact, isChosen: boolean): boolean {
  if (isPaid(term)) return holds && !isChosen
  const [left, right] = term.args
  if (term.kind !== 'operation' || left === undefined || right === undefined) return false
  const isSide = (side: Term, other: Term): boolean =>
    mentions(side, isPaid) && !mentions(side, isInput) && !(isChosen && other.kind === 'constant')
  if (term.op === OP.EQ) return holds && (isSide(left, right) || isSide(right, left))
  return term.op === OP.LT && (holds ? isSide(right, left) : isSide(left, right))
}
