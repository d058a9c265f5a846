/**
 * The powers that code gives: for each function of which privileged callers may make use, what it does and who may call.
 *
 * Part of the analysis of code, which runs in threads and is cached by code hash. Who passes a guard is found later, from
 * the state of a contract that runs the code.
 */
import { classOf, EFFECTS, type Evidence, type PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Dataflow, RawEffect } from '../code/dataflow.ts'
import { keyOf, type Position, positionOf } from '../code/positions.ts'
import { accountAt } from '../code/targets.ts'
import { word } from '../code/terms.ts'
import { acceptedFrom } from './accepted-signatures.ts'
import {
  actsOf,
  amountsGiven,
  type Context,
  chosenSlots,
  contextOf,
  type Guarding,
  guardingOf,
  isAmountChange,
  isAnySlot,
  isFromCaller,
  slotsPaid,
} from './acts.ts'
import { NO_RATES } from './amounts.ts'
import { authoritiesOf } from './authorities.ts'
import { creditRates, slotsOfRates } from './credit-rates.ts'
import { type Dependency, dependenciesOf } from './dependencies.ts'
import { allowingFor, exemptedBy, isFree } from './free-amounts.ts'
import { type CodeFunction, functionsOf, isStoreIn, lockSlots } from './functions.ts'
import { type Gift, giftsOf } from './gifts.ts'
import { creditsOf } from './given.ts'
import {
  accessFields,
  accessText,
  type Guard,
  guardsOf,
  isChange,
  OPEN,
  signersIn,
  type UnknownGuard,
} from './guards.ts'
import { type ItemTables, itemTablesOf, unprovenItem } from './items.ts'
import { type LastingAnswers, lastingAnswers } from './lasting-answers.ts'
import { type LibraryCall, type LibraryFunction, libraryActs, libraryCalls } from './library-calls.ts'
import { findNamed } from './names.ts'
import { type Opening, openCalls, openFunds } from './open-funds.ts'
import { openStops } from './open-stops.ts'
import { type OpenStore, openStores } from './open-stores.ts'
import { callsShown } from './paths-apart.ts'
import { fixedRecipients, mayBeKey, reservedFunds } from './reserved-funds.ts'
import { type RoleTable, roleTableOf } from './role-table.ts'
import { type Deciding, decidingIn, isFollowed, type Source, sourceGuard, sourcesIn } from './sources.ts'
import { stopping } from './stops.ts'
import { type UnitTables, unitTablesOf } from './unit-tables.ts'
import { reservedUnits, unprovenUnits } from './units.ts'

/** One function with one effect that only privileged callers have, or that may be reserved to some. */
export type CodePower = {
  readonly selector: Hex
  readonly effect: PowerEffect
  readonly evidence: Evidence
  /** Any of them suffices. Empty: not known, see `unknown`. */
  readonly guards: readonly Guard[]
  /** Fixed accounts that get what is moved. An account that may call needs one of them, and they need it. */
  readonly recipients?: readonly Guard[]
  readonly unknown?: UnknownGuard
  /** Every call of the function that succeeds has passed a guard. */
  readonly isWhole?: true
  /** Every caller has it, or can become an account that passes the guard. */
  readonly isTaken?: true
  /** At this address every call is refused. */
  readonly refusedAt?: Hex
  /** For a grant: the effects of the functions that it gives access to. */
  readonly grants?: readonly PowerEffect[]
}

export type CodePowers = {
  /** Every function that the dispatcher compares the input with, and who may call it. */
  readonly functions: readonly { readonly selector: Hex; readonly access: string }[]
  readonly powers: readonly CodePower[]
  /** What every caller can store. */
  readonly openStores: readonly OpenStore[]
  /** Contracts in slots that functions call. */
  readonly dependencies: readonly Dependency[]
  /** Functions that give amounts which are not earned; undefined where they are not known. */
  readonly gifts?: readonly Gift[]
  /** Functions whose answer about an account does not change. */
  readonly answers: LastingAnswers
  /** What decides the answers of functions to other contracts; those that nothing changes are missing. */
  readonly deciding: readonly Deciding[]
  /** Functions that seem to run once, before anyone is an owner. */
  readonly initializers: readonly Hex[]
  /** Functions that are proven to run once. */
  readonly once: readonly Hex[]
  /** Code of other contracts that functions run on the storage of this one. */
  readonly libraryCalls: readonly LibraryCall[]
  /** What its functions do and check if another contract runs them on its own storage. Others do and check nothing. */
  readonly asLibrary: readonly LibraryFunction[]
  /** The table from which it answers whether an account has a role. */
  readonly roleTable?: RoleTable
  /** All code was followed, so no function is missing. */
  readonly settled: boolean
}

