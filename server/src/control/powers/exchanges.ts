/** Whether what a function takes is as much as what it gives in the same call, by the form of both. */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import { areContradictory, type Fact, includesAll } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { selectorPassed } from '../code/passed-input.ts'
import { type Key, keyOf, positionOf } from '../code/positions.ts'
import { isAccount, type Term, withoutMask } from '../code/terms.ts'
import { isPaid, isTaken, isZero } from './acts.ts'
import { amountOf, isAtLeast, isCovered } from './amounts.ts'
import { accountsNamed } from './free-amounts.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import { mentions } from './guards.ts'
import { tokenCallOf } from './token-calls.ts'

/** Something that a function gives. */
export type Given = {
  readonly act: PowerEffect
  readonly effect: RawEffect
  /** How much; undefined where it is not known. */
  readonly amount: Term | undefined
  /** The caller may not choose all of it. */
  readonly isPartial?: true
}

/** What one call may do together with it. */
export const companions = ({ effect }: Given, { effects }: Pick<CodeFunction, 'effects'>): readonly RawEffect[] =>
  effects.filter((other) => other !== effect && !areContradictory(effect.facts, other.facts))

/** A store that takes from an entry, or clears it. */
export const isLess = ({ kind, subject, value }: RawEffect): boolean =>
  kind === 'store' && value !== undefined && (isTaken(value) || isCleared(value, subject))

/** Something that the caller may lose by it. */
export function isCost(effect: RawEffect): boolean {
  const { kind, op, value } = effect
  if (kind === 'delegatecall' || kind === 'create') return true
  if (kind === 'store') return isLess(effect) || (value !== undefined && mentions(value, isPaid))
  if (kind !== 'call' || op === OP.STATICCALL) return false
  const moved = tokenCallOf(effect)
  if (moved !== undefined) return moved.isNamed
  // Ether that is sent is no cost.
  return selectorPassed(effect.passed) !== undefined || isZero(effect.amount)
}

/** Whether a cost is as much as what is given. The rate between different things is not judged. */
export function isPrice(cost: RawEffect, given: Given, others: readonly RawEffect[]): boolean {
  if (given.act === 'execute') return false
  if (cost.kind === 'store') {
    const isSure = cost.isCertain === true || includesAll(given.effect.facts, cost.facts)
    return isSure && isLess(cost) && isBounded(cost, given) && isEnough(cost, given) && isRightful(cost, given, others)
  }
  if (given.act !== 'mint') return isReturned(cost, given)
  if (isOfOthers(cost) || isPaidElsewhere(cost) || !isMadeWith(cost, given, others)) return false
  const passed = cost.passed?.map(({ term }) => term) ?? []
  return cost.kind !== 'call' || passed.some((term) => isRelated(given.amount, [term]))
}

/** Whether an entry holds what a store takes from it, and the same number has not fewer bits there than where it is given. */
function isBounded({ value, facts }: RawEffect, { effect, amount }: Given): boolean {
  const [from, less] = value?.args ?? []
  if (value?.op !== OP.SUB || from === undefined || less === undefined) return true
  const [taken, known] = [amountOf(less), [...facts, ...effect.facts]]
  const given = amount === undefined ? undefined : amountOf(amount)
  const isSame = given?.term === taken.term && given.shift === taken.shift
  if (isSame && !isAtLeast(taken, given, known)) return false
  return isCovered({ difference: value, from: amountOf(from), taken }, known)
}

/** Tokens that the caller sends to the contract, of the kind that the contract sends. */
function isReturned(cost: RawEffect, { effect, amount }: Given): boolean {
  const moved = tokenCallOf(cost)
  const isPulled = moved?.from !== undefined && moved.to !== undefined && withoutMask(moved.to).kind === 'self'
  return isPulled && cost.subject === effect.subject && moved.amount !== undefined && isRelated(amount, [moved.amount])
}

/** Tokens of an account that the caller names, or for one that it names: the caller pays nothing. */
function isOfOthers(cost: RawEffect): boolean {
  const moved = tokenCallOf(cost)
  if (moved?.isNamed !== true) return false
  const isNamed = (account: Term | undefined): boolean => account !== undefined && withoutMask(account).kind === 'input'
  return isNamed(moved.from) || isNamed(moved.to)
}

/** Whether a call that gives something and ends has made another one too. */
function isMadeWith(cost: RawEffect, { effect }: Given, others: readonly RawEffect[]): boolean {
  const isEnd = ({ kind, facts }: RawEffect): boolean => kind === 'exit' && !areContradictory(effect.facts, facts)
  return (
    includesAll(effect.facts, cost.facts) || others.filter(isEnd).every(({ facts }) => includesAll(facts, cost.facts))
  )
}

/** Tokens that another account than the contract gets: units cost that account nothing. */
function isPaidElsewhere(cost: RawEffect): boolean {
  const moved = tokenCallOf(cost)
  return moved?.isNamed === true && moved.to !== undefined && withoutMask(moved.to).kind !== 'self'
}

/** Whether an entry shrinks by what is given, or by what it is computed from. */
const isEnough = (cost: RawEffect, { amount }: Given): boolean => isRelated(amount, takenFrom(cost))

