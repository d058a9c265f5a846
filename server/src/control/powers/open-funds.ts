/**
 * What every caller can take: assets and units that a function which is open to all gives away.
 *
 * A function that takes as much from an entry of the caller, or from its payment, gives nothing away. One that gives what the
 * caller chooses, and neither takes anything nor asks for anything that a caller may lack, is a power of every caller. What is
 * limited or paid for in another form is not judged: it is not known who may have it.
 */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { COPIED, isForwarding } from '../code/passed-input.ts'
import { type Key, type Position, positionOf } from '../code/positions.ts'
import { isAccount, type Term, withoutMask } from '../code/terms.ts'
import {
  actsOf,
  type Context,
  chosenSlots,
  isAmountChange,
  isAt,
  isFromCaller,
  isPaid,
  isTaken,
  isZero,
} from './acts.ts'
import { companions, type Given, isCost, isLess, isPrice, isSource } from './exchanges.ts'
import { isEtherAsked, isLarge, isRecorded, isTakenFromOthers } from './free-amounts.ts'
import { type CodeFunction, isCleared, lockSlots } from './functions.ts'
import { isChange, mentions } from './guards.ts'
import { isMetByAll } from './plain-conditions.ts'
import { isOwnBalance, tokenCallOf } from './token-calls.ts'

/** `payment`: what it takes in return is not understood. */
export type Opening = { readonly act: PowerEffect; readonly who: 'any' | 'payment' }

/** What every caller, or callers that are not known, may have of a function. `credits`: see `creditsOf`. */
export function openFunds(each: CodeFunction, context: Context, credits: readonly Position[]): readonly Opening[] {
  if (!mayBeOpen(each)) return []
  const isOpen = ({ effect }: Given): boolean => each.accessAtAny([effect]).type === 'open'
  const taken = takenBy(each, context)
  // Units that are taken from others and given on are no new ones.
  const given = givenBy(each, context, taken.length === 0 ? credits : [])
  const found = [...given, ...taken].filter(isOpen)
  const judged = found.flatMap((given): readonly Opening[] => {
    const who = judge(given, each)
    return who === undefined ? [] : [{ act: given.act, who }]
  })
  const best = new Map<PowerEffect, Opening>()
  for (const opening of judged) if (best.get(opening.act)?.who !== 'any') best.set(opening.act, opening)
  return [...best.values()]
}

/** What an initializer gives is there at the start. */
export const mayBeOpen = ({ isView, isOnce, access }: CodeFunction): boolean =>
  !isView && !isOnce && access.type !== 'guarded'

/**
 * Tables whose entries functions give assets or units for: balances, shares of a deposit, what an account is owed. What is added
 * to them must be paid for too.
 */
export function creditsOf(functions: readonly CodeFunction[], context: Context): readonly Position[] {
  const open = functions.filter(mayBeOpen)
  let credits = context.amounts.filter(
    ({ type, ...table }) => type === 'table' && 'keys' in table && table.keys.length === 1,
  )
  for (;;) {
    const found = open.flatMap((each) =>
      givenBy(each, context, credits).flatMap((given) => {
        const taken = companions(given, each).filter((cost) => isLess(cost) && isSource(given, cost))
        const tables = [...taken, ...entriesIn(given)].flatMap(({ subject, facts }) => tableOf(subject, facts))
        // Of several entries that shrink, one must be paid for.
        return tables.some((table) => credits.some((known) => isAt(table, known))) ? [] : tables.slice(0, 1)
      }),
    )
    const added = found.filter((table) => !credits.some((known) => isAt(table, known)))
    if (added.length === 0) return credits
    credits = [...credits, ...new Map(added.map((table) => [JSON.stringify(table), table])).values()]
  }
}

/** The table of a position, unless its entries are allowances. */
function tableOf(subject: Term, facts: readonly Fact[]): readonly Position[] {
  const position = positionOf(subject, facts)
  if (position.type !== 'table' || (position.keys.length > 1 && position.keys.at(-1) === 'caller')) return []
  const keys = position.keys.map((key): Key => (key.startsWith('0x') ? key : '?0'))
  return [{ type: 'table', base: position.base, keys, member: position.member }]
}

/** Entries that an amount is. */
function entriesIn({ amount, effect: { facts } }: Given): readonly Pick<RawEffect, 'subject' | 'facts'>[] {
  const stored = amount === undefined ? undefined : withoutMask(amount)
  return stored?.kind === 'stored' ? [{ subject: stored.args[0] as Term, facts }] : []
}

export function givenBy({ effects }: CodeFunction, context: Context, credits: readonly Position[]): readonly Given[] {
  const own = { guards: [], chosen: chosenSlots(effects) }
  return effects.flatMap((effect): readonly Given[] => {
    if (effect.kind === 'store') return unitsIn(effect, credits)
    if (effect.kind === 'create')
      return actsOf(effect, context, own).map((act) => ({ act, effect, amount: effect.amount }))
    if (effect.kind !== 'call') return []
    const acts = actsOf(effect, context, own)
    if (acts.includes('execute'))
      return [{ act: 'execute', effect, amount: undefined, ...(isForwarding(effect.passed) && { isPartial: true }) }]
    return acts.includes('move_funds') ? assetsIn(effect) : []
  })
}

