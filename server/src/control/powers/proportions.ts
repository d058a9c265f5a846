/**
 * How much one amount is of another, by their form.
 *
 * Constant factors count. A rate that is stored, or that another contract answers, counts as one: who may change it is judged
 * where it is stored or answered. What the caller passes, and what is not known, is no rate.
 */
import type { Fact } from '../code/conditions.ts'
import { OP } from '../code/instructions.ts'
import type { Term } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { isFromCaller, isPaid } from './acts.ts'
import { amountOf, isAtLeast, isCovered, type Ratio } from './amounts.ts'
import { mentions } from './guards.ts'

export const SAME: Ratio = { times: 1n, per: 1n, rates: [] }
const MOST_DEPTH = 24
const LARGEST_WORD = (1n << 256n) - 1n

/** The same for equal ratios. */
export function textOf({ times, per }: Ratio): string {
  let [a, b] = [times, per]
  while (b !== 0n) [a, b] = [b, a % b]
  return a === 0n ? '0' : `${times / a}/${per / a}`
}

export const isAbove = (a: Ratio, b: Ratio): boolean => a.times * b.per > b.times * a.per

const inverse = ({ times, per, rates }: Ratio): Ratio => ({ times: per, per: times, rates })
export const product = (a: Ratio, b: Ratio): Ratio => ({
  times: a.times * b.times,
  per: a.per * b.per,
  rates: [...a.rates, ...b.rates],
})

/** How much of what was taken is given; undefined where the form of both does not show it. */
export function ratioTo(given: Term, taken: Term, facts: readonly Fact[]): Ratio | undefined {
  if (given.kind === 'constant')
    return taken.kind === 'constant' && taken.value !== 0n
      ? { times: given.value, per: taken.value, rates: [] }
      : undefined
  const direct = ratioOf(given, taken, { facts, isLower: true })
  if (direct !== undefined) return direct
  const reverse = ratioOf(taken, given, { facts, isLower: false })
  if (reverse !== undefined) return reverse.times === 0n ? undefined : inverse(reverse)
  // Both are computed from a third one.
  for (const common of leavesOf(taken)) {
    const [ofGiven, ofTaken] = [
      ratioOf(given, common, { facts, isLower: true }),
      ratioOf(taken, common, { facts, isLower: false }),
    ]
    if (ofGiven !== undefined && ofTaken !== undefined && ofTaken.times !== 0n)
      return product(ofGiven, inverse(ofTaken))
  }
  return undefined
}

/**
 * `isLower`: the term may be lower than the ratio says, otherwise it may be higher. `isExact`: nor may it differ by one, because
 * it is multiplied.
 */
type Bound = { readonly facts: readonly Fact[]; readonly isLower: boolean; readonly isExact?: true }
/** By as much what is taken may be rounded down: units of fewer decimals. */
const LARGEST_ROUNDING = 10n ** 12n

function ratioOf(term: Term, whole: Term, bound: Bound, depth = 0): Ratio | undefined {
  const [part, all] = [amountOf(term), amountOf(whole)]
  if (bound.isLower ? isAtLeast(all, part, bound.facts) : isAtLeast(part, all, bound.facts)) return SAME
  const [left, right] = term.args
  if (term.kind !== 'operation' || left === undefined || right === undefined || depth > MOST_DEPTH) return undefined
  const inner = (of: Term): Ratio | undefined => ratioOf(of, whole, bound, depth + 1)
  const factor = (of: Term): Ratio | undefined => ratioOf(of, whole, { ...bound, isExact: true }, depth + 1)
  const isRoundable = (by: bigint): boolean => bound.isLower || (bound.isExact !== true && by <= LARGEST_ROUNDING)
  switch (term.op) {
    case OP.AND:
      return left.kind === 'constant' && bound.isLower ? inner(right) : undefined
    case OP.ADD: {
      const [one, other] = [inner(left), inner(right)]
      if (one !== undefined && other !== undefined)
        return { ...product(one, other), times: one.times * other.per + other.times * one.per }
      // Rounded up by one, or more than the ratio says.
      const isMore =
        left.kind === 'constant'
          ? (left.value <= 1n && bound.isExact !== true) || (!bound.isLower && left.value >> 255n === 0n)
          : false
      return isMore ? other : undefined
    }
    case OP.SUB: {
      const difference = { difference: term, from: amountOf(left), taken: amountOf(right) }
      return bound.isLower && isCovered(difference, bound.facts) ? inner(left) : undefined
    }
    case OP.MUL: {
      if (!bound.isLower && !isProductChecked(term, bound.facts)) return undefined
      const [one, other] = [factor(left), factor(right)]
      return one === undefined ? other && scaled(other, left) : scaled(one, right)
    }
    case OP.DIV: {
      if (!isRoundable(right.kind === 'constant' ? right.value : 1n)) return undefined
      const of = inner(isRounding(left, right) ? (left.args[1] as Term) : left)
      const scale = of && scaled(SAME, right)
      return scale && scale.times !== 0n ? product(of, inverse(scale)) : undefined
    }
    case OP.SHR:
    case OP.SHL: {
      if (left.kind !== 'constant' || left.value >= 256n) return undefined
      const scale = { times: 1n << left.value, per: 1n, rates: [] }
      if (term.op === OP.SHL) return times(factor(right), scale)
      return isRoundable(scale.times) ? times(inner(right), inverse(scale)) : undefined
    }
    default:
      return undefined
  }
}

