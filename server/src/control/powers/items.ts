/**
 * Items (ERC-721) and numbered units (ERC-1155, ERC-6909) that functions which are open to all move, or let others move.
 *
 * Each path to such a store must pass a condition by which the caller is the owner, or an account that the owner has allowed,
 * or by which the item has no owner yet. What is stored in another form than in mappings is not judged.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { type Term, withoutMask } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { isZero } from './acts.ts'
import { amountOf, sumsIn } from './amounts.ts'
import type { Store } from './consents.ts'
import { accountOf, hashedIn } from './entries.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import { checksSignature } from './guards.ts'
import { isApproval, isSigned } from './paid-units.ts'
import { remembered } from './remembered.ts'
import { ALL_BITS } from './stored-bits.ts'
import { isIn, isJudged } from './unit-tables.ts'

const OWNER_OF: Hex = '0x6352211e' // ownerOf(uint256)
const SPENDER_OF: Hex = '0x081812fc' // getApproved(uint256)
const NUMBERED_BALANCE: Hex = '0x00fdd58e' // balanceOf(address,uint256)
const NUMBERED_ALLOWANCE: Hex = '0x598af9e7' // allowance(address,address,uint256)
const OPERATORS: ReadonlySet<Hex> = new Set<Hex>([
  '0xe985e9c5', // isApprovedForAll(address,address)
  '0xb6363cf2', // isOperator(address,address)
])

/** Where a contract keeps items and numbered units, and who may move them. */
export type ItemTables = {
  readonly owners: readonly Position[]
  readonly spenders: readonly Position[]
  readonly operators: readonly Position[]
  readonly numbered: readonly Position[]
  readonly allowances: readonly Position[]
}

export function itemTablesOf(functions: readonly CodeFunction[]): ItemTables {
  const readBy = (is: (selector: Hex) => boolean, keys: number): readonly Position[] =>
    functions
      .filter(({ selector }) => is(selector))
      .flatMap(({ reads }) => reads.filter((each) => each.type === 'table' && each.keys.length === keys))
  // A list or a search for the owner reads more than one entry.
  const found =
    functions.find(({ selector }) => selector === OWNER_OF)?.reads.filter(({ type }) => type !== 'slot') ?? []
  const owners = found.length === 1 ? readBy((selector) => selector === OWNER_OF, 1) : []
  return {
    owners,
    spenders:
      owners.length === 0 ? [] : readBy((selector) => selector === SPENDER_OF, 1).filter((each) => !isIn(each, owners)),
    operators: readBy((selector) => OPERATORS.has(selector), 2),
    numbered: readBy((selector) => selector === NUMBERED_BALANCE, 2),
    allowances: readBy((selector) => selector === NUMBERED_ALLOWANCE, 3),
  }
}

/** A store by which an open function moves what others own, or lets others move it, without proof that it may. */
export function unprovenItem(each: CodeFunction, tables: ItemTables): RawEffect | undefined {
  if (!isJudged(each)) return undefined
  // A check of a signature that is not understood may be that of the owner.
  if (each.effects.some(checksSignature)) return undefined
  const stores = each.effects.filter((effect): effect is Store => effect.kind === 'store' && effect.value !== undefined)
  return stores.find((store) => {
    const position = positionOf(store.subject, store.facts)
    if (position.type !== 'table') return false
    if (isIn(position, tables.operators) || isIn(position, tables.allowances))
      return !isApproval(store) && !isSigned(store, each)
    if (isIn(position, tables.owners)) return !isMovedRightly(store, each, tables)
    if (isIn(position, tables.spenders))
      return !isCleared(store.value, store.subject) && !isMovedRightly(store, each, tables)
    return isIn(position, tables.numbered) && takes(store) && !isTakenRightly(store, stores, each)
  })
}

