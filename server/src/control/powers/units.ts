/**
 * Units of a token that functions which are open to all give or take, other than as it is proven to be right.
 *
 * A store into what `balanceOf` reads is right if what it adds is taken from the caller, or from an account that has allowed
 * it, or is paid for, and if what it takes belongs to such an account. What is not proven is a power of accounts that are not
 * known: evidence may only lower a tone.
 */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import { areContradictory, includesAll } from '../code/conditions.ts'
import type { Dataflow, RawEffect } from '../code/dataflow.ts'
import { LEAST_HASH } from '../code/hits.ts'
import { OP } from '../code/instructions.ts'
import { originOf } from '../code/named-slots.ts'
import { positionOf } from '../code/positions.ts'
import { isAccount, type Term } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { isFromCaller, isZero } from './acts.ts'
import { type Amount, sumsIn } from './amounts.ts'
import { isAllowed, type Store, type Stores } from './consents.ts'
import { accountOf, isStoredOf, mappingOfVyper } from './entries.ts'
import { isLarge } from './free-amounts.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import type { Judged } from './gifts.ts'
import { checksSignature, mentions } from './guards.ts'
import { isApproval, isForInput, isPaidFor, isSigned } from './paid-units.ts'
import { signsHashes } from './signers.ts'
import { isRightOnPaths } from './unit-paths.ts'
import { BALANCE, entriesOf, isIn, isJudged, type UnitTables } from './unit-tables.ts'

type Unproven = { readonly act: PowerEffect; readonly effect: RawEffect }

/** What a function that is not reserved gives or takes without proof that it is right. */
export function unprovenUnits(flow: Dataflow, each: CodeFunction, tables: UnitTables): readonly Unproven[] {
  const found = unprovenStores(each, tables)
  return found.length === 0 || isRightOnPaths(flow, each, tables) ? [] : found
}

/**
 * What a function that is reserved to some accounts changes of the units or items of others: it gives more than it takes, or
 * takes what the account has not allowed. The accounts that may call it create units, or move those of others.
 */
export function reservedUnits(flow: Dataflow, each: CodeFunction, tables: UnitTables): readonly Unproven[] {
  if (each.isView || each.isOnce || each.access.type !== 'guarded') return []
  const stores = entriesOf(each, tables)
  const group = { all: stores.map(({ effect }) => effect), mayMiss: each.mayMiss }
  const found = stores.flatMap((store): readonly Unproven[] => {
    const { effect } = store
    const position = positionOf(effect.subject, effect.facts)
    if (position.type !== 'table') {
      const isUnits =
        isOfAllBalances(effect, tables) ||
        (isFixedBalance(effect, flow, each) && isIn(position, tables.balances)) ||
        (isBalanceOfVyper(effect, flow) && !isGivenRightly(store, each, tables))
      return isUnits ? [{ act: 'mint', effect }] : []
    }
    if (isIn(position, tables.items))
      return isCleared(effect.value, effect.subject) ? [] : [{ act: 'move_funds', effect }]
    if (!isIn(position, tables.balances)) return []
    if (!isGivenRightly(store, each, tables)) return [{ act: 'mint', effect }]
    return isTakenRightly(effect, group, tables) ? [] : [{ act: 'move_funds', effect }]
  })
  return found.length === 0 || isRightOnPaths(flow, each, tables) ? [] : found
}

/** A number, chosen by the caller, with which all balances are computed. Words of several values, such as times, are not. */
function isOfAllBalances({ subject, value, facts }: Store, { slots }: UnitTables): boolean {
  const position = positionOf(subject, facts)
  return position.type === 'slot' && value.op !== OP.OR && isFromCaller(value) && isIn(position, slots)
}

/** The balance of an account in the code, whose slot the compiler has computed: no other function reads it by that slot. */
function isFixedBalance({ subject, value }: Store, { functions }: Dataflow, { selector }: CodeFunction): boolean {
  const slot = valueOf(subject)
  const isAmount = isLarge(value) || isFromCaller(value) || value.kind === 'operation'
  if (slot === undefined || slot < LEAST_HASH || !isAmount || originOf(slot) !== undefined) return false
  return [...functions].every(
    ([other, reads]) => other === BigInt(selector) || [...reads].every((read) => valueOf(read) !== slot),
  )
}