export const NO_POWERS: CodePowers = {
  functions: [],
  powers: [],
  openStores: [],
  dependencies: [],
  gifts: [],
  answers: { timed: [], lasting: [] },
  deciding: [],
  initializers: [],
  once: [],
  libraryCalls: [],
  asLibrary: [],
  settled: true,
}
const { gifts: _, ...NOTHING_GIVEN } = NO_POWERS
export const POWERS_NOT_FOLLOWED: CodePowers = { ...NOTHING_GIVEN, settled: false }

export function powersOfCode(flow: Dataflow): CodePowers {
  const roleTable = roleTableOf(flow)
  const all = functionsOf(flow)
  const functions = all.filter(({ isFallback }) => !isFallback)
  const plain = contextOf(all)
  const credits = creditsOf(all, plain)
  const entries = fixedEntries(flow)
  const tables = unitTablesOf(all)
  const items = itemTablesOf(all)
  const sources = new Map(all.map((each) => [each, sourcesIn(each, plain, credits)]))
  const calls = openCalls(all, { flow, context: plain, credits })
  const context = withSources(
    {
      ...plain,
      guarding: [...plain.guarding, ...exempting(all, plain)],
      rates: creditRates(calls),
      authorities: authoritiesOf(all, plain, credits),
    },
    [...sources.values()].flat(),
    {
      rates: slotsOfRates(calls),
      paid: all.flatMap((each) => callsShown(flow, each).flatMap(slotsPaid)),
    },
  )
  const found = all.flatMap((each) => {
    const own = each.isView ? signingIn(each) : powersOf(flow, each, context, { credits, entries })
    const unproven = each.isView ? [] : unprovenIn(flow, each, { tables, items }, own)
    const decided = (sources.get(each) ?? []).map((source) => decidedBy(each, source))
    const { refusedAt } = each
    return [...own, ...unproven, ...decided].map((power) => (refusedAt === undefined ? power : { ...power, refusedAt }))
  })
  const gifts = giftsOf(all)
  return {
    functions: functions.map(({ selector, access }) => ({ selector, access: accessText(access) })),
    powers: found.map((power) =>
      power.effect === 'grant' ? { ...power, grants: grantedBy(power, all, found) } : power,
    ),
    openStores: all.flatMap(openStores),
    dependencies: dependenciesOf(all),
    ...(gifts && { gifts }),
    answers: lastingAnswers(flow, all),
    deciding: decidingIn(all),
    initializers: functions
      .filter(({ isInitializer, access }) => isInitializer && access.type !== 'guarded')
      .map(({ selector }) => selector),
    once: functions.filter(({ isOnce }) => isOnce).map(({ selector }) => selector),
    libraryCalls: functions.flatMap(libraryCalls),
    asLibrary: functions.flatMap((each) => {
      const effects = new Set([...actsIn(each, context).keys(), ...each.effects.flatMap(libraryActs)])
      const { atExits } = each
      return effects.size === 0 && atExits.type === 'open'
        ? []
        : [{ selector: each.selector, effects: [...effects], ...accessFields(atExits) }]
    }),
    ...(roleTable && { roleTable }),
    settled: flow.settled,
  }
}

/** What decides who needs no allowance. */
const exempting = (functions: readonly CodeFunction[], context: Context): readonly Guarding[] =>
  functions
    .filter(({ isView }) => !isView)
    .flatMap((each) => guardsOf(exemptedBy(each, context) ?? OPEN))
    .flatMap(guardingOf)

