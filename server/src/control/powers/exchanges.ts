/** Whether what a function takes is as much as what it gives in the same call, by the form of both. */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import { areContradictory, type Fact, includesAll } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { mayHit } from '../code/hits.ts'
import { OP } from '../code/instructions.ts'
import { JOIN } from '../code/joins.ts'
import { selectorPassed } from '../code/passed-input.ts'
import { type Key, keyOf, positionOf } from '../code/positions.ts'
import { isAccount, type Term, withoutMask } from '../code/terms.ts'
import { isPaid, isTaken, isZero } from './acts.ts'
import { amountOf, isAtLeast, isCovered, type Ratio } from './amounts.ts'
import { accountsNamed } from './free-amounts.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import { mentions, type Table } from './guards.ts'
import { ratioTo, SAME } from './proportions.ts'
import { remembered } from './remembered.ts'
import { isBalance, isPermit, tokenCallOf } from './token-calls.ts'

/** Something that a function gives. */
export type Given = {
  readonly act: PowerEffect
  readonly effect: RawEffect
  /** How much; undefined where it is not known. */
  readonly amount: Term | undefined
  /** The caller may not choose all of it. */
  readonly isPartial?: true
}

const companionsIn = remembered((effects: readonly RawEffect[]) =>
  remembered((effect: RawEffect) =>
    effects.filter((other) => other !== effect && !areContradictory(effect.facts, other.facts)),
  ),
)

/** What one call may do together with it. */
export const companions = ({ effect }: Given, { effects }: Pick<CodeFunction, 'effects'>): readonly RawEffect[] =>
  companionsIn(effects)(effect)

/** A store that takes from an entry, or clears it. */
export const isLess = ({ kind, subject, value }: RawEffect): boolean =>
  kind === 'store' && value !== undefined && (isTaken(value) || isCleared(value, subject))

/** Something that the caller may lose by it. */
export const isCost = remembered((effect: RawEffect): boolean => {
  const { kind, op, value } = effect
  if (kind === 'delegatecall' || kind === 'create') return true
  if (kind === 'store') return isLess(effect) || (value !== undefined && mentions(value, isPaid))
  if (kind !== 'call' || op === OP.STATICCALL) return false
  const moved = tokenCallOf(effect)
  if (moved !== undefined) return moved.isNamed
  // Ether that is sent is no cost.
  return selectorPassed(effect.passed) !== undefined || isZero(effect.amount)
})

/** Whether a cost is as much as what is given. The rate between different things is not judged. */
export const isPrice = (cost: RawEffect, given: Given, others: readonly RawEffect[]): boolean =>
  priceOf(cost, given, others) !== undefined