const times = (ratio: Ratio | undefined, scale: Ratio): Ratio | undefined => ratio && product(ratio, scale)

/** Less than the divisor is added before a division. */
const isRounding = ({ op, args: [added] }: Term, divisor: Term): boolean =>
  op === OP.ADD && added?.kind === 'constant' && divisor.kind === 'constant' && added.value < divisor.value

function scaled(ratio: Ratio, rate: Term): Ratio | undefined {
  if (rate.kind === 'constant') return product(ratio, { times: rate.value, per: 1n, rates: [] })
  return isFromCaller(rate) || mentions(rate, isPaid) ? undefined : { ...ratio, rates: [...ratio.rates, rate] }
}

/** The slots from which rates are computed, other than what is taken from them, such as a fee. */
export function slotsOfRate(rate: Term, depth = 0): readonly bigint[] {
  const slot = rate.kind === 'stored' ? valueOf(rate.args[0] as Term) : undefined
  if (slot !== undefined) return [slot]
  if (rate.kind !== 'operation' || depth > MOST_DEPTH) return []
  const parts = rate.op === OP.SUB ? rate.args.slice(0, 1) : rate.args
  return parts.flatMap((part) => slotsOfRate(part, depth + 1))
}

/** What a term is computed from, other than constants. */
function leavesOf(term: Term, found = new Set<Term>(), depth = 0): ReadonlySet<Term> {
  if (term.kind !== 'operation') {
    if (term.kind !== 'constant') found.add(term)
  } else if (depth < MOST_DEPTH) for (const arg of term.args) leavesOf(arg, found, depth + 1)
  return found
}

/** Whether a condition shows that a product is not larger than the largest number. */
export const isProductChecked = (product: Term, facts: readonly Fact[]): boolean =>
  facts.some(({ term }) => isProductCheck(term, product))

const isProductCheck = (term: Term, product: Term): boolean =>
  term !== product &&
  mentions(term, ({ kind, op, args: [left, right] }) => {
    if (kind !== 'operation') return false
    // The upper half of the product is zero.
    if (op === OP.MULMOD) return product.args.every((arg) => arg === left || arg === right)
    return (
      op === OP.DIV &&
      (left === product ||
        (left?.kind === 'constant' && left.value === LARGEST_WORD && product.args.includes(right as Term)))
    )
  })

/** The factors of a product that a condition shows to be larger than the largest number. */
export function largeFactors({ term, holds }: Fact): readonly Term[] | undefined {
  if (term.kind !== 'operation') return undefined
  const [left, right] = term.args
  if (term.op === OP.ISZERO && left !== undefined) return largeFactors({ term: left, holds: !holds })
  if (right === undefined || left === undefined || holds !== (term.op === OP.SUB)) return undefined
  // The upper half is the rest by the largest number, less the lower half, less one if that is larger.
  const isHalf = (rest: Term, borrow: Term): boolean =>
    rest.op === OP.SUB &&
    borrow.op === OP.LT &&
    rest.args.every((arg, at) => arg === borrow.args[at]) &&
    rest.args[0]?.op === OP.MULMOD &&
    rest.args[1]?.op === OP.MUL
  if (term.op !== OP.SUB && term.op !== OP.EQ) return undefined
  if (isHalf(left, right)) return left.args[1]?.args
  return term.op === OP.EQ && isHalf(right, left) ? right.args[1]?.args : undefined
}