/** To choose who says how much is given, or to whom, is to decide it. `slots`: with rates of payments, and accounts that are paid. */
function withSources(
  context: Context,
  sources: readonly Source[],
  slots: Readonly<Record<'rates' | 'paid', readonly Position[]>>,
): Context {
  const slotsOf = (act: Source['act']): readonly Position[] =>
    sources.flatMap(({ by, ...source }) =>
      source.act === act && by.type === 'slot' ? [{ type: 'slot', slot: by.slot }] : [],
    )
  return {
    ...context,
    priced: [...context.priced, ...slots.rates, ...slotsOf('set_price')],
    paid: [...context.paid, ...slots.paid, ...slotsOf('move_funds')],
  }
}

/** What the accounts decide that decide about the answers of another contract. */
const decidedBy = ({ selector }: CodeFunction, source: Source): CodePower => ({
  selector,
  effect: source.act,
  evidence: 'code',
  ...(isFollowed(source.by) ? { guards: [sourceGuard(source)] } : { guards: [], unknown: 'source' as const }),
})

/** What a function does, and where. */
function actsIn(
  { selector, access, accessAtAny, effects }: CodeFunction,
  context: Context,
): ReadonlyMap<PowerEffect, RawEffect[]> {
  const acts = new Map<PowerEffect, RawEffect[]>()
  const add = (act: PowerEffect, effect: RawEffect): unknown => acts.set(act, [...(acts.get(act) ?? []), effect])
  const chosen = chosenSlots(effects)
  const reserved = effects.filter((effect) => {
    const reached = access.type === 'guarded' ? access : accessAtAny([effect])
    const guards = guardsOf(reached)
    for (const act of actsOf(effect, context, { guards, chosen })) add(act, effect)
    // An entry of the caller may be its own, such as the account that it delegates its votes to.
    return access.type === 'guarded' || (guards.length > 0 && guards.every(({ type }) => type !== 'member'))
  })
  if (!acts.has('mint') && !acts.has('move_funds'))
    for (const { act, effect } of amountsGiven(reserved, context)) add(act, effect)
  const locks = lockSlots(effects.filter(isChange))
  if (acts.size === 0)
    for (const effect of reserved)
      if (effect.kind === 'store' && !isStoreIn(effect, locks))
        for (const act of stopping(effect, context.stops)) add(act, effect)
  // A setter of a number is one only if it does nothing else.
  if (acts.size > 1) acts.delete('set_terms')
  // The recipient of a token is called too.
  if (acts.has('mint')) acts.delete('execute')
  // An upgrade runs code of its choice too, on its own storage.
  const isUpgrade = acts.has('upgrade') || findNamed(selector)?.effect === 'upgrade'
  if (isUpgrade && acts.get('execute')?.every(({ kind }) => kind === 'delegatecall') === true) acts.delete('execute')
  return acts
}

/** What an account moves whose signatures the contract accepts as its own. */
function signingIn(each: CodeFunction): readonly CodePower[] {
  const access = acceptedFrom(each)
  if (access === undefined) return []
  return [{ selector: each.selector, effect: 'move_funds', evidence: 'code', ...accessFields(access) }]
}

/** `credits`: see `creditsOf`. */
type Tables = { readonly credits: readonly Position[]; readonly entries: readonly FixedEntry[] }