/** What a store takes, and where from. */
function takenFrom({ subject, value }: RawEffect): readonly Term[] {
  const taken = value?.kind === 'operation' && value.op === OP.SUB ? value.args[1] : undefined
  return taken === undefined ? [subject] : [taken, subject]
}

/** Whether an amount is what a store takes, or what was stored there, as far as both are known. */
export function isSource({ amount }: Given, cost: RawEffect): boolean {
  if (amount === undefined) return false
  const taken = takenFrom(cost)
  const parts = new Set(taken.flatMap((term) => partsOf(term)).filter(({ kind }) => kind !== 'opaque'))
  return partsOf(amount).some(
    (part) => parts.has(part) || (part.kind === 'stored' && taken.includes(part.args[0] as Term)),
  )
}

/** Whether an entry pays for something of the caller, or its own account is paid. */
function isRightful(cost: RawEffect, given: Given, others: readonly RawEffect[]): boolean {
  const to = given.act === 'move_funds' ? recipientOf(given.effect) : undefined
  return isOwnEntry(cost, given, others) || (to !== undefined && isItsAccount(to, cost))
}

/** The account that a call sends tokens or ether to; undefined for another call. */
export function recipientOf(effect: RawEffect): Term | undefined {
  if (effect.kind !== 'call' || effect.op === OP.STATICCALL) return undefined
  if (effect.amount !== undefined && !isZero(effect.amount)) return effect.subject
  const moved = tokenCallOf(effect)
  // Tokens of the caller are its own.
  return moved?.from !== undefined && isAccount(withoutMask(moved.from)) ? undefined : moved?.to
}

/** Whether an account is the one that an entry belongs to, or is stored in the same struct. */
export function isItsAccount(account: Term, { subject, facts }: RawEffect): boolean {
  const position = positionOf(subject, facts)
  if (position.type !== 'table') return false
  const known = withoutMask(account)
  if ([account, known].some((each) => position.keys.includes(keyOf(each)))) return true
  const from = known.kind === 'stored' ? positionOf(known.args[0] as Term, facts) : undefined
  return from?.type === 'table' && from.base === position.base && from.keys.join() === position.keys.join()
}

/** Whether an entry belongs to the caller, to an account that lets the caller use it, or to an item that the caller owns. */
export function isOwnEntry(cost: RawEffect, given: Given, others: readonly RawEffect[]): boolean {
  const position = positionOf(cost.subject, cost.facts)
  if (position.type !== 'table') return false
  if (position.keys[0] === 'caller') return true
  const own = new Set<Key>([...cost.facts, ...given.effect.facts].flatMap(keysOfCaller))
  if (position.keys.some((key) => own.has(key))) return true
  const isAllowance = (term: Term, facts: readonly Fact[]): boolean => {
    const allowance = positionOf(term, facts)
    // An allowance at the hash of both accounts and a seed.
    if (allowance.type !== 'table') return term.hasCaller
    const [owner, spender] = allowance.keys
    return owner === position.keys[0] && spender === 'caller'
  }
  return (
    others.some((spent) => isLess(spent) && isAllowance(spent.subject, spent.facts)) ||
    cost.facts.some(({ term }) =>
      mentions(term, ({ kind, args: [at] }) => kind === 'stored' && at !== undefined && isAllowance(at, cost.facts)),
    )
  )
}

/** The keys that a condition shows to be the caller, or to name what the caller owns. */
function keysOfCaller(fact: Fact): readonly Key[] {
  return accountsNamed(fact).flatMap((account) => {
    const owner = withoutMask(account)
    const position = owner.kind === 'stored' ? positionOf(owner.args[0] as Term, []) : undefined
    return position?.type === 'table' ? position.keys.filter((key) => !key.startsWith('0x')) : [keyOf(account)]
  })
}

/** Whether an amount is computed from a part of others, or may be. A position stands for what was stored there. */
function isRelated(amount: Term | undefined, taken: readonly Term[]): boolean {
  if (amount === undefined) return true
  const parts = new Set(taken.flatMap((term) => partsOf(term)))
  const isUnclear = ({ kind }: Term): boolean => kind === 'opaque' || kind === 'returned'
  const own = partsOf(amount)
  // A fixed amount has a fixed price.
  if (own.length === 0) return taken.some(({ kind, value }) => kind === 'constant' && value !== 0n)
  if (own.some(isUnclear) || [...parts].some(isUnclear)) return true
  // A number that the caller chooses for one of both alone makes it as small or as large as the caller likes.
  const isOfBoth = (part: Term): boolean => part.kind !== 'input' || (own.includes(part) && parts.has(part))
  if (![...own, ...parts].every(isOfBoth)) return false
  return own.some((part) => parts.has(part) || (part.kind === 'stored' && taken.includes(part.args[0] as Term)))
}

/** The values that a term is computed from. */
function partsOf(term: Term, found: Term[] = [], depth = 0): readonly Term[] {
  if (term.kind !== 'operation') {
    if (term.kind !== 'constant') found.push(term)
  } else if (depth < 12) for (const arg of term.args) partsOf(arg, found, depth + 1)
  return found
}
