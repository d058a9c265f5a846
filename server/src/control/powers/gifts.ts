/**
 * Functions by which an account may get an amount that no account gives up for it, such as votes.
 *
 * An amount is earned if it is taken from the account itself, or from one that has allowed it, or if it is the stored amount of
 * the account and moves from one entry to another, such as a balance that counts for another delegate from now on. What else
 * is added or set is a gift.
 */
import type { Hex } from '../../lib/hex.ts'
import { areContradictory, type Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { addends, canonical, mayHit, type Position, positionOf } from '../code/positions.ts'
import { type Term, withoutMask } from '../code/terms.ts'
import type { CodeFunction } from './functions.ts'
import { guardsOf, mentions } from './guards.ts'

export type Gift = {
  readonly selector: Hex
  /** Functions whose answer may depend on the amount. */
  readonly readBy: readonly Hex[]
  /** It is made once, which the storage shows. */
  readonly isOnce?: true
}

/** Comparisons of positions, stores of a function, and parts of a sum. Code that needs more is hostile or is no token. */
const MOST = 400_000
const MOST_STORES = 200
const MOST_PARTS = 32

/** Undefined where there is too much to compare. */
export function giftsOf(functions: readonly CodeFunction[]): readonly Gift[] | undefined {
  const readable = functions.filter(({ isFallback }) => !isFallback)
  const changing = functions.filter((each) => !each.isView && !isReserved(each))
  const stores = changing.flatMap((each) => storesOf(each))
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

function storesOf(each: CodeFunction): readonly Stored[] {
  const { selector } = each
  const judged = judgedStores(each)
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

type Store = RawEffect & { readonly value: Term }

type Judged = { readonly effect: Store; readonly sources: readonly Position[]; readonly isEarned: boolean }

function judgedStores({ effects }: CodeFunction): readonly Judged[] {
  const all = effects.filter((effect): effect is Store => effect.kind === 'store' && effect.value !== undefined)
  if (all.length > MOST_STORES) return all.map((effect) => ({ effect, sources: [], isEarned: false }))
  const found = all.map((effect): Judged => {
    const parts = sumsIn(effect.value)
    const amountsOnly = parts.filter((part) => !isTime(part))
    const sums = amountsOnly.length === 0 ? parts : amountsOnly
    const isOld = (amount: Term): boolean => isStoredOf(amount, effect.subject)
    const amounts = sums.flatMap(({ added }) => added.filter((amount) => !isOld(amount)))
    const origins = amounts.map((amount) => originsOf(amount, effect, all))
    const isEarned =
      origins.every((each) => each !== undefined) &&
      sums.every(
        ({ added, taken }) =>
          added.filter(isOld).length <= 1 && taken.every((difference) => isCovered(difference, effect.facts)),
      )
    const stored = amounts.flatMap((amount) => (amount.kind === 'stored' ? [positionIn(amount, effect)] : []))
    return { effect, sources: [...stored, ...origins.flatMap((each) => each ?? [])], isEarned }
  })
  // A counter of entries, such as of checkpoints, says where the next one is stored.
  const isUsed = ({ subject }: Store): boolean =>
    found.some(
      ({ effect, isEarned }) =>
        isEarned && mentions(effect.subject, ({ kind, args: [position] }) => kind === 'stored' && position === subject),
    )
  return found.map((each) => (isCounter(each.effect) && isUsed(each.effect) ? { ...each, isEarned: true } : each))
}

const positionIn = ({ args: [position] }: Term, { facts }: Store): Position => positionOf(position as Term, facts)

type Difference = { readonly difference: Term; readonly from: Term; readonly taken: Term }
type Sum = { readonly added: readonly Term[]; readonly taken: readonly Difference[] }

/** The numbers that a word consists of, each as what is added and what is taken, without masks. */
function sumsIn(value: Term): readonly Sum[] {
  const [left, right] = value.args
  if (value.kind !== 'operation' || left === undefined || right === undefined) return [{ added: [value], taken: [] }]
  if (value.op === OP.OR) return [...sumsIn(left), ...sumsIn(right)]
  if (left.kind === 'constant' && SCALING.has(value.op)) return sumsIn(right)
  const [added, taken]: [Term[], Difference[]] = [[], []]
  const read = (term: Term): void => {
    const [a, b] = plain(term).args
    if (added.length > MOST_PARTS) added.push(term)
    else if (plain(term).op === OP.ADD && a !== undefined && b !== undefined) for (const part of [a, b]) read(part)
    else if (plain(term).op === OP.SUB && a !== undefined && b !== undefined) {
      read(a)
      taken.push({ difference: plain(term), from: a, taken: b })
    } else added.push(plain(term))
  }
  read(value)
  return [{ added, taken }]
}

/** How a number is put into its part of a word, and taken out of it. */
const SCALING: ReadonlySet<number> = new Set([OP.AND, OP.MUL, OP.SHL, OP.SHR])

/** Without masks and shifts. */
function plain(term: Term): Term {
  const [left, right] = term.args
  const isScaled = term.kind === 'operation' && left?.kind === 'constant' && (term.op === OP.AND || term.op === OP.SHR)
  return isScaled && right !== undefined ? plain(right) : term
}

/** Whether conditions rule out that a difference is below zero: they compare its parts, or the difference itself. */
const isCovered = ({ difference, from, taken }: Difference, facts: readonly Fact[]): boolean =>
  facts.some(({ term, holds }) => {
    const [left, right] = term.args
    if (term.kind !== 'operation' || term.op !== OP.LT || holds || left === undefined || right === undefined)
      return false
    return (
      (plain(left) === plain(from) && plain(right) === plain(taken)) ||
      right === difference ||
      plain(right) === difference
    )
  })

/** Where an amount that is added is taken from; undefined where it is not earned. */
function originsOf(amount: Term, store: Store, all: readonly Store[]): readonly Position[] | undefined {
  if (amount.kind === 'constant') return amount.value === 0n ? [] : undefined
  if (amount.kind === 'environment') return undefined
  const isOwn = amount.kind === 'stored' && accountOf(amount.args[0] as Term)?.kind === 'caller'
  if (isOwn) return ownOrigins(amount, store, all)
  const given = [
    store,
    ...all.filter((other) => isDerived(store, other) && isAdded(amount, other) && isWith(other, store)),
  ]
  const taking = given.flatMap((other) => takingOf(amount, other, all))
  const isTwice = all.some(
    (other) =>
      isAdded(amount, other) && isWithin(other, store) && accountOf(other.subject) === accountOf(store.subject),
  )
  return taking.length === 0 || isTwice ? undefined : taking.map((other) => positionOf(other.subject, other.facts))
}

/** The stores that take an amount for one that adds it, and for no other. */
function takingOf(amount: Term, store: Store, all: readonly Store[]): readonly Store[] {
  const isFresh = sumsIn(store.value).every(({ added }) =>
    added.every(({ kind, args, tag }) => kind !== 'stored' || args[0] !== store.subject || tag === store.epoch),
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
      isAllowed(accountOf(other.subject), [...store.facts, ...other.facts], all),
  )
}

/** The caller's own amount, which counted for the account that an entry of the caller named, and counts for another now. */
function ownOrigins(amount: Term, store: Store, all: readonly Store[]): readonly Position[] | undefined {
  const position = positionOf(store.subject, store.facts)
  const to = withoutMask(accountOf(store.subject) ?? store.subject)
  const isNamedNow = (entry: Term): boolean =>
    all.some((other) => other.subject === entry && isWith(other, store) && mentions(other.value, (part) => part === to))
  const taking = all.filter((other) => {
    const from = withoutMask(accountOf(other.subject) ?? other.subject)
    const [entry] = from.args
    return (
      isTakenBy(amount, other) &&
      mayHit(positionOf(other.subject, other.facts), position) &&
      from.kind === 'stored' &&
      entry !== undefined &&
      accountOf(entry)?.kind === 'caller' &&
      isNamedNow(entry)
    )
  })
  const isTwice = all.some((other) => isAdded(amount, other) && isWithin(other, store))
  return taking.length === 0 || isTwice ? undefined : taking.map((other) => positionOf(other.subject, other.facts))
}

const isAdded = (amount: Term, { value }: Store): boolean => sumsIn(value).some(({ added }) => added.includes(amount))
const isTakenBy = (amount: Term, { value, facts }: Store): boolean =>
  sumsIn(value).some(({ taken }) => taken.some((each) => plain(each.taken) === amount && isCovered(each, facts)))

/** Whether an entry belongs to the account that an entry of another store's account names, such as its delegate. */
function isDerived({ subject }: Store, base: Store): boolean {
  const named = withoutMask(accountOf(subject) ?? subject)
  const account = accountOf(base.subject)
  return named.kind === 'stored' && account !== undefined && accountOf(named.args[0] as Term) === account
}

/** Whether a call that makes the second store makes the first as well: it meets all its conditions. */
const isWith = (first: Store, second: Store): boolean =>
  first !== second &&
  first.facts.every(({ term, holds }) => second.facts.some((fact) => fact.term === term && fact.holds === holds))

/** Whether one call may make both stores: their conditions do not contradict each other. */
const isWithin = (first: Store, second: Store): boolean =>
  first !== second && !areContradictory(first.facts, second.facts)

/** An entry of another account for the caller, which is no amount that the account has. */
const isAllowance = (position: Term): boolean =>
  accountOf(position)?.kind !== 'caller' && mentions(position, ({ kind }) => kind === 'caller')

/** Such entries that the function tests or changes. */
function allowancesIn({ subject, facts }: Store): readonly Position[] {
  const found = new Set<Term>(isAllowance(subject) ? [subject] : [])
  for (const { term } of facts)
    mentions(term, ({ kind, args: [position] }) => {
      if (kind === 'stored' && position !== undefined && isAllowance(position)) found.add(position)
      return false
    })
  return [...found].map((position) => positionOf(position, facts))
}

/** When an amount was stored, next to it in the same word. */
const isTime = ({ added: [time, ...others], taken }: Sum): boolean =>
  others.length === 0 &&
  taken.length === 0 &&
  time?.kind === 'environment' &&
  (time.op === OP.NUMBER || time.op === OP.TIMESTAMP)

/** Whether what an account has may be taken: it is the caller, or the caller has an entry of that account. */
function isAllowed(account: Term | undefined, facts: readonly Fact[], all: readonly Store[]): boolean {
  if (account === undefined) return false
  if (account.kind === 'caller') return true
  const isBoth = (term: Term): boolean =>
    term.kind === 'stored' &&
    mentions(term, (part) => part.kind === 'caller') &&
    mentions(term, (part) => part === account)
  return (
    facts.some(({ term }) => mentions(term, isBoth) || isSameAs(term, account)) ||
    all.some(({ value }) => sumsIn(value).some(({ taken }) => taken.some(({ from }) => isBoth(plain(from)))))
  )
}

const isSameAs = ({ op, args }: Term, account: Term): boolean =>
  op === OP.EQ && args.some(({ kind }) => kind === 'caller') && args.includes(account)

/** The number that is stored already, and one more: how many entries there are. */
const isCounter = ({ subject, value }: Store): boolean => {
  const sums = sumsIn(value)
  const others = sums.flatMap(({ added }) => added.filter((term) => !isStoredOf(term, subject)))
  const isOne = others.length === 1 && others[0]?.kind === 'constant' && others[0].value === 1n
  return isOne && sums.every(({ taken }) => taken.length === 0)
}

/** The account whose element of a mapping a position is, or is in an array of: the first key. */
function accountOf(position: Term): Term | undefined {
  return elementOf(position)?.segments?.[0]?.term
}

/** The hash of the first key and the position of a mapping, or of an account next to a seed. */
function elementOf(position: Term): Term | undefined {
  const { hash } = addends(position)
  const [first, second] = hash?.segments ?? []
  if (hash === undefined || first === undefined) return undefined
  // The elements of an array, or of a mapping in a mapping.
  const inner = second === undefined ? first.term : second.term
  return addends(inner).hash === undefined ? (second === undefined ? undefined : hash) : elementOf(inner)
}

/** Whether an amount is stored for the account that an entry belongs to, in the same mapping. */
const isStoredOf = ({ kind, args: [position] }: Term, entry: Term): boolean => {
  const element = kind === 'stored' && position !== undefined ? elementOf(position) : undefined
  return element !== undefined && element === elementOf(entry)
}
