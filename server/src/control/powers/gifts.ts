/**
 * Functions by which an account may get an amount that no account gives up for it, such as votes.
 *
 * An amount is earned if it is taken from the account itself, or from one that has allowed it, or if it is the stored amount of
 * the account and moves from one entry to another, such as a balance that counts for another delegate from now on. What else
 * is added or set is a gift.
 */
import type { Hex } from '../../lib/hex.ts'
import { areContradictory, type Fact, includesAll } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { lastCallIn } from '../code/epochs.ts'
import { canonical, mayHit } from '../code/hits.ts'
import { OP } from '../code/instructions.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { type Term, withoutMask } from '../code/terms.ts'
import { type Amount, isCovered, sumsIn } from './amounts.ts'
import {
  isAllowed,
  isConsented,
  isNothing,
  isTakenBy,
  isTime,
  isTimeOf,
  namingEntry,
  type Store,
  type Stores,
} from './consents.ts'
import { accountOf, isLastBefore, isStoredOf } from './entries.ts'
import type { CodeFunction } from './functions.ts'
import { guardsOf, mentions } from './guards.ts'

export type Gift = {
  readonly selector: Hex
  /** Functions whose answer may depend on the amount. */
  readonly readBy: readonly Hex[]
  /** It is made once, which the storage shows. */
  readonly isOnce?: true
}

/** Comparisons of positions, and stores of a function. Code that needs more is hostile or is no token. */
const MOST = 400_000
const MOST_STORES = 200

/** Undefined where there is too much to compare. */
export function giftsOf(functions: readonly CodeFunction[]): readonly Gift[] | undefined {
  const readable = functions.filter(({ isFallback }) => !isFallback)
  const changing = functions.filter((each) => !each.isView && !isReserved(each))
  const judged = changing.map((each): JudgedFunction => ({ ...each, stores: judgedStores(each) }))
  const stores = judged.flatMap((each) => storesOf(each.selector, each.stores))
  const places = distinct([
    ...stores.flatMap(({ position, sources, allowances }) => [position, ...sources, ...allowances]),
    ...readable.flatMap(({ reads }) => reads),
  ])
  if (places.size * places.size > MOST) return undefined
  const hits = new Map<string, readonly string[]>()
  for (const [text, written] of places)
    hits.set(
      text,
      [...places].filter(([, held]) => mayHit(written, held)).map(([other]) => other),
    )
  const readers = new Map<string, Set<Hex>>()
  /** The same of entries by which an account lets others take what it has. */
  const allowed = new Map<string, Set<Hex>>()
  for (const { selector, reads } of readable) for (const read of reads) addTo(readers, textOf(read), [selector])
  // What a store takes its amount from is read with what it stores.
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false
    for (const { position, sources, allowances } of stores) {
      const found = readersOf(position, hits, readers)
      for (const each of allowances) addTo(allowed, textOf(each), found)
      for (const source of sources) if (addTo(readers, textOf(source), found)) isGrowing = true
    }
  }
  // What another contract answers is not earned either.
  const gifts = new Map<Hex, Set<Hex>>(
    readable.filter(({ effects }) => effects.some(asksOther)).map(({ selector }) => [selector, new Set([selector])]),
  )
  for (const { selector, position, isGift, isOwn } of stores)
    if (isGift) {
      addTo(gifts, selector, readersOf(position, hits, readers))
      if (!isOwn) addTo(gifts, selector, readersOf(position, hits, allowed))
    }
  for (const each of judged)
    addTo(
      gifts,
      each.selector,
      readersAround(each.stores, (position) => readersOf(position, hits, readers)),
    )
  const delegations = new Map(
    judged
      .flatMap((each) => each.stores.flatMap((store) => store.delegations))
      .map((each) => [[each.amount, each.entry, each.votes].map(textOf).join(), each]),
  )
    .values()
    .toArray()
  for (const each of judged)
    for (const delegation of delegations)
      if (!movesVotes(each, delegation)) addTo(gifts, each.selector, readersOf(delegation.votes, hits, readers))
  const once = new Set(
    changing.filter(({ isOnce, access }) => isOnce && access.type === 'open').map((each) => each.selector),
  )
  return [...gifts].flatMap(([selector, readBy]) =>
    readBy.size === 0 ? [] : [{ selector, readBy: [...readBy], ...(once.has(selector) && { isOnce: true }) }],
  )
}

/** A call of a contract other than a precompiled one. */
const asksOther = ({ kind, subject }: RawEffect): boolean =>
  (kind === 'call' || kind === 'delegatecall') && !(subject.kind === 'constant' && subject.value < FIRST_CONTRACT)
const FIRST_CONTRACT = 0x200n

/**
 * What is reserved as a whole is a power of the accounts that pass its guard. An entry for the caller that accounts make, such as
 * an allowance, is no such guard.
 */