/** How much of a cost is given; undefined if the cost is no price for it. `rate`: the form of both does not show how much. */
export function priceOf(cost: RawEffect, given: Given, others: readonly RawEffect[]): Ratio | 'rate' | undefined {
  if (given.act === 'execute' || isOfOtherAsset(cost, given) || isReadBefore(cost, given)) return undefined
  if (cost.kind === 'store') {
    const isSure = cost.isCertain === true || includesAll(given.effect.facts, cost.facts)
    if (!isSure) return undefined
    if (isReplaced(cost, given)) return SAME
    if (!isRightful(cost, given, others)) return undefined
    if (isLess(cost)) return isBounded(cost, given) ? ratioToEntry(cost, given) : undefined
    return isUsedUp(cost, given) ? 'rate' : undefined
  }
  if (given.act !== 'mint') return returnedFor(cost, given)
  if (isOfOthers(cost) || isPaidElsewhere(cost) || isPermit(cost) || !isMadeWith(cost, given, others)) return undefined
  if (cost.kind !== 'call') return 'rate'
  const moved = tokenCallOf(cost)?.amount
  if (moved !== undefined) return ratioIn(given, [moved], cost)
  const passed = cost.passed?.map(({ term }) => term) ?? []
  return passed.some((term) => ratioIn(given, [term], cost) !== undefined) ? 'rate' : undefined
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
function returnedFor(cost: RawEffect, given: Given): Ratio | 'rate' | undefined {
  const moved = tokenCallOf(cost)
  const isPulled = moved?.from !== undefined && moved.to !== undefined && withoutMask(moved.to).kind === 'self'
  if (!isPulled || cost.subject !== given.effect.subject || moved.amount === undefined) return undefined
  return ratioIn(given, [moved.amount], cost)
}

/** Tokens of an account that the caller names, or for one that it names: the caller pays nothing. */
function isOfOthers(cost: RawEffect): boolean {
  const moved = tokenCallOf(cost)
  if (moved?.isNamed !== true) return false
  const isNamed = (account: Term | undefined): boolean => account !== undefined && withoutMask(account).kind === 'input'
  return isNamed(moved.from) || isNamed(moved.to)
}

/** Whether a call that gives something and ends has made another one too, and that one has not failed. */
function isMadeWith(cost: RawEffect, { effect }: Given, others: readonly RawEffect[]): boolean {
  const isEnd = ({ kind, facts }: RawEffect): boolean => kind === 'exit' && !areContradictory(effect.facts, facts)
  const ends = others.filter(isEnd)
  const isChecked = (facts: readonly Fact[]): boolean =>
    facts.some(
      ({ term, holds }) => mentions(term, (part) => isSuccessOf(part, cost)) && (holds || !isSuccessOf(term, cost)),
    )
  if (tokenCallOf(cost) !== undefined && !isChecked(effect.facts) && !ends.every(({ facts }) => isChecked(facts)))
    return false
  return includesAll(effect.facts, cost.facts) || ends.every(({ facts }) => includesAll(facts, cost.facts))
}

/** Whether a term is the success of a call. */
export const isSuccessOf = ({ kind, tag }: Term, { at, blocks }: RawEffect): boolean =>
  kind === 'returned' && tag.startsWith('success:') && blocks.some((block) => tag === `success:${block}.${at}`)

/** Whether the caller names the asset that is paid, or given, and neither the entry nor a condition is about that asset. */
function isOfOtherAsset(cost: RawEffect, { act, effect }: Given): boolean {
  const [moved, entry] = act === 'mint' ? [cost, effect] : [effect, cost]
  if (moved.kind !== 'call' || entry.kind !== 'store' || tokenCallOf(moved) === undefined) return false
  const asset = withoutMask(moved.subject)
  if (asset.kind !== 'input') return false
  const keys = new Set([keyOf(asset), keyOf(moved.subject)])
  const isAbout = (position: Term, facts: readonly Fact[]): boolean => {
    const found = positionOf(position, facts)
    return found.type !== 'table' || found.keys.some((key) => keys.has(key))
  }
  if (isAbout(entry.subject, entry.facts)) return false
  const isAsked = (part: Term): boolean => part === asset || part === moved.subject
  return ![...cost.facts, ...effect.facts].some(
    ({ term, holds }) =>
      mentions(term, ({ kind, args: [at] }) => kind === 'stored' && at !== undefined && isAbout(at, [])) ||
      (holds && term.op === OP.EQ && term.args.some(isAsked) && !term.args.every((arg) => mentions(arg, isAsked))),
  )
}

/** Whether what was stored for an account is read before another entry of the same mapping shrinks, which may be the same one. */
function isReadBefore(cost: RawEffect, { act, effect }: Given): boolean {
  const { subject, value, epoch, facts } = effect
  if (act !== 'mint' || cost.kind !== 'store' || cost.subject === subject || value === undefined) return false
  const [from, to] = [positionOf(cost.subject, cost.facts), positionOf(subject, facts)]
  if (from.type !== 'table' || to.type !== 'table' || from.base !== to.base || !mayHit(from, to)) return false
  const areOthers = facts.some(
    ({ term: { op, args }, holds }) =>
      !holds && op === OP.EQ && [from, to].every(({ keys }) => args.some((arg) => keys.includes(keyOf(arg)))),
  )
  return (
    !areOthers && mentions(value, ({ kind, args: [at], tag }) => kind === 'stored' && at === subject && tag !== epoch)
  )
}

/** Tokens that another account than the contract gets: units cost that account nothing. */
function isPaidElsewhere(cost: RawEffect): boolean {
  const moved = tokenCallOf(cost)
  return moved?.isNamed === true && moved.to !== undefined && withoutMask(moved.to).kind !== 'self'
}

/** Whether a higher payment takes the place of the one that is given back, as in an auction. */
function isReplaced({ subject, value, facts }: RawEffect, { amount, effect }: Given): boolean {
  const isStored = (term: Term | undefined): boolean => term?.kind === 'stored' && term.args[0] === subject
  if (value === undefined || amount === undefined || !isPaid(value) || !isStored(amountOf(amount).term)) return false
  return [...facts, ...effect.facts].some(
    ({ term: { op, args }, holds }) =>
      holds && op === OP.LT && isStored(args[0]) && args[1] !== undefined && isPaid(args[1]),
  )
}

/**
 * Whether an entry records what was given before, such as what an account has claimed: the amount is the difference between a
 * part of another entry of the account and what is stored there, and then nothing is left.
 */
function isUsedUp({ subject, value, facts }: RawEffect, { amount, effect }: Given): boolean {
  const record = positionOf(subject, facts)
  if (amount === undefined || value === undefined || record.type !== 'table') return false
  const known = [...facts, ...effect.facts]
  const isStored = (term: Term): boolean => {
    const { term: part } = amountOf(term)
    return part.kind === 'stored' && part.args[0] === subject
  }
  return mentions(amount, (part) => {
    const [whole, before] = part.args
    if (part.kind !== 'operation' || part.op !== OP.SUB || whole === undefined || before === undefined) return false
    if (!isStored(before) || ratioTo(amount, part, known) === undefined) return false
    const difference = { difference: part, from: amountOf(whole), taken: amountOf(before) }
    if (!isCovered(difference, known)) return false
    if (entriesBehind(whole, known).every(({ keys }) => keys[0] !== record.keys[0])) return false
    const isSum =
      value.op === OP.ADD && value.args.some(isStored) && value.args.some((arg) => arg === part || arg === amount)
    return isSum || amountOf(value).term === amountOf(whole).term
  })
}

/** Entries of which an amount is a part, at a rate that is no constant: without them it is nothing. */
export function entriesBehind(amount: Term, facts: readonly Fact[]): readonly Table[] {
  return [...new Set(partsOf(amount))].flatMap((part) => {
    const position = part.kind === 'stored' ? positionOf(part.args[0] as Term, facts) : undefined
    if (position?.type !== 'table') return []
    const ratio = ratioTo(amount, part, facts)
    return ratio === undefined || ratio.rates.length === 0 ? [] : [position]
  })
}

/** How much of what an entry loses is given: the number that is taken from it, or those of its bits that are cleared. */
function ratioToEntry(cost: RawEffect, given: Given): Ratio | 'rate' | undefined {
  const { subject, value, facts } = cost
  const [left, right] = value?.args ?? []
  if (value === undefined || given.amount === undefined) return undefined
  if (value.op === OP.SUB && right !== undefined) return ratioIn(given, [right], cost)
  if (isTaken(value) && left !== undefined) {
    const { kind, value: times } = given.amount
    return kind === 'constant' ? { times, per: WORDS - left.value, rates: [] } : undefined
  }
  const known = [...facts, ...given.effect.facts]
  const kept = value.kind === 'constant' ? value.value : left?.kind === 'constant' ? left.value : WORDS - 1n
  const isLost = (part: Term): boolean => {
    const { term, shift, bits } = amountOf(part)
    const isOfEntry = term.kind === 'stored' && term.args[0] === subject
    return isOfEntry && ((kept >> BigInt(shift)) & ((1n << BigInt(bits)) - 1n)) === 0n
  }
  let ratio: Ratio | undefined
  mentions(given.amount, (part) => {
    if (isLost(part)) ratio ??= ratioTo(given.amount as Term, part, known)
    return ratio !== undefined
  })
  return ratio
}

/** How many numbers a word can be. */
const WORDS = 1n << 256n

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
  if (isOwnEntry(cost, given, others)) return true
  if (given.act === 'mint') return isOfSameAccount(cost, given.effect)
  const to = recipientOf(given.effect)
  return to !== undefined && isItsAccount(to, cost)
}

