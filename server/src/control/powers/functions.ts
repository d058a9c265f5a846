/** The functions of code: who may call each, whether it runs once, and what it changes. */
import type { Hex } from '../../lib/hex.ts'
import type { Fact } from '../code/conditions.ts'
import type { Dataflow, RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { addends, bytesHashed, type Position, positionOf } from '../code/positions.ts'
import { accountAt } from '../code/targets.ts'
import { type Term, withoutMask, word } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import {
  type Access,
  accessOf,
  anyOf,
  checksSignature,
  guardsOf,
  isChange,
  isEitherWay,
  mentions,
  OPEN,
  positionOfGuard,
  type StandingOf,
} from './guards.ts'
import { runningOnce } from './once.ts'
import { bySigner } from './signers.ts'
import { ALL_BITS, changedBits } from './stored-bits.ts'

export type CodeFunction = {
  /** Zeros for the fallback function. */
  readonly selector: Hex
  /** What runs for input that names no function, and for ether without input. */
  readonly isFallback: boolean
  readonly access: Access
  /** Its effects, with the facts that hold at each. Where every account may use it by its signature, that is the caller. */
  readonly effects: readonly RawEffect[]
  readonly reads: readonly Position[]
  readonly isView: boolean
  /** Every call that succeeds has passed a guard. */
  readonly isWhole: boolean
  /** It is proven that it runs once, see `runningOnce`. */
  readonly isOnce: boolean
  /** It seems to set up the contract: it requires that a mark is not set, or that one says that this is in progress. */
  readonly isInitializer: boolean
  /** Who may reach any of these effects of it. */
  readonly accessAtAny: (places: readonly RawEffect[]) => Access
  /** Who may reach an end at which the call succeeds, also of a function that changes nothing. */
  readonly atExits: Access
  /** The address at which every call is refused, such as that of code which other contracts run. */
  readonly refusedAt?: Hex
  readonly mayMiss: MayMiss
  /** Whether a call may reach an effect again, and the other one not. */
  readonly mayRepeat: (effect: RawEffect, other?: RawEffect) => boolean
}

/** Whether a call that succeeds may make a store and none of others, other than by branches with an excused condition. */
export type MayMiss = (store: RawEffect, missed: readonly RawEffect[], isExcused: (fact: Fact) => boolean) => boolean

const FALLBACK_ENTRY: readonly [undefined, ReadonlySet<Term>] = [undefined, new Set()]

const UNSETTLED_ACCESS: Access = { type: 'unknown', why: 'unsettled' }
/** What is known of a function that was not followed to its end. */
const UNSETTLED = {
  access: UNSETTLED_ACCESS,
  accessAtAny: () => UNSETTLED_ACCESS,
  atExits: UNSETTLED_ACCESS,
  isView: false,
  isOnce: false,
  isInitializer: false,
}

/**
 * Functions whose guards depend on tables that every caller can write are open: the table is not a list of holders. A list
 * that is kept for others stays one: who can join it is judged by `openStores`.
 */
export function functionsOf(flow: Dataflow): readonly CodeFunction[] {
  const effects = Map.groupBy(flow.effects, ({ selector }) => selector)
  const bySignature = new Map([...effects].map(([selector, its]) => [selector, bySigner(its, flow.terms)]))
  let shared: readonly Written[] = [...effects.values()]
    .flatMap(tablesPassedOn)
    .map((table) => ({ table, bits: ALL_BITS, isAmount: true }))
  const once = runningOnce(flow, effects)
  let kept: readonly Position[] | undefined
  const amounts = tablesOfAmounts(flow.effects)
  let closable: readonly Position[] = []
  let own: readonly Position[] = []
  const limits = distinct(flow.effects.filter(isSetOutright).flatMap(tablesWritten))
  for (;;) {
    const standingOf: StandingOf = (guard, isAmount) => {
      const position = guard.type === 'member' ? positionOfGuard(guard) : undefined
      if (position === undefined) return 'holder'
      const isOf = (tables: readonly Position[]): boolean => tables.some((table) => isSamePlace(table, position))
      const bits = guard.type === 'member' ? BigInt(guard.mask) : ALL_BITS
      const joined = shared.filter((each) => (each.bits & bits) !== 0n && isOf([each.table]))
      const isList = !isAmount && (isOf(kept ?? []) || isRole(position))
      if (joined.some((each) => each.isAmount || !isList)) return 'any'
      return isOf(amounts) || isOf(closable) || isOf(own) || (isAmount && !isOf(limits)) ? 'amount' : 'holder'
    }
    const functions = [...flow.functions, FALLBACK_ENTRY].map(([selector, reads]) => {
      const signed = bySignature.get(selector)
      const mayMiss: MayMiss = (store, missed, isExcused) =>
        flow.paths.mayMiss(
          selector,
          store.blocks,
          missed.flatMap(({ blocks }) => blocks),
          isExcused,
        )
      const mayRepeat: CodeFunction['mayRepeat'] = (effect, other) =>
        flow.paths.mayRepeat(effect.blocks, other?.blocks ?? [])
      const judging = { standingOf, isOnce: once.has(selector) }
      const asSigner = signed && {
        ...functionOf(selector, signed.effects, reads, judging),
        mayMiss: ((store, missed, isExcused) =>
          mayMiss(store, missed, ({ term, holds }) => isExcused({ term: signed.of(term), holds }))) as MayMiss,
        mayRepeat,
      }
      // What a certain account may do by its signature is not known, as no guard names a signer.
      const found =
        asSigner !== undefined && isForAll(asSigner)
          ? asSigner
          : { ...functionOf(selector, effects.get(selector) ?? [], reads, judging), mayMiss, mayRepeat }
      const isSettled = !flow.unsettledIn.has(selector) && !flow.unsettledIn.has(undefined)
      return isSettled ? found : { ...found, ...UNSETTLED }
    })
    kept ??= distinct(
      functions.filter(isAppointing).flatMap((each) => each.effects.filter(isSetOutright).flatMap(tablesWritten)),
    )
    const open = functions.filter(({ access, isInitializer }) => access.type === 'open' && !isInitializer)
    const stores = open.flatMap(({ effects: its }) => {
      const locks = lockSlots(its.filter(isChange))
      return its.map((effect) => ({ effect, isClosed: isClosable(effect, locks) }))
    })
    const written = stores.flatMap(({ effect, isClosed }) => (isClosed || isMoved(effect) ? [] : bitsWritten(effect)))
    const closed = distinct(stores.flatMap(({ effect, isClosed }) => (isClosed ? tablesWritten(effect) : [])))
    const added = distinct([...own, ...functions.filter(isUnclear).flatMap((each) => each.effects.flatMap(ownAmounts))])
    const hasClosed = closed.length !== closable.length || added.length !== own.length
    closable = closed
    own = added
    const known = new Set(shared.map(textOf))
    const grown = new Map(written.map((each) => [textOf(each), each]))
    for (const text of known) grown.delete(text)
    if (grown.size === 0 && !hasClosed) return functions
    shared = [...shared, ...grown.values()]
  }
}

/**
 * A store that sets the entry of what the contract has stored elsewhere, such as the last member of a list, which takes the
 * place of one that leaves. No caller chooses whose entry it is.
 */
function isMoved({ kind, subject, value, facts }: RawEffect): boolean {
  const position = positionOf(subject, facts)
  if (kind !== 'store' || value === undefined || position.type !== 'table') return false
  const isChanged = mentions(value, (part) => part.kind === 'stored' && part.args[0] === subject)
  return !isChanged && hasStoredKey(subject)
}

/** Whether a key of an element is a word of storage whose place is known. */
function hasStoredKey(position: Term): boolean {
  const [key, base] = addends(position).hash?.segments ?? []
  if (key === undefined || base === undefined) return false
  const { kind, args } = withoutMask(key.term)
  const isPlaced = kind === 'stored' && positionOf(args[0] as Term, []).type !== 'anywhere'
  return isPlaced || hasStoredKey(base.term)
}

/** Whether no account is named that may call the function; an entry of the caller may be its own. */
const isForAll = ({ access }: Pick<CodeFunction, 'access'>): boolean =>
  access.type !== 'guarded' && guardsOf(access).every(({ type }) => type === 'member')

/** A table, the bits of its entries that a store may change, and whether it may add to what is there or take from it. */
type Written = { readonly table: Position; readonly bits: bigint; readonly isAmount: boolean }

const textOf = ({ table, bits, isAmount }: Written): string => `${JSON.stringify(table)}${bits}${isAmount}`

const bitsWritten = (effect: RawEffect): readonly Written[] =>
  tablesWritten(effect).map((table) => ({
    table,
    bits: changedBits(effect.value as Term, effect.subject),
    isAmount: !isSetOutright(effect),
  }))

/** An entry of an account under a constant key: a member of a role. */
const isRole = (position: Position): boolean =>
  position.type === 'table' &&
  position.keys.length > 1 &&
  position.keys.filter((key) => !(key.startsWith('0x') && key.length === 66)).length === 1

/** Whether accounts that no table names may call the function. */
const isAppointing = ({ access }: CodeFunction): boolean =>
  access.type === 'guarded' && access.guards.some(({ type }) => type !== 'member')

/** A condition about the caller is not understood: every caller may meet it. */
const isUnclear = ({ access }: CodeFunction): boolean => access.type === 'unknown' && access.why === 'condition'

/** The tables in which a store gives the caller itself what may be an amount. */
function ownAmounts(effect: RawEffect): readonly Position[] {
  if (effect.value === undefined || !maySum(effect.value)) return []
  const position = positionOf(effect.subject, effect.facts)
  return position.type === 'table' && position.keys.includes('caller') ? tablesWritten(effect) : []
}

/**
 * Whether a store, other than of an amount, is made only at some times or in some states of the contract, which may never be
 * again: a list that every caller could join may be closed.
 */
function isClosable({ kind, value, facts }: RawEffect, locks: ReadonlySet<Hex>): boolean {
  if (kind !== 'store' || value === undefined || maySum(value)) return false
  return facts.some(({ term }) =>
    mentions(term, (part) => {
      if (part.kind === 'environment') return part.op === OP.TIMESTAMP || part.op === OP.NUMBER
      const slot = part.kind === 'stored' ? valueOf(part.args[0] as Term) : undefined
      return slot !== undefined && !locks.has(word(slot))
    }),
  )
}

const distinct = (positions: readonly Position[]): readonly Position[] => [
  ...new Map(positions.map((position) => [JSON.stringify(position), position])).values(),
]

/** A table that a store gives a value, whatever its key. */
function tablesWritten({ kind, subject, value, facts }: RawEffect): readonly Position[] {
  if (kind !== 'store' || value === undefined || isCleared(value, subject)) return []
  const position = positionOf(subject, facts)
  if (position.type !== 'table') return []
  const { base, member } = position
  // An entry under a constant key, such as a role, is not one under another.
  return [{ type: 'table', base, keys: position.keys.map((key) => (key.startsWith('0x') ? key : '?0')), member }]
}

/** Tables in which a function takes from the entry of its caller and adds to another: what holders own, not who they are. */
function tablesPassedOn(effects: readonly RawEffect[]): readonly Position[] {
  const isTaken = ({ kind, subject, value, facts }: RawEffect): boolean => {
    if (kind !== 'store' || value?.kind !== 'operation' || value.op !== OP.SUB) return false
    const position = positionOf(subject, facts)
    return position.type === 'table' && position.keys.includes('caller')
  }
  const taken = effects.filter(isTaken).flatMap(tablesWritten)
  const given = effects.filter((effect) => !isTaken(effect)).flatMap(tablesWritten)
  return taken.filter((table) => given.some((other) => isSamePlace(table, other)))
}

/** Tables that are only added to and taken from, in both ways, and never set: amounts, such as fees that were earned. */
function tablesOfAmounts(effects: readonly RawEffect[]): readonly Position[] {
  const changed = new Map<string, { readonly table: Position; readonly ops: Set<number | undefined> }>()
  for (const effect of effects) {
    const { value, subject } = effect
    for (const table of tablesWritten(effect)) {
      const known = changed.get(JSON.stringify(table)) ?? { table, ops: new Set() }
      changed.set(JSON.stringify(table), known)
      const isSum = value?.kind === 'operation' && (value.op === OP.ADD || value.op === OP.SUB)
      const isChanged = isSum && value.args.some(({ kind, args }) => kind === 'stored' && args[0] === subject)
      known.ops.add(isChanged ? value.op : undefined)
    }
  }
  return [...changed.values()]
    .filter(({ ops }) => ops.has(OP.ADD) && ops.has(OP.SUB) && !ops.has(undefined))
    .map(({ table }) => table)
}

/** A store of a value that is no sum: a limit that a caller sets for an account. What is not known may be a sum. */
export const isSetOutright = ({ value }: RawEffect): boolean => value !== undefined && !maySum(value)

const maySum = ({ kind, op, args }: Term): boolean =>
  kind === 'opaque' || (kind === 'operation' && (op === OP.ADD || op === OP.SUB || args.some(maySum)))

const isSamePlace = (written: Position, held: Position): boolean =>
  written.type === 'table' &&
  held.type === 'table' &&
  written.base === held.base &&
  written.keys.length === held.keys.length &&
  written.keys.every((key, at) => isSameKey(key, held.keys[at])) &&
  (written.member === held.member || written.member < 0 || held.member < 0)

const isSameKey = (a: string, b: string | undefined): boolean =>
  a === b || !a.startsWith('0x') || b?.startsWith('0x') !== true

function functionOf(
  selector: bigint | undefined,
  effects: readonly RawEffect[],
  reads: ReadonlySet<Term>,
  { standingOf, isOnce }: { readonly standingOf: StandingOf; readonly isOnce: boolean },
): Omit<CodeFunction, 'mayMiss' | 'mayRepeat'> {
  const changes = effects.filter(isChange)
  const locks = lockSlots(changes)
  // A loop over signatures leaves no condition behind.
  const isSigned = effects.some(checksSignature)
  // Effects of one block have the same conditions, and are asked about repeatedly.
  const known = new Map<RawEffect['facts'], Access>()
  const accessAt = ({ facts }: RawEffect): Access => {
    let found = known.get(facts)
    if (found !== undefined) return found
    found = accessOf(facts, standingOf)
    if (isSigned && found.type === 'open') found = { type: 'unknown', why: 'signature' }
    known.set(facts, found)
    return found
  }
  const exits = effects.filter(({ kind }) => kind === 'exit' || kind === 'selfdestruct')
  const accessAtAny = (places: readonly RawEffect[]): Access => {
    const found = anyOf(places.map(accessAt))
    const isOpen = found.type !== 'open' && !isSigned && isEitherWay(factsAt(places), standingOf)
    return isOpen ? OPEN : found
  }
  const atExits = accessAtAny(exits)
  const refusedAt = exits
    .map(({ facts }) => facts.flatMap(addressRefused))
    .reduce((a, b) => a.filter((one) => b.includes(one)), exits[0]?.facts.flatMap(addressRefused) ?? [])[0]
  const hasExit = exits.length > 0
  // What a path changes before it reverts does not count, so that a guard may come after a change.
  const unlocked = changes.filter((effect) => !isStoreIn(effect, locks))
  const atChanges = accessAtAny(unlocked.length > 0 ? unlocked : changes)
  const access = !hasExit || atExits.type === 'guarded' ? atExits : worse(atChanges, atExits)
  return {
    selector: `0x${(selector ?? 0n).toString(16).padStart(8, '0')}`,
    isFallback: selector === undefined,
    access: changes.length === 0 ? OPEN : access,
    effects,
    reads: [...reads].map(readAt),
    isView: changes.length === 0,
    isWhole: hasExit && atExits.type === 'guarded',
    isOnce,
    isInitializer: isOnce || isMarked(effects, locks) || isNestedInitializer(effects),
    accessAtAny: (places) => (atExits.type === 'guarded' ? atExits : accessAtAny(places)),
    atExits,
    ...(refusedAt && { refusedAt }),
  }
}

/** The address that the contract must not have. */
function addressRefused({ term: { kind, op, args }, holds }: Fact): readonly Hex[] {
  const [address, self] = args.map((arg) => withoutMask(arg))
  const isCompared = kind === 'operation' && op === OP.EQ && address?.kind === 'constant' && self?.kind === 'self'
  return isCompared && !holds ? [accountAt(address.value)] : []
}

/** Where a function reads. An element that is found by a search is believed to be one of its array. */
function readAt(term: Term): Position {
  const position = positionOf(term, [])
  const { hash, fixed } = addends(term)
  return position.type !== 'anywhere' || hash === undefined || (fixed > LARGEST_STEP && fixed < TOP - LARGEST_STEP)
    ? position
    : { type: 'hashed', bytes: bytesHashed(hash), isBelow: true }
}

const LARGEST_STEP = 1n << 32n
const TOP = 1n << 256n

const factsAt = (places: readonly RawEffect[]): readonly RawEffect['facts'][] => places.map(({ facts }) => facts)

/** Where changes are guarded, an end without a guard has changed nothing. */
const worse = (atChanges: Access, atExits: Access): Access => {
  if (atChanges.type === 'guarded') return atChanges
  return atChanges.type === 'open' ? (atExits.type === 'unknown' ? atExits : atChanges) : atChanges
}

export const isStoreIn = ({ kind, subject }: RawEffect, slots: ReadonlySet<Hex>): boolean => {
  const slot = kind === 'store' ? valueOf(subject) : undefined
  return slot !== undefined && slots.has(word(slot))
}

/** Slots that the function sets and sets back: locks against reentrance. */
export function lockSlots(changes: readonly RawEffect[]): ReadonlySet<Hex> {
  const values = new Map<Hex, Set<Term>>()
  for (const { kind, subject, value } of changes) {
    const slot = kind === 'store' ? valueOf(subject) : undefined
    if (slot === undefined || value === undefined) continue
    const known = values.get(word(slot)) ?? new Set()
    values.set(word(slot), known.add(value))
  }
  const isMark = (value: Term): boolean =>
    value.kind === 'constant' ||
    (value.kind === 'operation' &&
      value.args.some(({ kind }) => kind === 'constant') &&
      !value.args.some(({ kind }) => kind === 'input'))
  return new Set([...values].filter(([, all]) => all.size > 1 && [...all].every(isMark)).map(([slot]) => slot))
}

/** Whether each end requires that a mark in a slot is not set, and the function writes the slot. */
function isMarked(effects: readonly RawEffect[], locks: ReadonlySet<Hex>): boolean {
  const written = new Set(effects.flatMap(({ kind, subject }) => (kind === 'store' ? (valueOf(subject) ?? []) : [])))
  const exits = effects.filter(({ kind }) => kind === 'exit')
  return (
    exits.length > 0 &&
    exits.every(({ facts }) =>
      facts.some(({ term, holds }) => {
        const slot = holds ? undefined : slotTested(term)
        return slot !== undefined && written.has(slot) && !locks.has(word(slot))
      }),
    )
  )
}

/**
 * Whether each end requires that one mark in a slot is not set, or that another mark in that slot is: initializers before
 * OpenZeppelin 4.7, which let others run inside them. Unlike a lock, the first mark stays set.
 */
function isNestedInitializer(effects: readonly RawEffect[]): boolean {
  const written = new Set(effects.flatMap(({ kind, subject }) => (kind === 'store' ? (valueOf(subject) ?? []) : [])))
  const ends = effects
    .filter(({ kind }) => kind === 'exit')
    .map(({ facts }) => {
      const tests = facts.flatMap(({ term, holds }) => {
        const slot = slotTested(term)
        return slot !== undefined && written.has(slot) ? [{ term, holds, slot }] : []
      })
      return { unset: tests.filter(({ holds }) => !holds), set: tests.filter(({ holds }) => holds) }
    })
  return ends
    .flatMap(({ unset }) => unset)
    .some(({ term, slot }) => {
      const isFirst = ends.map(({ unset }) => unset.some((test) => test.term === term))
      const isNested = ends.map(({ set }) => set.some((test) => test.slot === slot && test.term !== term))
      const isRepeated = ends.some(({ set }) => set.some((test) => test.term === term))
      return isNested.includes(true) && !isRepeated && ends.every((_, at) => isFirst[at] || isNested[at])
    })
}

/** The slot whose content, or a part of it, a condition tests for zero. */
function slotTested(term: Term): bigint | undefined {
  if (term.kind === 'stored') return valueOf(term.args[0] as Term)
  const [left, right] = term.args
  if (term.kind !== 'operation' || left?.kind !== 'constant' || right === undefined) return undefined
  return slotTested(right)
}

/** Whether a store removes the value before, or bits of it. */
export function isCleared(value: Term, position: Term): boolean {
  if (value.kind === 'constant') return value.value === 0n
  const [left, right] = value.args
  if (value.kind !== 'operation' || left === undefined || right === undefined) return false
  const isBefore = (term: Term): boolean => term.kind === 'stored' && term.args[0] === position
  if (value.op === OP.AND) return isBefore(left) || isBefore(right)
  // Those of its bits that are set.
  const isPart = (term: Term): boolean => term.kind === 'operation' && term.op === OP.AND && term.args.some(isBefore)
  return value.op === OP.XOR && ((isBefore(left) && isPart(right)) || (isBefore(right) && isPart(left)))
}