/** Whether every call that makes a store has shown that the caller may move the item. */
function isMovedRightly(store: Store, { mayMiss }: CodeFunction, tables: ItemTables): boolean {
  const item = accountOf(store.subject)
  const isOf = (term: Term, places: readonly Position[]): boolean => {
    const { kind, args } = withoutMask(term)
    const [place] = args
    return kind === 'stored' && place !== undefined && accountOf(place) === item && isIn(positionOf(place, []), places)
  }
  const isStoredOwner = (term: Term): boolean => isOf(term, tables.owners)
  // The caller names the owner, and every path compares it.
  const isNamed = remembered((account: Term): boolean => {
    const isCompared = ({ term: { op, args }, holds }: Fact): boolean =>
      holds && op === OP.EQ && args.some(isStoredOwner) && args.some((arg) => withoutMask(arg) === account)
    return !mayMiss(store, [], isCompared)
  })
  const isOwner = (term: Term): boolean => isStoredOwner(term) || isNamed(withoutMask(term))
  const isOperated = (place: Term): boolean =>
    isIn(positionOf(place, []), tables.operators) && isForCaller(place) && isOwner(accountOf(place) ?? place)
  const isConsent = ({ term, holds }: Fact): boolean => {
    if (!holds) return isStoredOwner(term) || withoutMask(term).kind === 'caller'
    if (term.op === OP.OR) return term.args.every((arg) => isConsent({ term: arg, holds }))
    if (term.op === OP.EQ)
      return term.args.some(isCaller) && term.args.some((arg) => isOwner(arg) || isOf(arg, tables.spenders))
    const { term: entry } = amountOf(term)
    return entry.kind === 'stored' && entry.args[0] !== undefined && isOperated(entry.args[0])
  }
  // In a loop over a list of items it is not known which of them a condition is about.
  return item === undefined || !isOne(item) || !mayMiss(store, [], isConsent)
}

const isOne = (item: Term): boolean =>
  item.kind !== 'opaque' && (item.kind !== 'input' || item.args[0]?.kind === 'constant') && item.args.every(isOne)

const isCaller = (term: Term): boolean => withoutMask(term).kind === 'caller'

/** An entry of another account for the caller. */
const isForCaller = (place: Term): boolean => hashedIn(place).some(isCaller)

/** Whether a store is known to lower an amount, or to set it. */
function takes({ subject, value }: Store): boolean {
  const sums = sumsIn(value)
  const isOld = ({ kind, args }: Term): boolean => kind === 'opaque' || (kind === 'stored' && args[0] === subject)
  return isZero(value) || sums.some(({ added, taken }) => taken.length > 0 || !added.some(({ term }) => isOld(term)))
}

/** Whether every call that takes from an entry has shown that the account is the caller, or allows it to take. */
function isTakenRightly(store: Store, all: readonly Store[], { mayMiss }: CodeFunction): boolean {
  const keys = hashedIn(store.subject).map(withoutMask)
  const isEntry = (place: Term | undefined): boolean => {
    const owner = place === undefined ? undefined : accountOf(place)
    return place !== undefined && owner !== undefined && isForCaller(place) && keys.includes(withoutMask(owner))
  }
  // A condition about the caller in which paths have met may be this one.
  if (keys.some(isCaller) || store.facts.some(({ term }) => term.kind === 'opaque' && term.hasCaller)) return true
  const taken = sumsIn(store.value).flatMap((sum) => sum.taken.map((each) => each.taken.term))
  const spending = all.filter(({ subject, value }) => {
    const lowered = sumsIn(value).flatMap((sum) => sum.taken.map((each) => each.taken.term))
    return isEntry(subject) && taken.every((amount) => lowered.includes(amount))
  })
  const isConsent = ({ term, holds }: Fact): boolean => {
    if (term.op === OP.EQ && holds)
      return term.args.some(isCaller) && term.args.some((arg) => keys.includes(withoutMask(arg)))
    return entriesAllowing({ term, holds }).some(isEntry)
  }
  return !mayMiss(store, spending, isConsent)
}

/** Entries that a condition shows to be set, or to have no limit. */
function entriesAllowing({ term, holds }: Fact): readonly Term[] {
  const [left, right] = term.args
  const { term: entry } = amountOf(term)
  const isEnd = (side: Term | undefined): boolean => side !== undefined && valueOf(side) === ALL_BITS
  const allowing =
    holds && entry.kind === 'stored'
      ? entry
      : (!holds && (term.op === OP.NOT || (term.op === OP.LT && isEnd(right)))) ||
          (holds && term.op === OP.EQ && isEnd(right))
        ? left
        : holds && term.op === OP.EQ && isEnd(left)
          ? right
          : undefined
  return allowing?.kind === 'stored' ? allowing.args.slice(0, 1) : []
}