const isReserved = ({ isWhole, access }: CodeFunction): boolean =>
  isWhole &&
  guardsOf(access).every((guard) => guard.type !== 'member' || guard.table.keys[0]?.startsWith('0x') === true)

function readersOf(
  position: Position,
  hits: ReadonlyMap<string, readonly string[]>,
  readers: ReadonlyMap<string, ReadonlySet<Hex>>,
): readonly Hex[] {
  return (hits.get(textOf(position)) ?? []).flatMap((text) => [...(readers.get(text) ?? [])])
}

function addTo<K>(map: Map<K, Set<Hex>>, key: K, added: readonly Hex[]): boolean {
  const known = map.get(key) ?? new Set()
  const before = known.size
  for (const each of added) known.add(each)
  map.set(key, known)
  return known.size > before
}

/** Functions that read what a function stores before and after a call: other code finds the one done and the other not. */
function readersAround(stores: readonly Judged[], readersAt: (position: Position) => readonly Hex[]): readonly Hex[] {
  const readersOfStore = ({ effect: { subject, facts } }: Judged): readonly Hex[] =>
    readersAt(positionOf(subject, facts))
  return stores.flatMap((one) => {
    const later = stores.filter(
      ({ effect }) =>
        lastCallIn(effect.epoch) !== lastCallIn(one.effect.epoch) && !areContradictory(effect.facts, one.effect.facts),
    )
    const both = new Set(later.flatMap(readersOfStore))
    return readersOfStore(one).filter((reader) => both.has(reader))
  })
}

const distinct = (positions: readonly Position[]): ReadonlyMap<string, Position> =>
  new Map(positions.map((position) => [textOf(position), position]))

const TEXTS = new WeakMap<Position, string>()

/** Keys that are not constant may be any. */
function textOf(position: Position): string {
  const known = TEXTS.get(position)
  if (known !== undefined) return known
  const one = canonical(position)
  const keys = one.type === 'table' ? { keys: one.keys.map((key) => (key.startsWith('0x') ? key : '?0')) } : {}
  const text = JSON.stringify({ ...one, ...keys, lengths: [] })
  TEXTS.set(position, text)
  return text
}

type Stored = {
  readonly selector: Hex
  readonly position: Position
  /** Positions that the amount is taken from. */
  readonly sources: readonly Position[]
  /** Entries by which the caller may take it. */
  readonly allowances: readonly Position[]
  readonly isGift: boolean
  /** It is an entry of the caller. */
  readonly isOwn: boolean
}

function storesOf(selector: Hex, judged: readonly Judged[]): readonly Stored[] {
  const allowances = judged.flatMap(({ effect }) => allowancesIn(effect))
  return judged.map(({ effect: { subject, facts }, sources, isEarned }) => ({
    selector,
    position: positionOf(subject, facts),
    sources,
    allowances,
    isOwn: accountOf(subject)?.kind === 'caller',
    isGift: !isEarned,
  }))
}

export type Judged = {
  readonly effect: Store
  readonly sources: readonly Position[]
  readonly isEarned: boolean
  /** What is added and is not earned; undefined where what is stored is no sum with what was there before. */
  readonly unearned: readonly Amount[] | undefined
  readonly delegations: readonly Delegation[]
}

type JudgedFunction = Pick<CodeFunction, 'selector' | 'mayMiss'> & { readonly stores: readonly Judged[] }

/** What an account has counts as votes of the account that its entry names. */
export type Delegation = { readonly amount: Position; readonly entry: Position; readonly votes: Position }

type Origins = { readonly sources: readonly Position[]; readonly delegations?: readonly Delegation[] }