/** A function that every caller may use gives no power, unless a part of it is reserved, or it gives assets away. */
function powersOf(
  flow: Dataflow,
  each: CodeFunction,
  context: Context,
  { credits, entries }: Tables,
): readonly CodePower[] {
  const { selector, access, accessAtAny } = each
  const whole = each.isWhole ? { isWhole: true as const } : {}
  const acts = new Map(actsIn(each, context))
  const anySlot = each.effects.filter(isAnySlot)
  if (anySlot.length > 0 && !acts.has('move_funds')) acts.set('move_funds', anySlot)
  const takers = acts.has('mint') ? [] : reservedFunds(each, { flow, context, credits })
  const sent = acts.has('mint') ? [] : fixedRecipients(each, { flow, context, credits })
  if (takers.length > 0 || sent.length > 0) acts.delete('set_terms')
  const found = [...acts].flatMap(([effect, at]): CodePower[] => {
    const reached = access.type === 'guarded' ? access : accessAtAny(at)
    const isOwn = reached.type === 'unknown' && guardsOf(reached).length === 0 && effect === 'set_terms'
    if (reached.type === 'open' || (isOwn && at.every(isOwnRecord))) return []
    return [{ selector, effect, evidence: 'code', ...accessFields(reached), ...whole }]
  })
  if (takers.length > 0 && !found.some(({ effect }) => effect === 'move_funds'))
    found.push({ selector, effect: 'move_funds', evidence: 'code', guards: takers })
  if (!found.some(({ effect }) => effect === 'move_funds'))
    found.push(...sent.map((both): CodePower => ({ selector, effect: 'move_funds', evidence: 'code', ...both })))
  const readers = access.type === 'guarded' ? [] : each.effects.flatMap((effect) => accountsRead(effect, entries))
  if (readers.length > 0) found.push({ selector, effect: 'set_terms', evidence: 'code', guards: readers })
  const openings = openFunds(each, { flow, context, credits })
  found.push(
    ...openings
      .filter(({ who, guards }) => who === 'any' && guards === undefined)
      .map((opening) => openedBy(each, opening)),
  )
  // Some check the caller by the slot itself.
  if (
    access.type === 'open' &&
    each.refusedAt === undefined &&
    anySlot.some(({ facts }) => !facts.some(({ term }) => term.hasCaller))
  )
    found.push(openedBy(each, { act: 'move_funds', who: 'any' }))
  found.push(...openStops(each, context).map((act) => openedBy(each, { act, who: 'any' })))
  found.push(...allowingIn(each, context, found), ...mintedIn(each, context, found))
  if (access.type === 'open') found.push(...unearned(each, context, found))
  found.push(...openings.filter(({ guards }) => guards !== undefined).map((opening) => openedBy(each, opening)))
  const others = openings.filter(
    ({ act, guards }) => guards === undefined && !found.some(({ effect }) => effect === act),
  )
  found.push(...others.map((opening) => openedBy(each, opening)))
  if (access.type === 'open') return found
  const named = findNamed(selector)?.effect
  const worst = Math.min(...found.map(({ effect }) => EFFECTS.indexOf(effect)))
  const counts = access.type === 'guarded' || (named !== undefined && classOf(named) === 'critical')
  if (named !== undefined && EFFECTS.indexOf(named) < worst && counts)
    return [{ selector, effect: named, evidence: 'name', ...accessFields(access), ...whole }, ...found]
  if (found.length > 0 || access.type === 'unknown') return found
  return [{ selector, effect: 'other', evidence: 'code', ...accessFields(access), ...whole }]
}

const openedBy = ({ selector }: CodeFunction, { act, who, guards }: Opening): CodePower => ({
  selector,
  effect: act,
  evidence: 'code',
  guards: guards ?? [],
  ...(guards === undefined && (who === 'any' ? { isTaken: true } : { unknown: who })),
})

/** What an account moves that gives allowances for others. */
function allowingIn(each: CodeFunction, context: Context, found: readonly CodePower[]): readonly CodePower[] {
  const isKnown = each.access.type === 'guarded' || found.some(({ effect }) => effect === 'move_funds')
  const access = isKnown ? undefined : allowingFor(each, context)
  if (access === undefined) return []
  return [{ selector: each.selector, effect: 'move_funds', evidence: 'code', ...accessFields(access) }]
}

/** What only some callers may have of a function that is open to all. */
function unearned(each: CodeFunction, context: Context, found: readonly CodePower[]): readonly CodePower[] {
  const access = found.some(({ effect }) => effect === 'move_funds') ? undefined : exemptedBy(each, context)
  if (access === undefined) return []
  return [{ selector: each.selector, effect: 'move_funds', evidence: 'code', ...accessFields(access) }]
}

/** Units for nothing where no account is known that may have them. */
function mintedIn(each: CodeFunction, context: Context, found: readonly CodePower[]): readonly CodePower[] {
  // What an initializer mints is the supply at the start; open ones are found on their own.
  const isKnown = each.access.type === 'guarded' || each.isOnce || found.some(({ effect }) => effect === 'mint')
  if (isKnown || !isFree(each, context)) return []
  return [{ selector: each.selector, effect: 'mint', evidence: 'code', guards: [], unknown: 'condition' }]
}

