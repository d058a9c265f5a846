/** Whether units are paid for, and whether an allowance is given by the owner of the units. */
import type { Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { isAccount, type Term, withoutMask } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { isFromCaller, isPaid, isZero } from './acts.ts'
import { type Amount, amountOf, isCovered, sumsIn } from './amounts.ts'
import type { Store } from './consents.ts'
import { accountOf, hashedIn, isStoredOf } from './entries.ts'
import { companions, isCost, isPrice } from './exchanges.ts'
import { accountsNamed } from './free-amounts.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import { mentions } from './guards.ts'
import { isProductChecked } from './proportions.ts'
import { signsHashes } from './signers.ts'
import { isOwnBalance, tokenCallOf } from './token-calls.ts'

/** Whether an amount is paid for, in ether or in tokens of another contract. Their rate is not judged. */
export function isPaidFor(amount: Amount, effect: Store, each: CodeFunction): boolean {
  const given = { act: 'mint', effect, amount: amount.term } as const
  const others = companions(given, each)
  const isPayment = isPaidInEther(amount.term, effect.facts)
  if (isPayment || effect.facts.some((fact) => isPricedBy(fact, amount.term, effect.facts)))
    return !others.some((other) => isRefund(other) || isPaidAgain(other))
  const costs = others.filter((other) => isCost(other) && tokenCallOf(other)?.isNamed === true)
  return costs.some((cost) => isPrice(cost, given, others)) || isByBalance(amount.term, each)
}

/** Ether that goes back to the caller, or to an account that it names. */
const isRefund = ({ kind, op, subject, amount }: RawEffect): boolean => {
  const to = withoutMask(subject)
  return kind === 'call' && op !== OP.STATICCALL && !isZero(amount) && (isAccount(to) || isFromCaller(to))
}

/** The same ether is not paid for something else. */
const isPaidAgain = ({ kind, subject, value }: RawEffect): boolean =>
  kind === 'store' && value !== undefined && valueOf(subject) === undefined && mentions(value, isPaid)

/** Whether an amount is the ether of the call, a share of it, or so many times it, as the contract says. */
function isPaidInEther(term: Term, facts: readonly Fact[]): boolean {
  if (isPaid(term)) return true
  const [left, right] = term.args
  if (term.kind !== 'operation' || left === undefined || right === undefined) return false
  const isFixed = (part: Term): boolean => !isFromCaller(part)
  const is = (part: Term): boolean => isPaidInEther(part, facts)
  switch (term.op) {
    case OP.AND:
      return left.kind === 'constant' && is(right)
    case OP.ADD:
      return is(left) && is(right)
    case OP.SUB:
      return is(left) && isCovered({ difference: term, from: amountOf(left), taken: amountOf(right) }, facts)
    case OP.MUL:
      return (is(left) && isFixed(right)) || (is(right) && isFixed(left))
    case OP.DIV:
      return is(left) && isFixed(right)
    case OP.SHR:
    case OP.SHL:
      return left.kind === 'constant' && is(right)
    default:
      return false
  }
}

/** Whether a condition asks for ether by the amount, at a price that the contract says. */
function isPricedBy({ term, holds }: Fact, amount: Term, facts: readonly Fact[]): boolean {
  const [left, right] = term.args
  if (term.kind !== 'operation' || left === undefined || right === undefined) return false
  const isPriceOf = (price: Term): boolean => {
    const [one, other] = price.args
    // A fixed amount has a fixed price.
    if (price === amount || (amount.kind === 'constant' && price.kind === 'constant')) return !isZero(price)
    if (price.kind !== 'operation' || one === undefined || other === undefined) return false
    const factors = price.op === OP.MUL ? [one, other] : price.op === OP.DIV ? [one] : []
    const isChecked = price.op !== OP.MUL || isProductChecked(price, facts)
    const rates = price.op === OP.MUL ? (isPriceOf(one) ? [other] : [one]) : [other]
    return isChecked && factors.some(isPriceOf) && !rates.some((rate) => isFromCaller(rate) || isZero(rate))
  }
  if (term.op === OP.EQ) return holds && ((isPaid(left) && isPriceOf(right)) || (isPaid(right) && isPriceOf(left)))
  return term.op === OP.LT && (holds ? isPaid(right) && isPriceOf(left) : isPaid(left) && isPriceOf(right))
}

/** An amount that the caller does not choose, of a function that asks other contracts what this one has. */
function isByBalance(amount: Term, { effects }: CodeFunction): boolean {
  const asks = effects.some(({ facts, value }) =>
    [...facts.map(({ term }) => term), ...(value === undefined ? [] : [value])].some((term) =>
      mentions(term, isOwnBalance),
    ),
  )
  return asks && !mentions(amount, ({ kind }) => kind === 'input')
}

/** An allowance that shrinks, or one of the caller's own units for an account of its choice. */
export function isApproval({ subject, value, facts }: Store): boolean {
  const sums = sumsIn(value)
  const isLess = sums.every(
    ({ added, taken, at }) =>
      added.length === 1 &&
      added.every(({ term, shift }) => isStoredOf(term, subject) && (shift === at || taken.length === 0)) &&
      taken.every((difference) => isCovered(difference, facts)),
  )
  const isOwn = accountOf(subject)?.kind === 'caller'
  return isLess || isCleared(value, subject) || (isOwn && isForInput(subject))
}

/** Whether the caller passes the account that an entry of an owner is for: neither fixed nor computed. */
export function isForInput(position: Term): boolean {
  const owner = accountOf(position)
  const hashed = hashedIn(position).map(withoutMask)
  const isPlain = ({ kind }: Term): boolean => kind === 'caller' || kind === 'input' || kind === 'constant'
  return (
    hashed.every((each) => isPlain(each) || (owner !== undefined && each === withoutMask(owner))) &&
    hashed.some(isInput) &&
    hashed.filter((each) => each.kind === 'constant').length < 2
  )
}

/** The owner of the units has signed for the allowance, or calls, and passes the account that it is for. */
export function isSigned({ subject, facts }: Store, { effects }: CodeFunction): boolean {
  const account = accountOf(subject)
  return (
    account !== undefined &&
    isForInput(subject) &&
    signsHashes(effects) &&
    facts.flatMap(accountsNamed).some((each) => withoutMask(each) === withoutMask(account))
  )
}

const isInput = ({ kind }: Term): boolean => kind === 'input'
