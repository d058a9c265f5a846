/** Whether what a function gives is paid for once: what is taken may not count for several things, nor again in each round of a loop. */
import { areContradictory, type Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import type { Term } from '../code/terms.ts'
import { isPaid, isTaken } from './acts.ts'
import { amountOf, isCovered } from './amounts.ts'
import { companions, type Given, isCost, isLess, isSuccessOf, priceOf } from './exchanges.ts'
import type { CodeFunction } from './functions.ts'
import { mentions } from './guards.ts'
import { ratioTo } from './proportions.ts'
import { tokenCallOf } from './token-calls.ts'

/** What pays for something: effects, or the ether of the call. */
type Payment = RawEffect | 'ether'

/** Whether a payment of one thing that is given pays for others too, or is made once for all rounds of a loop. */
export function isPaidOnce(one: Given, all: readonly Given[], each: CodeFunction): boolean {
  const payments = paymentsOf(one, each)
  // What a call brings that moves no token is not known.
  if (payments.length === 0 || payments.some((by) => by !== 'ether' && isOtherCall(by))) return true
  if (payments.every((payment) => mayBeRepeated(one, payment, each))) return false
  const [payment] = payments
  if (payment === undefined || payments.length > 1) return true
  const others = all.filter((other) => {
    if (other.effect === one.effect || areContradictory(one.effect.facts, other.effect.facts)) return false
    if (isGivenBack(one, other) || isGivenBack(other, one)) return false
    const its = paymentsOf(other, each)
    return its.length === 1 && its[0] === payment
  })
  return others.length === 0 || isEnough(payment, [one, ...others])
}

const isOtherCall = (effect: RawEffect): boolean => effect.kind === 'call' && tokenCallOf(effect) === undefined

const hasEther = (amount: Term | undefined): boolean => amount !== undefined && mentions(amount, isPaid)

function paymentsOf(given: Given, { effects }: CodeFunction): readonly Payment[] {
  const others = companions(given, { effects })
  const costs = others.filter(
    (other) => (other.kind === 'store' || isCost(other)) && priceOf(other, given, others) !== undefined,
  )
  return hasEther(given.amount) || given.effect.facts.some((fact) => isAsked(fact, given)) ? ['ether', ...costs] : costs
}

/** The ether of the call must be the amount. */
const isAsked = ({ term, holds }: Fact, { amount }: Given): boolean =>
  holds && term.op === OP.EQ && term.args.some(isPaid) && amount !== undefined && term.args.includes(amount)

/** Whether something is given only where the call has failed that would give the other. */
const isGivenBack = (one: Given, { effect }: Given): boolean =>
  one.effect.facts.some(({ term, holds }) => !holds && isSuccessOf(term, effect))

/** A payment that is repeated too is taken to pay for each round. */
function mayBeRepeated({ effect }: Given, payment: Payment, { mayRepeat }: CodeFunction): boolean {
  return payment === 'ether' ? mayRepeat(effect) : mayRepeat(effect, payment) && !mayRepeat(payment)
}

/** Whether what is taken is at least the sum of what is given, by their form. */
function isEnough(payment: Payment, given: readonly Given[]): boolean {
  const facts = [...(payment === 'ether' ? [] : payment.facts), ...given.flatMap(({ effect }) => effect.facts)]
  const sum = new Map<Term, bigint>()
  for (const { amount } of given) {
    if (amount === undefined) return false
    addTo(sum, amount, facts)
  }
  const taken = payment === 'ether' ? etherIn(given) : takenBy(payment)
  if (taken === undefined) return false
  const left = new Map(sum)
  addTo(left, taken, facts, -1n)
  if ([...left.values()].every((times) => times <= 0n)) return true
  // The parts of what is taken, in millionths.
  let parts = 0n
  for (const [term, times] of sum) {
    if (times < 0n) continue
    const ratio = ratioTo(term, taken, facts)
    if (ratio === undefined || ratio.rates.length > 0) return false
    parts += (times * ratio.times * 1_000_000n + ratio.per - 1n) / ratio.per
  }
  return parts <= 1_000_000n
}

function etherIn(given: readonly Given[]): Term | undefined {
  let found: Term | undefined
  const note = (part: Term): boolean => isPaid(part) && (found = part) !== undefined
  for (const { amount, effect } of given) {
    if (amount !== undefined) mentions(amount, note)
    for (const { term } of effect.facts) mentions(term, note)
  }
  return found
}

function takenBy(payment: RawEffect): Term | undefined {
  if (!isLess(payment)) return tokenCallOf(payment)?.amount
  const { value } = payment
  // A bit that is cleared, or an entry that is emptied, pays for what was stored there.
  return value !== undefined && isTaken(value) && value.op === OP.SUB ? value.args[1] : undefined
}

/** Adds a term as the sum that it is; what differences take must not be more than what they take it from. */
function addTo(sum: Map<Term, bigint>, term: Term, facts: readonly Fact[], times = 1n, depth = 0): void {
  const [left, right] = term.args
  const isOperation = term.kind === 'operation' && left !== undefined && right !== undefined && depth < 12
  if (isOperation && term.op === OP.ADD) for (const part of [left, right]) addTo(sum, part, facts, times, depth + 1)
  else if (
    isOperation &&
    term.op === OP.SUB &&
    isCovered({ difference: term, from: amountOf(left), taken: amountOf(right) }, facts)
  ) {
    addTo(sum, left, facts, times, depth + 1)
    addTo(sum, right, facts, -times, depth + 1)
  } else {
    const { term: part, shift } = amountOf(term)
    const known = shift === 0 ? part : term
    sum.set(known, (sum.get(known) ?? 0n) + times)
  }
}
