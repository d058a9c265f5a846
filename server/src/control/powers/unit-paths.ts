/**
 * What a function does with units on each of its paths to an end, followed apart from the others.
 *
 * Where paths meet, conditions are lost, such as that an allowance has no limit or is large enough. A path by itself is a list
 * of stores under all its conditions: what it adds must be taken from the caller, or from an account that has allowed it, or
 * be paid for, each amount once.
 */
import type { Fact } from '../code/conditions.ts'
import type { Dataflow } from '../code/dataflow.ts'
import { positionOf } from '../code/positions.ts'
import { isAccount, type Term } from '../code/terms.ts'
import { isZero } from './acts.ts'
import { type Amount, amountOf, type Difference, isAtLeast, isCovered, type Sum, sumsIn } from './amounts.ts'
import { isAllowed, type Store } from './consents.ts'
import { accountOf, isStoredOf } from './entries.ts'
import type { CodeFunction } from './functions.ts'
import { isApproval, isPaidFor, isSigned } from './paid-units.ts'
import { type Path, pathsApart } from './paths-apart.ts'
import { isIn, isPlainSlot, type UnitTables } from './unit-tables.ts'

/** Whether every path of a function gives and takes units as it is right. */
export const isRightOnPaths = (flow: Dataflow, each: CodeFunction, tables: UnitTables): boolean =>
  pathsApart(flow, each)?.every((path) => isRightPath(each, path, tables)) ?? false

type Change = { readonly store: Store; readonly sums: readonly Sum[] }

function isRightPath(of: CodeFunction, { effects, facts, nowAt }: Path, tables: UnitTables): boolean {
  const each = { ...of, effects }
  const stores = each.effects.filter((effect): effect is Store => effect.kind === 'store' && effect.value !== undefined)
  const all = stores.filter(({ subject }) => !isPlainSlot(subject, tables))
  const at = (store: Store, places: UnitTables['units']): boolean => isIn(positionOf(store.subject, facts), places)
  if (stores.some((store) => at(store, tables.slots) || at(store, tables.items))) return false
  if (all.some((store) => at(store, tables.allowances) && !isApproval(store) && !isSigned(store, each))) return false
  const changes = all
    .filter((store) => at(store, tables.units) && !isSame(store))
    .map((store) => ({ store, sums: sumsIn(store.value) }))
  if (!changes.every((change) => isChange(change, nowAt(change.store), facts))) return false
  const taken = changes.flatMap(({ store, sums }) =>
    sums.flatMap((sum) => sum.taken.map((each) => ({ store, ...each }))),
  )
  const isEntry = ({ from, store }: Taken): boolean => isStoredOf(from.term, store.subject)
  const isUsable = (one: Taken): boolean => !isEntry(one) || isOwnUnits(one, all)
  if (!taken.every((one) => isUsable(one) || isOfContract(one.store))) return false
  const usable = taken.filter(isUsable).map((one) => partsOf(one.taken, facts))
  const sources = [...usable.flatMap((parts) => parts.whole), ...clearedIn(changes)]
  const isTakenToo = (amount: Amount): boolean => isTakenOnce(amount, sources, facts)
  if (!usable.every((parts) => parts.less.every(isTakenToo))) return false
  // What the contract itself has is given on by what is taken from another entry.
  return changes
    .filter(({ store }) => !isOfContract(store))
    .every(({ store, sums }) => {
      const added = sums.flatMap((sum) =>
        sum.added.filter(({ term }) => !isStoredOf(term, store.subject) && !isZero(term)),
      )
      return added.every((amount) => isTakenToo(amount) || isPaidFor(amount, store, each))
    })
}

type Taken = Difference & { readonly store: Store }

const isOfContract = ({ subject }: Store): boolean => accountOf(subject)?.kind === 'self'

const isSame = ({ subject, value }: Store): boolean => value.kind === 'stored' && value.args[0] === subject

/** Whether a store adds to what is there now, or takes from it, and no difference is below zero; or clears an entry of the caller. */
function isChange({ store: { subject, value }, sums }: Change, now: Term, facts: readonly Fact[]): boolean {
  if (isZero(value)) return accountOf(subject)?.kind === 'caller'
  return sums.every(({ added, taken, at }) => {
    const old = added.filter(({ term }) => isStoredOf(term, subject))
    return (
      old.length === 1 &&
      old.every(({ term, shift }) => term === now && (shift === at || added.length === 1)) &&
      taken.every((difference) => isCovered(difference, facts))
    )
  })
}

/** Whether units belong to the caller, or to an account that has allowed to take them. */
function isOwnUnits({ store, taken }: Taken, all: readonly Store[]): boolean {
  const account = accountOf(store.subject)
  return (
    account !== undefined && (isAccount(account) || isAllowed(account, taken, store, { all, mayMiss: () => false }))
  )
}

/** What entries of the caller held that are cleared. */
const clearedIn = (changes: readonly Change[]): Amount[] =>
  changes.flatMap(({ store: { subject, value } }) => {
    const isOfCaller = accountOf(subject)?.kind === 'caller'
    return isZero(value) && isOfCaller ? changes.flatMap(({ sums }) => addedFrom(sums, subject)).slice(0, 1) : []
  })

const addedFrom = (sums: readonly Sum[], place: Term): readonly Amount[] =>
  sums.flatMap(({ added }) => added.filter(({ term }) => term.kind === 'stored' && term.args[0] === place))

/** What an amount is a sum of, and what is left out of it. */
function partsOf(
  amount: Amount,
  facts: readonly Fact[],
): { readonly whole: readonly Amount[]; readonly less: readonly Amount[] } {
  const [sum] = amountOf(amount.term).term === amount.term ? sumsIn(amount.term) : []
  const isWhole = sum === undefined || sum.taken.length === 0 || !sum.taken.every((each) => isCovered(each, facts))
  return isWhole ? { whole: [amount], less: [] } : { whole: sum.added, less: sum.taken.map(({ taken }) => taken) }
}

/** Removes a source that is at least the amount. */
function isTakenOnce(amount: Amount, sources: Amount[], facts: readonly Fact[]): boolean {
  const found = sources.findIndex((source) => isAtLeast(source, amount, facts))
  if (found >= 0) sources.splice(found, 1)
  return found >= 0
}