/** What a function stores, and whether it is earned. */
export function judgedStores({ effects, mayMiss }: Pick<CodeFunction, 'effects' | 'mayMiss'>): readonly Judged[] {
  const all = effects.filter((effect): effect is Store => effect.kind === 'store' && effect.value !== undefined)
  if (all.length > MOST_STORES)
    return all.map((effect) => ({ effect, sources: [], isEarned: false, unearned: undefined, delegations: [] }))
  const found = all.map((effect): Judged => {
    const parts = sumsIn(effect.value)
    const amountsOnly = parts.filter((part) => !isTime(part))
    const sums = amountsOnly.length === 0 ? parts : amountsOnly
    const isOld = ({ term }: Amount): boolean =>
      isStoredOf(term, effect.subject) && isLastBefore(term.args[0] as Term, effect.subject)
    const amounts = sums.flatMap(({ added }) => added.filter((amount) => !isOld(amount)))
    const origins = amounts.map((amount) => originsOf(amount, effect, { all, mayMiss }))
    const isSum = sums.every(
      ({ added, taken, at }) =>
        added.filter(isOld).length <= 1 &&
        added.every((amount) => !isOld(amount) || amount.shift === at || isKept(amount, added)) &&
        taken.every((difference) => isCovered(difference, effect.facts)),
    )
    const isPresent = sums.every(({ added }) =>
      added.every((amount) => !isOld(amount) || isUnwritten(amount, effect, all)),
    )
    const unearned = amounts.filter((_, index) => origins[index] === undefined)
    const stored = amounts.flatMap(({ term }) => (term.kind === 'stored' ? [positionIn(term, effect)] : []))
    return {
      effect,
      sources: [...stored, ...origins.flatMap((each) => each?.sources ?? [])],
      isEarned:
        isSum &&
        isPresent &&
        isCurrent(effect) &&
        isConsented(effect, isOld, { all, mayMiss }) &&
        unearned.length === 0,
      unearned: isSum && isPresent ? unearned : undefined,
      delegations: origins.flatMap((each) => each?.delegations ?? []),
    }
  })
  // A counter of entries, such as of checkpoints, says where the next one is stored.
  const isUsed = ({ subject }: Store): boolean =>
    found.some(
      ({ effect, isEarned }) =>
        isEarned && mentions(effect.subject, ({ kind, args: [position] }) => kind === 'stored' && position === subject),
    )
  return found.map((each) => (isCounter(each.effect) && isUsed(each.effect) ? { ...each, isEarned: true } : each))
}

/**
 * Whether no other store since an amount was read may have changed it: the accounts of two entries may be the same. Stores are
 * followed back from the one that adds to the amount.
 */
function isUnwritten({ term }: Amount, store: Store, all: readonly Store[]): boolean {
  const place = positionIn(term, store)
  const seen = new Set<string>()
  for (let epoch = store.epoch; epoch !== term.tag; ) {
    const before = all.find(({ at, blocks }) => blocks.some((block) => epoch.endsWith(`/${block}.${at}`)))
    if (before === undefined || seen.has(epoch)) return false
    if (!isTimeOf(before, store) && mayHit(positionOf(before.subject, before.facts), place)) return false
    seen.add(epoch)
    epoch = before.epoch
  }
  return true
}

/** Whether nothing that a store depends on was read before the last call: other code may have changed it since. */
const isCurrent = ({ subject, value, epoch }: Store): boolean =>
  ![subject, value].some((term) =>
    mentions(term, ({ kind, tag }) => kind === 'stored' && lastCallIn(tag) !== lastCallIn(epoch)),
  )

/** The other numbers of the word, which stay as they are. */
const isKept = ({ shift }: Amount, added: readonly Amount[]): boolean => shift === 0 && added.length === 1

const positionIn = ({ args: [position] }: Term, { facts }: Store): Position => positionOf(position as Term, facts)

/** Where an amount that is added is taken from; undefined where it is not earned. */
function originsOf(amount: Amount, store: Store, stores: Stores): Origins | undefined {
  const { all } = stores
  const { term } = amount
  if (term.kind === 'constant') return term.value === 0n ? { sources: [] } : undefined
  if (term.kind === 'environment') return undefined
  const isOwn = term.kind === 'stored' && accountOf(term.args[0] as Term)?.kind === 'caller'
  if (isOwn) return ownOrigins(amount, store, all)
  const given = [
    store,
    ...all.filter((other) => isDerived(store, other) && isAdded(amount, other) && isWith(other, store)),
  ]
  const taking = given.flatMap((other) => takingOf(amount, other, stores))
  const isTwice = all.some(
    (other) =>
      isAdded(amount, other) && isWithin(other, store) && accountOf(other.subject) === accountOf(store.subject),
  )
  if (taking.length === 0 || isTwice) return undefined
  return { sources: taking.map((other) => positionOf(other.subject, other.facts)) }
}

/** The stores that take an amount for one that adds it, and for no other. */
function takingOf(amount: Amount, store: Store, stores: Stores): readonly Store[] {
  const { all } = stores
  const isFresh = sumsIn(store.value).every(({ added }) =>
    added.every(
      ({ term: { kind, args, tag } }) => kind !== 'stored' || args[0] !== store.subject || tag === store.epoch,
    ),
  )
  const isShared = all.some(
    (other) => isAdded(amount, other) && isWithin(other, store) && !all.some((base) => isDerived(other, base)),
  )
  if (!isFresh || isShared) return []
  return all.filter(
    (other) =>
      isTakenBy(amount, other) &&
      isWith(other, store) &&
      !isAllowance(other.subject) &&
      isAllowed(accountOf(other.subject), amount, store, stores),
  )
}