/** The ether or the tokens that a call sends. */
function assetsIn(effect: RawEffect): readonly Given[] {
  const moved = tokenCallOf(effect)
  if (moved === undefined || !isZero(effect.amount)) return [{ act: 'move_funds', effect, amount: effect.amount }]
  // The tokens of the caller are its own. Whose they are is not known where the words are not.
  const isOwn = moved.from !== undefined && isAccount(withoutMask(moved.from))
  if (isOwn || (moved.isNamed && moved.to === undefined)) return []
  const isKnown = moved.to !== undefined
  return [{ act: 'move_funds', effect, amount: moved.amount, ...(!isKnown && { isPartial: true }) }]
}

/** What a store adds to an entry, or sets it to. */
function unitsIn(effect: RawEffect, credits: readonly Position[]): readonly Given[] {
  const { subject, value, facts } = effect
  if (value === undefined || isTaken(value) || isCleared(value, subject)) return []
  const position = positionOf(subject, facts)
  if (position.type !== 'table' || !credits.some((table) => isAt(position, table))) return []
  const isBefore = (part: Term): boolean => part.kind === 'stored' && part.args[0] === subject
  if (!isAmountChange(effect)) return mentions(value, isBefore) ? [] : [{ act: 'mint', effect, amount: value }]
  return [{ act: 'mint', effect, amount: value.args.find((part) => !isBefore(part)) }]
}

/** Units of accounts that the caller names. */
function takenBy({ effects }: CodeFunction, { amounts }: Context): readonly Given[] {
  const concernsCaller = ({ kind, subject, facts }: RawEffect): boolean =>
    (kind === 'store' && subject.hasCaller) || facts.some(({ term }) => term.hasCaller)
  if (effects.some(concernsCaller)) return []
  return effects
    .filter((effect) => isTakenFromOthers(effect, amounts))
    .map((effect) => ({ act: 'move_funds', effect, amount: effect.value?.args[1] }))
}

/** Who may have what is given; undefined: only accounts that give as much for it. */
function judge(given: Given, { effects }: CodeFunction): Opening['who'] | undefined {
  const { act, effect, amount, isPartial } = given
  const isMint = act === 'mint'
  if (amount !== undefined && (isMint ? mentions(amount, isPaid) : isWithinPayment(amount))) return undefined
  // What a function computes from its storage, and the time, are rules that are not judged.
  if (amount !== undefined && isByRules(given)) return isRepeated(given, effects) ? 'payment' : undefined
  // So is what was recorded before.
  if (effect.facts.some(isRecorded)) return undefined
  const others = companions(given, { effects })
  const costs = others.filter(isCost)
  if (costs.some((cost) => isPrice(cost, given, others))) return undefined
  const isChosen = amount === undefined || isFromCaller(amount)
  if (isMint && effect.facts.some((fact) => isEtherAsked(fact, isChosen))) return undefined
  const isFree = costs.length === 0 && isPartial !== true && !isLimited(given)
  const locks = lockSlots(effects.filter(isChange))
  if (isFree && isMetByAll(given.effect, effects, locks)) return 'any'
  return act === 'execute' && !isInputPassed(effect) ? undefined : 'payment'
}

/** An amount that the caller does not choose, and that is neither fixed nor all that the contract has. */
function isByRules({ act, amount }: Given): boolean {
  if (amount === undefined || isFromCaller(amount)) return false
  return act === 'mint' ? !isLarge(amount) : amount.kind !== 'constant' && !mentions(amount, isOwnBalance)
}

/** Whether a call passes bytes of the input, its selector among them. */
function isInputPassed({ passed: [first] = [] }: RawEffect): boolean {
  return first !== undefined && (first.term.kind === 'input' || first.term.tag.startsWith(COPIED))
}

/** No more than the caller sends. */
const isWithinPayment = (amount: Term): boolean =>
  isPaid(amount) || (amount.kind === 'operation' && amount.op === OP.SUB && isPaid(amount.args[0]))

/** Whether an entry of the caller gives units as often as the caller asks for them. */
function isRepeated({ amount, effect: { facts } }: Given, effects: readonly RawEffect[]): boolean {
  const entries = new Set<Term>()
  mentions(amount as Term, ({ kind, args: [position] }) => {
    if (
      kind === 'stored' &&
      position !== undefined &&
      positionOf(position, facts).type === 'table' &&
      position.hasCaller
    )
      entries.add(position)
    return false
  })
  return entries.size > 0 && !effects.some(({ kind, subject }) => kind === 'store' && entries.has(subject))
}

/** An amount that the caller does not choose. */
function isLimited({ act, amount }: Given): boolean {
  if (act === 'execute' || amount === undefined || isFromCaller(amount)) return false
  return !(isLarge(amount) && (act === 'mint' || isUnlimited(amount))) && !mentions(amount, isOwnBalance)
}

const isUnlimited = ({ kind, value }: Term): boolean => kind === 'constant' && value >> 128n !== 0n
