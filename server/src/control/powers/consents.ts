/** Whether the accounts agree from whose entries a function takes something. */
import { type Fact, isClock } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { type Term, withoutMask } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { type Amount, amountOf, isAtLeast, isCovered, type Sum, sumsIn } from './amounts.ts'
import { accountOf, isBehindLast, isEmptyBefore } from './entries.ts'
import { isPermit2 } from './free-amounts.ts'
import type { CodeFunction } from './functions.ts'
import { mentions } from './guards.ts'

export type Store = RawEffect & { readonly value: Term }
/** All of a function. */
export type Stores = Pick<CodeFunction, 'mayMiss'> & { readonly all: readonly Store[] }

/** When an amount was stored, next to it in the same word. */
export const isTime = ({ added: [time, ...others], taken }: Sum): boolean =>
  others.length === 0 && taken.length === 0 && time !== undefined && isClock(time.term)

export const isTakenBy = (amount: Amount, { value, facts }: Store): boolean =>
  sumsIn(value).some(({ taken }) =>
    taken.some((each) => isAtLeast(each.taken, amount, facts) && isCovered(each, facts)),
  )

/** The entry that names the account whose element a store changes. */
export function namingEntry({ subject }: Store): Term | undefined {
  const account = withoutMask(accountOf(subject) ?? subject)
  return account.kind === 'stored' ? account.args[0] : undefined
}

/** Whether a store writes the time of an entry, whose amount another store writes into the same word. */
export const isTimeOf = ({ subject, value }: Store, store: Store): boolean =>
  subject === store.subject &&
  sumsIn(value).every(
    (sum) =>
      isTime(sum) ||
      (sum.taken.length === 0 && sum.added.every(({ term }) => term.kind === 'stored' && term.args[0] === subject)),
  )

/**
 * Whether the account whose entry is lowered makes the call, or has allowed it. The votes of a delegate are those of the account
 * that names it. `isOld`: an amount is what was stored for the account before.
 */
export function isConsented(store: Store, isOld: (amount: Amount) => boolean, stores: Stores): boolean {
  const { subject, facts } = store
  const sums = sumsIn(store.value)
  const lowered = sums.flatMap(({ taken }) => taken.map((each) => each.taken))
  const isZero = ({ term }: Amount): boolean => term.kind === 'constant' && term.value === 0n
  const isCleared = sums.every((sum) => isTime(sum) || sum.added.every(isZero))
  // A new entry says nothing of the last one.
  const isReplaced =
    isBehindLast(subject) &&
    !sums.some(({ added }) => added.some((amount) => isOld(amount) && amount.term.args[0] !== subject)) &&
    !facts.some((fact) => isEmptyBefore(subject, fact)) &&
    !(sums.some(isTime) && stores.all.some((other) => isTimeOf(store, other) && !sumsIn(other.value).some(isTime)))
  const account = accountOf(namingEntry(store) ?? subject)
  if (lowered.length === 0 && !isCleared && !isReplaced) return true
  if (account === undefined || withoutMask(account).kind === 'caller') return true
  return lowered.length > 0 && lowered.every((amount) => isAllowed(account, amount, store, stores))
}

/** Whether an amount of an account may be taken: the account is the caller, or has allowed it to the caller. */
export function isAllowed(account: Term | undefined, amount: Amount, store: Store, { all, mayMiss }: Stores): boolean {
  if (account === undefined) return false
  if (account.kind === 'caller') return true
  const isEntryOfBoth = (term: Term): boolean =>
    term.kind === 'stored' &&
    mentions(term, (part) => part.kind === 'caller') &&
    mentions(term, (part) => part === account)
  const isConsent = (fact: Fact): boolean =>
    isSameAs(fact, account) || isPermit2(fact) || isEnough(fact, isEntryOfBoth, amount, store.facts)
  if (store.facts.some(isConsent)) return true
  const spending = all.filter(
    (other) =>
      isTakenBy(amount, other) &&
      sumsIn(other.value).some(({ taken }) => taken.some(({ from }) => isEntryOfBoth(from.term))),
  )
  const isExcused = (fact: Fact): boolean => isConsent(fact) || isNothing(fact, amount)
  return spending.length > 0 && !mayMiss(store, spending, isExcused)
}

/** Whether a condition says that an amount is zero. */
export function isNothing({ term, holds }: Fact, amount: Amount): boolean {
  const isIt = (part: Term | undefined): boolean => part !== undefined && amountOf(part).term === amount.term
  const [left, right] = term.args
  if (isIt(term)) return !holds
  if (term.kind !== 'operation' || left === undefined || valueOf(left) !== 0n) return false
  return isIt(right) && (term.op === OP.EQ ? holds : term.op === OP.LT && !holds)
}

/** Whether a condition says that an entry is at least the amount, has no limit, or is set as a yes. */
function isEnough(
  { term, holds }: Fact,
  isEntryOf: (term: Term) => boolean,
  amount: Amount,
  facts: readonly Fact[],
): boolean {
  const own = amountOf(term)
  if (holds && isEntryOf(own.term)) return own.bits <= 8
  const [left, right] = term.args
  if (term.op === OP.NOT && left !== undefined) return !holds && isEntryOf(left)
  if (term.kind !== 'operation' || left === undefined || right === undefined) return false
  const [first, second] = [amountOf(left), amountOf(right)]
  if (term.op === OP.EQ && holds)
    return (isEntryOf(first.term) && isUnlimited(right)) || (isEntryOf(second.term) && isUnlimited(left))
  if (term.op !== OP.LT) return false
  if (holds) return isEntryOf(second.term) && isAtLeast(first, amount, facts)
  return isEntryOf(first.term) && (isUnlimited(right) || isAtLeast(second, amount, facts))
}

/** The largest number of its size, by which allowances without a limit are stored. */
const isUnlimited = (term: Term): boolean => isMaximum(term) && (term.value ?? 0n) > LARGE
const isMaximum = ({ kind, value }: Term): boolean =>
  kind === 'constant' && value >= MAX_UINT32 && (value & (value + 1n)) === 0n
const MAX_UINT32 = (1n << 32n) - 1n
const LARGE = 1n << 90n

const isSameAs = ({ term: { op, args }, holds }: Fact, account: Term): boolean =>
  holds && op === OP.EQ && args.some(({ kind }) => kind === 'caller') && args.includes(account)