/** The caller's own amount, which counted for the account that an entry of the caller named, and counts for another now. */
function ownOrigins(amount: Amount, store: Store, all: readonly Store[]): Origins | undefined {
  const position = positionOf(store.subject, store.facts)
  const to = withoutMask(accountOf(store.subject) ?? store.subject)
  const isNamedNow = (entry: Term): boolean =>
    all.some((other) => other.subject === entry && isWith(other, store) && mentions(other.value, (part) => part === to))
  const taking = all.filter((other) => {
    const entry = namingEntry(other)
    return (
      isTakenBy(amount, other) &&
      mayHit(positionOf(other.subject, other.facts), position) &&
      entry !== undefined &&
      accountOf(entry)?.kind === 'caller' &&
      isNamedNow(entry)
    )
  })
  const isTwice = all.some((other) => isAdded(amount, other) && isWithin(other, store))
  if (taking.length === 0 || isTwice) return undefined
  return {
    sources: taking.map((other) => positionOf(other.subject, other.facts)),
    delegations: taking.map((other) => ({
      amount: positionIn(amount.term, store),
      entry: positionOf(namingEntry(other) as Term, other.facts),
      votes: position,
    })),
  }
}

/**
 * Whether a function takes the votes that an amount gave from the account that counted them, wherever it lowers the amount or
 * names another account. Otherwise they would count twice.
 */
function movesVotes({ stores: judged, mayMiss }: JudgedFunction, { amount, entry, votes }: Delegation): boolean {
  const stores = judged.map(({ effect }) => effect)
  const isAtPlace = ({ subject, facts }: Store, place: Position): boolean => mayHit(positionOf(subject, facts), place)
  return stores.every((store) => {
    const isLowered = isAtPlace(store, amount) && sumsIn(store.value).some(({ taken }) => taken.length > 0)
    if (!isLowered && !isAtPlace(store, entry)) return true
    const account = accountOf(store.subject)
    const lowering = stores.filter((other) => {
      const naming = namingEntry(other)
      return (
        other !== store &&
        isAtPlace(other, votes) &&
        naming !== undefined &&
        accountOf(naming) === account &&
        mayHit(positionOf(naming, other.facts), entry) &&
        sumsIn(other.value).some(({ taken }) => taken.length > 0)
      )
    })
    const lowered = [store, ...lowering].flatMap(({ value }) => sumsIn(value).flatMap(({ taken }) => taken))
    const isEntry = ({ kind, args: [place] }: Term): boolean =>
      kind === 'stored' && place !== undefined && mayHit(positionOf(place, []), entry)
    const isNamed = (part: Term): boolean => isEntry(part) || mentions(store.value, (each) => each === part)
    /** An entry names no account, or the same one as before, or there is nothing to move. */
    const isExcused = ({ term, holds }: Fact): boolean => {
      const sides = term.args.map((arg) => withoutMask(arg))
      const isSame = term.op === OP.EQ && holds && sides.some(isEntry) && sides.every(isNamed)
      const isNone = !holds && isEntry(withoutMask(term))
      return isSame || isNone || lowered.some(({ taken }) => isNothing({ term, holds }, taken))
    }
    return !mayMiss(store, lowering, isExcused)
  })
}

const isAdded = (amount: Amount, { value }: Store): boolean =>
  sumsIn(value).some(({ added }) => added.some(({ term }) => term === amount.term))
/** Whether an entry belongs to the account that an entry of another store's account names, such as its delegate. */
function isDerived(store: Store, base: Store): boolean {
  const entry = namingEntry(store)
  const account = accountOf(base.subject)
  return entry !== undefined && account !== undefined && accountOf(entry) === account
}

/** Whether a call that makes the second store makes the first as well: it meets all its conditions. */
const isWith = (first: Store, second: Store): boolean => first !== second && includesAll(second.facts, first.facts)

/** Whether one call may make both stores: their conditions do not contradict each other. */
const isWithin = (first: Store, second: Store): boolean =>
  first !== second && !areContradictory(first.facts, second.facts)

/** An entry of another account for the caller, which is no amount that the account has. */
const isAllowance = (position: Term): boolean =>
  accountOf(position)?.kind !== 'caller' && mentions(position, ({ kind }) => kind === 'caller')

/** Such entries that the function tests or changes. */
export function allowancesIn({ subject, facts }: Store): readonly Position[] {
  const found = new Set<Term>(isAllowance(subject) ? [subject] : [])
  for (const { term } of facts)
    mentions(term, ({ kind, args: [position] }) => {
      if (kind === 'stored' && position !== undefined && isAllowance(position)) found.add(position)
      return false
    })
  return [...found].map((position) => positionOf(position, facts))
}

/** The number that is stored already, and one more: how many entries there are. */
const isCounter = ({ subject, value }: Store): boolean => {
  const sums = sumsIn(value)
  const others = sums.flatMap(({ added }) => added.filter(({ term }) => !isStoredOf(term, subject)))
  const isOne = others.length === 1 && others[0]?.term.kind === 'constant' && others[0].term.value === 1n
  return isOne && sums.every(({ taken }) => taken.length === 0)
}