/** Units that are given or taken without proof that it is right. */
function unprovenIn(
  flow: Dataflow,
  each: CodeFunction,
  { tables, items }: { readonly tables: UnitTables; readonly items: ItemTables },
  found: readonly CodePower[],
): readonly CodePower[] {
  if (found.some(({ effect }) => effect === 'mint' || effect === 'move_funds')) return []
  const reserved = reservedUnits(flow, each, tables).slice(0, 1)
  const whole = each.isWhole ? { isWhole: true as const } : {}
  if (reserved.length > 0)
    return reserved.map(({ act }) => ({
      selector: each.selector,
      effect: act,
      evidence: 'code',
      ...accessFields(each.access),
      ...whole,
    }))
  const item = unprovenItem(each, items)
  const unproven = [
    ...unprovenUnits(flow, each, tables),
    ...(item ? [{ act: 'move_funds' as const, effect: item }] : []),
  ]
  return unproven.slice(0, 1).map(({ act, effect }) => {
    const access = each.accessAtAny([effect])
    const unknown = access.type === 'unknown' ? access.why : 'payment'
    return { selector: each.selector, effect: act, evidence: 'code', guards: guardsOf(access), unknown }
  })
}

/** An entry of a fixed account in a mapping. */
type FixedEntry = { readonly base: Hex; readonly account: Hex }

/** The entries of fixed accounts that functions read. */
function fixedEntries({ functions }: Dataflow): readonly FixedEntry[] {
  return [...functions.values()].flatMap((reads) =>
    [...reads].flatMap(({ kind, segments: [key, mapping] = [] }): readonly FixedEntry[] => {
      const [account, base] = [key?.term, mapping?.term]
      const isFixed = kind === 'hash' && account?.kind === 'constant' && base?.kind === 'constant'
      return isFixed && mayBeKey(account.value) ? [{ base: word(base.value), account: accountAt(account.value) }] : []
    }),
  )
}

/** The accounts whose entries functions read, of a mapping in which every caller writes what it likes to its own entry. */
function accountsRead(effect: RawEffect, entries: readonly FixedEntry[]): readonly Guard[] {
  const { kind, subject, value, facts } = effect
  const written =
    kind === 'store' && value !== undefined && isFromCaller(value) ? positionOf(subject, facts) : undefined
  if (written?.type !== 'table' || isAmountChange(effect) || written.keys.join() !== 'caller') return []
  const accounts = entries.filter(({ base }) => base === written.base).map(({ account }) => account)
  return [...new Set(accounts)].map((address) => ({ type: 'constant', address }))
}

/** A store in an entry of the caller, or of an account that has signed for it. */
function isOwnRecord({ subject, facts }: RawEffect): boolean {
  const position = positionOf(subject, facts)
  return (
    position.type === 'table' &&
    position.keys.some((key) => key === 'caller' || facts.some((fact) => signersIn(fact).map(keyOf).includes(key)))
  )
}

/** The effects of functions whose guard depends on a position that the function writes. */
function grantedBy(
  { selector }: CodePower,
  functions: readonly CodeFunction[],
  powers: readonly CodePower[],
): readonly PowerEffect[] {
  const of = functions.find((each) => each.selector === selector)
  const granted = powers.filter(({ effect, guards }) => {
    const held = guards.flatMap(guardingOf)
    return (
      effect !== 'grant' &&
      held.length > 0 &&
      of?.effects.some((each) =>
        actsOf(each, { ...NO_CONTEXT, guarding: held }, { guards: [], chosen: [] }).includes('grant'),
      )
    )
  })
  return [...new Set(granted.map(({ effect }) => effect))]
}

const NO_CONTEXT: Context = {
  guarding: [],
  delegated: [],
  called: [],
  priced: [],
  gating: [],
  paid: [],
  amounts: [],
  transferred: [],
  accepted: [],
  signing: [],
  used: [],
  stops: [],
  isBatched: false,
  rates: NO_RATES,
  authorities: [],
}