/** An entry of the mapping that `balanceOf` reads, in the order in which Vyper hashes them. */
function isBalanceOfVyper({ subject }: Store, { functions }: Dataflow): boolean {
  const mapping = mappingOfVyper(subject)
  const reads = [...(functions.get(BigInt(BALANCE)) ?? [])]
  return mapping !== undefined && reads.some((read) => mappingOfVyper(read) === mapping)
}

function unprovenStores(each: CodeFunction, tables: UnitTables): readonly Unproven[] {
  if (!isJudged(each) || tables.balances.length === 0) return []
  const stores = entriesOf(each, tables)
  const all = stores.map(({ effect }) => effect)
  return stores.flatMap((store): readonly Unproven[] => {
    const { effect } = store
    const position = positionOf(effect.subject, effect.facts)
    // Where one item is stored is often computed from its number.
    if (tables.hasItems && position.type !== 'table') return []
    const isRight =
      !isIn(position, tables.slots) &&
      (!isIn(position, tables.units) || isGivenRightly(store, each, tables)) &&
      (!isIn(position, tables.allowances) || isApproval(effect) || isSigned(effect, each) || mayBeSigned(effect, each))
    if (!isRight) return [{ act: 'mint', effect }]
    return isIn(position, tables.units) && !isTakenRightly(effect, { all, mayMiss: each.mayMiss }, tables)
      ? [{ act: 'move_funds', effect }]
      : []
  })
}

function isGivenRightly({ effect, isEarned, unearned }: Judged, each: CodeFunction, tables: UnitTables): boolean {
  if ((isEarned && isOfNow(effect)) || isUnchanged(effect) || (tables.hasItems && isItemCount(effect))) return true
  return (
    isOfNow(effect) &&
    (unearned?.every((amount) => isGivenUp(amount, effect, each) || isPaidFor(amount, effect, each)) ?? false)
  )
}

/** What a sum adds to is what is stored there now. */
const isOfNow = ({ subject, value, epoch }: Store): boolean =>
  sumsIn(value).every(({ added }) =>
    added.every(({ term }) => !isStoredOf(term, subject) || (term.args[0] === subject && term.tag === epoch)),
  )

/** What was stored before is stored again, or bits of it. */
const isUnchanged = ({ subject, value }: Store): boolean =>
  isCleared(value, subject) || (value.kind === 'stored' && value.args[0] === subject)

/** One item more, or one less. */
const isItemCount = ({ subject, value }: Store): boolean =>
  sumsIn(value).every(
    ({ added, taken }) =>
      added.every(({ term }) => isStoredOf(term, subject) || isOne(term)) &&
      taken.every((each) => isOne(each.taken.term)),
  )
const isOne = (term: Term): boolean => {
  const value = valueOf(term)
  return value === 1n || value === (1n << 256n) - 1n
}

/** An entry of the caller that is cleared for it. */
function isGivenUp({ term }: Amount, store: Store, { effects }: CodeFunction): boolean {
  const [place] = term.args
  if (term.kind !== 'stored' || place === undefined || accountOf(place)?.kind !== 'caller') return false
  const adding = effects.filter(
    (other) =>
      other.kind === 'store' &&
      other !== store &&
      other.value !== undefined &&
      mentions(other.value, (part) => part === term) &&
      !areContradictory(other.facts, store.facts),
  )
  return (
    adding.length === 0 &&
    effects.some(
      (other) =>
        other.kind === 'store' &&
        other.subject === place &&
        isZero(other.value) &&
        includesAll(store.facts, other.facts),
    )
  )
}

/** The check of a signature is not understood: it may be that of the owner. */
const mayBeSigned = (effect: Store, { effects, accessAtAny }: CodeFunction): boolean =>
  effects.some(checksSignature) &&
  signsHashes(effects) &&
  accessAtAny([effect]).type === 'unknown' &&
  isForInput(effect.subject)

/** Whether what a store takes belongs to the caller, to the contract, or to an account that has allowed it. */
function isTakenRightly(store: Store, { all, mayMiss }: Stores, { hasItems }: UnitTables): boolean {
  const taken = sumsIn(store.value).flatMap((sum) => sum.taken)
  const account = accountOf(store.subject)
  if (taken.length === 0 && !isZero(store.value)) return true
  if (account === undefined || isAccount(account) || account.kind === 'self') return account !== undefined
  if (hasItems && isItemCount(store)) return true
  return taken.length > 0 && taken.every((each) => isAllowed(account, each.taken, store, { all, mayMiss }))
}
