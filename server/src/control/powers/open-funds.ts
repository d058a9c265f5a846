/**
 * What every caller can take: assets and units that a function which is open to all gives away.
 *
 * A function that takes as much from an entry of the caller, or from its payment, gives nothing away. One that gives what the
 * caller chooses, and neither takes anything nor asks for anything that a caller may lack, is a power of every caller. What is
 * limited or paid for in another form is not judged: it is not known who may have it.
 */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Fact } from '../code/conditions.ts'
import type { Dataflow, RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { JOIN } from '../code/joins.ts'
import { COPIED } from '../code/passed-input.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { isAccount, type Term, withoutMask } from '../code/terms.ts'
import { type Context, isAt, isChosen, isFromCaller, isPaid, isZero } from './acts.ts'
import { amountOf, isCovered } from './amounts.ts'
import { isForOthers } from './authorities.ts'
import { type Call, isAboveCredit, pricesOf } from './credit-rates.ts'
import { companions, type Given, isCost, isItsAccount, isLess, isOwnEntry, priceOf, recipientOf } from './exchanges.ts'
import { isEtherAsked, isLarge, isRecorded, isTakenFromOthers } from './free-amounts.ts'
import { type CodeFunction, lockSlots } from './functions.ts'
import { entriesOf, givenBy, mayBeOpen } from './given.ts'
import { type Guard, guardsOf, isChange, mentions } from './guards.ts'
import { pathsApart } from './paths-apart.ts'
import { isMetByAll } from './plain-conditions.ts'
import { largeFactors, textOf } from './proportions.ts'
import { isPaidOnce } from './shared-payments.ts'
import { isOwnBalance, tokenCallOf } from './token-calls.ts'

/** `payment`: what it takes in return is not understood. `guards`: only these accounts have it. */
export type Opening = { readonly act: PowerEffect; readonly who: 'any' | 'payment'; readonly guards?: readonly Guard[] }

/** The functions of one code. `credits`: see `creditsOf`. */
export type Code = { readonly flow: Dataflow; readonly context: Context; readonly credits: readonly Position[] }

/** What every caller, or callers that are not known, may have of a function. */
export function openFunds(each: CodeFunction, code: Code): readonly Opening[] {
  if (!mayBeOpen(each)) return []
  const { context, credits } = code
  const isOpen = ({ effect }: Given): boolean => each.accessAtAny([effect]).type === 'open'
  const taken = takenBy(each, context)
  // Units that are taken from others and given on are no new ones.
  const given = givenBy(each, context, taken.length === 0 ? credits : [])
  // A list of accounts that pay nothing.
  const isListed = ({ effect }: Given): boolean => {
    const reached = each.accessAtAny([effect])
    return reached.type === 'guarded' && reached.guards.every(({ type }) => type === 'member')
  }
  const judged = [...given, ...taken]
    .filter((one) => isOpen(one) || isListed(one))
    .flatMap((one): readonly Opening[] => {
      const { act } = one
      const isTwice = context.isBatched && one.amount !== undefined && mentions(one.amount, isPaid)
      const who = judge(one, each, context)
      if (who === undefined && isTwice) return [{ act, who: 'payment' }]
      if (who === undefined && isPaidOnce(one, given, each)) return []
      return openOnPaths(one, each, code) ?? [{ act, who: who ?? 'payment' }]
    })
  const lost = each.effects.filter((effect) => isLost(each, effect, entriesOf(credits, context)))
  const named = [...recipientsNamed(each, context), ...lost.map(asTaken)].filter(
    (one) => isOpen(one) && judge(one, each, context) === 'any',
  )
  const isOpenTo = (effect: RawEffect): boolean => each.accessAtAny([effect]).type === 'open'
  if (each.effects.some((effect) => isTakenElsewhere(each, effect, entriesOf(credits, context)) && isOpenTo(effect)))
    judged.push({ act: 'move_funds', who: 'payment' })
  if (each.effects.some((effect) => isForOthers(effect, each, context, credits) && isOpenTo(effect)))
    judged.push({ act: 'move_funds', who: 'payment' })
  const best = new Map<PowerEffect, Opening>()
  for (const opening of [...judged, ...named.map(({ act }): Opening => ({ act, who: 'any' }))])
    if (opening.guards === undefined && best.get(opening.act)?.who !== 'any') best.set(opening.act, opening)
  return [...best.values(), ...reservedIn(judged)]
}

/** One opening for all paths on which the same accounts are paid. */
function reservedIn(openings: readonly Opening[]): readonly Opening[] {
  const reserved = openings.filter(({ guards }) => guards !== undefined)
  return [...new Map(reserved.map((each) => [JSON.stringify([each.act, each.guards]), each])).values()]
}

/** Paths have met with different values in it. */
export const isUnclear = (amount: Term | undefined): boolean =>
  amount !== undefined && mentions(amount, ({ kind, tag }) => kind === 'opaque' && tag.includes(JOIN))

/** Whether paths have met with different amounts, or a loop has copied them. */
function isJoined(given: Given, effects: readonly RawEffect[]): boolean {
  if ((given.amount === undefined && given.act !== 'execute') || isUnclear(given.amount)) return true
  return companions(given, { effects }).some((cost) => {
    const moved = tokenCallOf(cost)
    return moved === undefined ? isUnclear(cost.value) : moved.amount === undefined || isUnclear(moved.amount)
  })
}

/** The calls of a function, or all as one: on each of its paths where amounts differ between them; undefined where these are not followed. */
function callsOf(each: CodeFunction, { flow, context, credits }: Code): readonly Call[] | undefined {
  const given = givenBy(each, context, credits)
  if (!given.some((one) => isJoined(one, each.effects))) return [{ given, effects: each.effects }]
  return pathsApart(flow, each)?.map(({ effects }) => ({
    effects,
    given: givenBy({ ...each, effects }, context, credits),
  }))
}

/** What an effect gives on each path of a function; undefined where its paths are not followed apart. */
function openOnPaths({ act, effect: { at } }: Given, each: CodeFunction, code: Code): readonly Opening[] | undefined {
  const calls = callsOf(each, code)
  if (calls === undefined || calls.length < 2) return undefined
  const ratios = new Set<string>()
  const found = calls.flatMap(({ given, effects }): readonly Opening[] =>
    given
      .filter((one) => one.act === act && one.effect.at === at && !isZero(one.amount) && !isBeyond(one, effects))
      .flatMap((one): readonly Opening[] => {
        if (act === 'mint') for (const { ratio } of pricesOf(one, effects)) ratios.add(textOf(ratio))
        // A path is followed round by round.
        const on = { ...each, effects, mayRepeat: () => false }
        const who = judge(one, on, code.context) ?? (isPaidOnce(one, given, on) ? undefined : 'payment')
        if (who === undefined) return []
        const guards = guardsOf(each.accessAtAny([one.effect]))
        const isReserved = guards.length > 0 && guards.every(({ type }) => type !== 'member')
        return [{ act, who, ...(isReserved && { guards }) }]
      }),
  )
  // More for the same payment on one path than on others.
  return ratios.size > 1 ? [...found, { act, who: 'payment' }] : found
}

/** Whether a path needs an amount that no account has: at a rate of the contract, it is larger than the largest number. */
function isBeyond(given: Given, effects: readonly RawEffect[]): boolean {
  const { amount, effect } = given
  const taken = companions(given, { effects }).map(
    (cost) => tokenCallOf(cost)?.amount ?? (isLess(cost) ? cost.value?.args[1] : undefined),
  )
  return effect.facts.some((fact) => {
    const factors = largeFactors(fact) ?? []
    const isAmount = (factor: Term): boolean => factor === amount || taken.includes(factor)
    return factors.some(isAmount) && factors.some((factor) => !isAmount(factor) && !isFromCaller(factor))
  })
}

/** The calls of all functions that are open. */
export const openCalls = (functions: readonly CodeFunction[], code: Code): readonly Call[] =>
  functions.filter(mayBeOpen).flatMap((each) => callsOf(each, code) ?? [])

const asTaken = (effect: RawEffect): Given => ({ act: 'move_funds', effect, amount: undefined })

/** Stores of accounts to which functions send assets. */
const recipientsNamed = ({ effects }: CodeFunction, { paid }: Context): readonly Given[] =>
  effects.flatMap((effect) => {
    const position = effect.kind === 'store' ? positionOf(effect.subject, effect.facts) : undefined
    const isPaid = position?.type === 'slot' && paid.some((slot) => isAt(position, slot))
    const { value } = effect
    const isNamed = value !== undefined && (isFromCaller(value) || mentions(value, isAccount))
    return isPaid && isNamed ? [asTaken(effect)] : []
  })

/** Units of accounts that the caller names. */
function takenBy({ effects }: CodeFunction, { amounts }: Context): readonly Given[] {
  const concernsCaller = ({ kind, subject, facts }: RawEffect): boolean =>
    (kind === 'store' && subject.hasCaller) || facts.some(({ term }) => term.hasCaller)
  if (effects.some(concernsCaller)) return []
  return effects
    .filter((effect) => isTakenFromOthers(effect, amounts))
    .map((effect) => ({ act: 'move_funds', effect, amount: effect.value?.args[1] }))
}

/** Whether an account loses what it has in an entry, and nothing is paid for it. */
export function isLost({ effects }: CodeFunction, effect: RawEffect, entries: readonly Position[]): boolean {
  const position = isLess(effect) ? positionOf(effect.subject, effect.facts) : undefined
  if (position?.type !== 'table' || position.keys.includes('caller')) return false
  const isPaying = ({ kind, op }: RawEffect): boolean => kind === 'call' && op !== OP.STATICCALL
  return entries.some((table) => isAt(position, table)) && !effects.some(isPaying)
}

/** Whether an account that does not call loses what it has in an entry, and another one than it and the caller is paid. */
export function isTakenElsewhere(each: CodeFunction, effect: RawEffect, entries: readonly Position[]): boolean {
  const position = isLess(effect) ? positionOf(effect.subject, effect.facts) : undefined
  if (position?.type !== 'table' || !entries.some((table) => isAt(position, table))) return false
  const others = companions(asTaken(effect), each)
  if (isOwnEntry(effect, asTaken(effect), others)) return false
  return others.some((other) => {
    const to = recipientOf(other)
    return to !== undefined && withoutMask(to).kind !== 'caller' && !isItsAccount(to, effect)
  })
}

/** Who may have what is given; undefined: only accounts that give as much for it. `isMet`: what every caller must be able to do. */
export function judge(
  given: Given,
  { effects }: CodeFunction,
  { rates, amounts }: Context,
  isMet = isMetByAll,
): Opening['who'] | undefined {
  const { act, effect, amount, isPartial } = given
  const isMint = act === 'mint'
  const others = companions(given, { effects })
  // The contract does not keep ether that it sends on, and the caller does not choose the rate.
  if (isMint && amount !== undefined && mentions(amount, isPaid))
    return others.some(sendsEther) || mentions(amount, isInput) ? 'payment' : undefined
  if (!isMint && amount !== undefined && isWithinPayment(amount, effect.facts)) return undefined
  if (isZero(amount)) return undefined
  if (isMint && amount !== undefined && isSmall(amount) && isIn(amounts, effect)) return undefined
  // What was recorded before is not judged.
  if (effect.facts.some(isRecorded)) return undefined
  const costs = others.filter(isCost)
  const isPaidFor = (cost: RawEffect): boolean => {
    const price = priceOf(cost, given, others)
    return price !== undefined && (price === 'rate' || !isAboveCredit(cost, given, price, rates))
  }
  if (others.some((other) => (other.kind === 'store' || costs.includes(other)) && isPaidFor(other))) return undefined
  // What a function computes from its storage, and the time, may be had again and again.
  if (amount !== undefined && isByRules(given)) return 'payment'
  const isAnyAmount = amount === undefined || isFromCaller(amount)
  if (isMint && effect.facts.some((fact) => isEtherAsked(fact, isAnyAmount))) return undefined
  // A loop may add what it has taken.
  const isFree = costs.length === 0 && isPartial !== true && !isLimited(given) && !isUnclear(amount)
  const locks = lockSlots(effects.filter(isChange))
  if (isFree && isMet(given.effect, effects, locks)) return 'any'
  const isExcused = act === 'execute' && !isInputPassed(effect) && !isChosen(effect.subject, effect.facts)
  return isExcused ? undefined : 'payment'
}

const isInput = ({ kind }: Term): boolean => kind === 'input'

/** A fixed amount, such as a fee, need not be kept. */
const sendsEther = ({ kind, amount }: RawEffect): boolean =>
  kind === 'call' && amount !== undefined && amount.kind !== 'constant'

const isIn = (tables: readonly Position[], { subject, facts }: RawEffect): boolean =>
  tables.some((table) => isAt(positionOf(subject, facts), table))

/** A few units, such as an item. */
const isSmall = (amount: Term): boolean => amount.kind === 'constant' && !isLarge(amount)

/** An amount that the caller does not choose, and that is neither fixed nor all that the contract has. */
function isByRules({ act, amount }: Given): boolean {
  if (amount === undefined || isFromCaller(amount)) return false
  return act === 'mint' ? !isLarge(amount) : amount.kind !== 'constant' && !mentions(amount, isOwnBalance)
}

/** Whether a call passes bytes of the input, its selector among them. */
function isInputPassed({ passed: [first] = [], isSizeChosen, subject, facts }: RawEffect): boolean {
  if (isSizeChosen === true && !isChosen(subject, facts)) return true
  return first !== undefined && (first.term.kind === 'input' || first.term.tag.startsWith(COPIED))
}

/** No more than the caller sends. */
function isWithinPayment(amount: Term, facts: readonly Fact[]): boolean {
  const [left, right] = amount.args
  if (isPaid(amount) || left === undefined || right === undefined) return isPaid(amount)
  const difference = { difference: amount, from: amountOf(left), taken: amountOf(right) }
  if (amount.kind !== 'operation' || amount.op !== OP.SUB || !isPaid(left)) return false
  return !mentions(right, isInput) || isCovered(difference, facts)
}

/** An amount that the caller does not choose. */
function isLimited({ act, amount }: Given): boolean {
  if (act === 'execute' || amount === undefined || isFromCaller(amount)) return false
  return !(isLarge(amount) && (act === 'mint' || isUnlimited(amount))) && !mentions(amount, isOwnBalance)
}

const isUnlimited = ({ kind, value }: Term): boolean => kind === 'constant' && value >> 128n !== 0n
