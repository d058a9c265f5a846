/**
 * What a function does with units on each of its paths to an end, followed apart from the others.
 *
 * Where paths meet, conditions are lost, such as that an allowance has no limit or is large enough. A path by itself is a list
 * of stores under all its conditions: what it adds must be taken from the caller, or from an account that has allowed it, or
 * be paid for, each amount once.
 */
import { type Fact, includesAll } from '../code/conditions.ts'
import { type Dataflow, followExactly, type RawEffect } from '../code/dataflow.ts'
import { mayHit } from '../code/hits.ts'
import { OP } from '../code/instructions.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { isAccount, isAnswerSize, type Term, Terms, valueOf } from '../code/terms.ts'
import { isZero } from './acts.ts'
import { type Amount, amountOf, type Difference, isAtLeast, isCovered, type Sum, sumsIn } from './amounts.ts'
import { accountOf, isStoredOf } from './entries.ts'
import type { CodeFunction } from './functions.ts'
import { isAllowed, type Store } from './gifts.ts'
import { mentions } from './guards.ts'
import { isApproval, isPaidFor, isSigned } from './paid-units.ts'
import { isIn, isPlainSlot, type UnitTables } from './unit-tables.ts'

/** A transfer that asks about fees, limits and lists needs 3,000 steps. */
const BUDGET = { steps: 40_000, nodes: 2_000 }
const MOST_PATHS = 200
const SELECTOR_SHIFT = 224n

/** The input of one function. */
class OneFunction extends Terms {
  readonly #selector: bigint

  constructor(code: Uint8Array, selector: bigint) {
    super(code)
    this.#selector = selector
  }

  override operation(op: number, a: Term, b?: Term): Term {
    const isShifted = op === OP.SHR && valueOf(a) === SELECTOR_SHIFT && b !== undefined && isFirstWord(b)
    const isDivided = op === OP.DIV && isFirstWord(a) && b !== undefined && valueOf(b) === 1n << SELECTOR_SHIFT
    return isShifted || isDivided ? this.constant(this.#selector) : super.operation(op, a, b)
  }
}

const isFirstWord = ({ kind, args: [offset] }: Term): boolean =>
  kind === 'input' && offset !== undefined && isZero(offset)

const FOLLOWED: ReadonlySet<RawEffect['kind']> = new Set(['store', 'log', 'exit', 'call'])
const isFollowed = ({ kind }: RawEffect): boolean => FOLLOWED.has(kind)

/** Sizes of answers, if code asks only whether there is one, and whether it has a word. */
const ANSWER_SIZES = [0n, 1n, 32n]
const LARGEST_SIZE = 32n
/** No answer has so many bytes. */
const MOST_BYTES = 1n << 32n

const isSizeTest = ({ op, args: [left, right] }: Term): boolean => {
  const other = isAnswerSize(left) ? right : left
  return (
    other?.kind === 'constant' &&
    (op === OP.LT ? other.value <= LARGEST_SIZE || other.value > MOST_BYTES : op === OP.EQ && other.value === 0n)
  )
}

/** Whether every path of a function gives and takes units as it is right. */
export function isRightOnPaths({ code, conditions }: Dataflow, each: CodeFunction, tables: UnitTables): boolean {
  if (each.isFallback || !each.effects.every(isFollowed)) return false
  const isCalling = each.effects.some(({ kind }) => kind === 'call')
  const isOfSize = (term: Term): boolean => mentions(term, isAnswerSize)
  if (isCalling && !conditions.every((term) => !isOfSize(term) || isAnswerSize(term) || isSizeTest(term))) return false
  return (isCalling ? ANSWER_SIZES : [0n]).every((size) => {
    const exactness = { answerSize: size, isMerging: false }
    const flow = followExactly(code, new OneFunction(code, BigInt(each.selector)), exactness, BUDGET)
    return isRightIn(flow, each, tables)
  })
}

function isRightIn(flow: Dataflow, each: CodeFunction, tables: UnitTables): boolean {
  const exits = flow.effects.filter(({ kind }) => kind === 'exit')
  if (!flow.settled || exits.length > MOST_PATHS || !flow.effects.every(isFollowed)) return false
  return exits.every(({ facts }) => {
    const on = flow.effects.filter((effect) => includesAll(facts, effect.facts))
    const { rename, factsOf } = readsOnce(flow, on)
    const known = factsOf(facts)
    const effects = on.map(({ value, ...effect }) => ({
      ...effect,
      ...(value && { value: rename(value) }),
      facts: known,
    }))
    const nowAt: NowAt = ({ subject, epoch }) => rename(flow.terms.stored(subject, epoch))
    return isRightPath({ ...each, effects }, known, tables, nowAt)
  })
}

/** Gives reads of a position that no store of the path changes in between one name. */
function readsOnce(
  { terms }: Dataflow,
  path: readonly RawEffect[],
): {
  readonly rename: (term: Term) => Term
  readonly factsOf: (facts: readonly Fact[]) => readonly Fact[]
} {
  const stores = path
    .filter(({ kind, op }) => kind === 'store' || (kind === 'call' && op !== OP.STATICCALL))
    .map(({ kind, subject, facts, epoch }): { readonly position: Position; readonly epoch: string } => ({
      // What is called may call this contract.
      position: kind === 'call' ? { type: 'anywhere' } : positionOf(subject, facts),
      epoch,
    }))
  const known = new Map<Term, Term>()
  const rename = (term: Term): Term => {
    const found = known.get(term) ?? renamed(term)
    known.set(term, found)
    return found
  }
  const renamed = (term: Term): Term => {
    const [left, right] = term.args
    if (term.kind === 'operation' && left !== undefined)
      return terms.operation(term.op, rename(left), ...(right === undefined ? [] : [rename(right)]))
    if (term.kind !== 'stored' || left === undefined) return term
    const position = positionOf(left, [])
    let at = stores.findIndex(({ epoch }) => epoch === term.tag)
    if (at < 0) at = stores.length
    while (at > 0 && !mayHit(stores[at - 1]?.position ?? position, position)) at -= 1
    const first = stores[at]?.epoch
    return first === undefined ? term : terms.stored(left, first)
  }
  const factsOf = (facts: readonly Fact[]): readonly Fact[] =>
    facts.map(({ term, holds }) => ({ term: rename(term), holds }))
  return { rename, factsOf }
}

/** What is stored where a store is made, just before it. */
type NowAt = (store: Store) => Term

type Change = { readonly store: Store; readonly sums: readonly Sum[] }

function isRightPath(each: CodeFunction, facts: readonly Fact[], tables: UnitTables, nowAt: NowAt): boolean {
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