/** Whether two entries have the same first key. */
function isOfSameAccount(one: RawEffect, other: RawEffect): boolean {
  const [a, b] = [positionOf(one.subject, one.facts), positionOf(other.subject, other.facts)]
  return a.type === 'table' && b.type === 'table' && a.keys[0] === b.keys[0]
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

/** How much of what is taken is given. */
function ratioIn({ amount, effect }: Given, taken: readonly Term[], { facts }: RawEffect): Ratio | 'rate' | undefined {
  if (amount === undefined) return undefined
  const own = partsOf(amount)
  const known = [...facts, ...effect.facts]
  for (const term of taken) {
    const ratio = ratioTo(amount, term, known)
    if (ratio !== undefined) return ratio
  }
  const parts = new Set(taken.flatMap((term) => partsOf(term)))
  // A number that the caller chooses for one of both alone makes it as small or as large as the caller likes.
  const isOfBoth = (part: Term): boolean => part.kind !== 'input' || (own.includes(part) && parts.has(part))
  const isAnswer = ({ kind, tag }: Term): boolean => kind === 'returned' || (kind === 'opaque' && !tag.includes(JOIN))
  const all = [...own, ...parts]
  return all.every((part) => isOfBoth(part) && !isNamedAnswer(part)) && all.some(isAnswer) ? 'rate' : undefined
}

/** What a contract of the caller's choice answers, other than a token about balances. */
const isNamedAnswer = (part: Term): boolean =>
  part.kind === 'returned' &&
  part.args[0] !== undefined &&
  withoutMask(part.args[0]).kind === 'input' &&
  !isBalance(part)

/** The values that a term is computed from. */
function partsOf(term: Term, found: Term[] = [], depth = 0): readonly Term[] {
  if (term.kind !== 'operation') {
    if (term.kind !== 'constant') found.push(term)
  } else if (depth < 12) for (const arg of term.args) partsOf(arg, found, depth + 1)
  return found
}
