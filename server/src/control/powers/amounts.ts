/** Amounts that a function adds to and takes from stored numbers, and what its conditions prove about them. */
import type { Fact } from '../code/conditions.ts'
import { OP } from '../code/instructions.ts'
import type { Term } from '../code/terms.ts'
import { remembered } from './remembered.ts'

/** The low bits of a term after a shift: how a number is read from its part of a word. */
export type Amount = { readonly term: Term; readonly shift: number; readonly bits: number }
export type Difference = { readonly difference: Term; readonly from: Amount; readonly taken: Amount }
export type Sum = {
  readonly added: readonly Amount[]
  readonly taken: readonly Difference[]
  /** The bit of the word at which the number starts. */
  readonly at: number
}

/** How much of one amount another is: `times / per` by constants alone, and the rates that are no constants. */
export type Ratio = { readonly times: bigint; readonly per: bigint; readonly rates: readonly Term[] }
/** The highest rate at which entries are credited for payments, by table and asset. */
export type CreditRates = ReadonlyMap<string, Ratio>
export const NO_RATES: CreditRates = new Map()

const WORD = 256
/** Parts of a sum. Code that needs more is hostile or is no token. */
const MOST_PARTS = 32

/** How many low bits a mask keeps; undefined if it keeps others. */
function lowBits(mask: bigint): number | undefined {
  return (mask & (mask + 1n)) === 0n ? mask.toString(2).length : undefined
}

const exponentOf = (value: bigint): number | undefined =>
  value > 0n && (value & (value - 1n)) === 0n ? value.toString(2).length - 1 : undefined

export function amountOf(term: Term): Amount {
  const [left, right] = term.args
  if (term.kind === 'operation' && left?.kind === 'constant' && right !== undefined) {
    const kept = term.op === OP.AND ? lowBits(left.value) : undefined
    if (kept !== undefined) {
      const inner = amountOf(right)
      return { ...inner, bits: Math.min(inner.bits, kept) }
    }
    if (term.op === OP.SHR && left.value < WORD) {
      const [inner, by] = [amountOf(right), Number(left.value)]
      if (inner.bits > by) return { term: inner.term, shift: inner.shift + by, bits: inner.bits - by }
    }
  }
  return { term, shift: 0, bits: WORD }
}

/** The operation in a number of fewer bits. */
function unmasked(term: Term): Term {
  const [left, right] = term.args
  const isMasked = term.kind === 'operation' && term.op === OP.AND && left?.kind === 'constant'
  return isMasked && right !== undefined && lowBits(left.value) !== undefined ? unmasked(right) : term
}

/** The numbers that a word consists of, each as what is added and what is taken. */
export const sumsIn = remembered((value: Term) => sumsAt(value, 0))

function sumsAt(value: Term, at: number): readonly Sum[] {
  const [left, right] = value.args
  if (value.kind === 'operation' && left !== undefined && right !== undefined) {
    if (value.op === OP.OR) return [...sumsAt(left, at), ...sumsAt(right, at)]
    const by = left.kind === 'constant' ? positionBy(value.op, left.value) : undefined
    if (by !== undefined) return sumsAt(right, at + by)
  }
  const [added, taken]: [Amount[], Difference[]] = [[], []]
  const read = (term: Term): void => {
    const inner = unmasked(term)
    const [a, b] = inner.args
    const isTooMuch = added.length > MOST_PARTS || a === undefined || b === undefined
    if (!isTooMuch && inner.op === OP.ADD) for (const part of [a, b]) read(part)
    else if (!isTooMuch && inner.op === OP.SUB) {
      read(a)
      taken.push({ difference: inner, from: amountOf(a), taken: amountOf(b) })
    } else added.push(amountOf(term))
  }
  read(value)
  return [{ added, taken, at }]
}

/** How far an operation with a constant moves a number in its word; 0 if it keeps others, undefined if it is part of a number. */
function positionBy(op: number, constant: bigint): number | undefined {
  if (op === OP.AND) return lowBits(constant) === undefined ? 0 : undefined
  if (op === OP.MUL) return exponentOf(constant)
  return op === OP.SHL && constant < WORD ? Number(constant) : undefined
}

/** How many bits a term has at most by conditions. */
function boundOf({ term, shift, bits }: Amount, facts: readonly Fact[]): number {
  if (term.kind === 'constant') return term.value.toString(2).length
  if (shift !== 0) return bits
  const bounds = facts.flatMap(({ term: { kind, op, args }, holds }): readonly number[] => {
    const [left, right] = args
    if (kind !== 'operation' || left === undefined || right === undefined) return []
    if (op === OP.EQ && holds)
      return [left, right].includes(term)
        ? args.map(amountOf).flatMap((each) => (each.term === term ? each.bits : []))
        : []
    if (op !== OP.LT) return []
    if (!holds && right === term && left.kind === 'constant') return [left.value.toString(2).length]
    if (holds && left === term && right.kind === 'constant') return [right.value.toString(2).length]
    return []
  })
  return Math.min(bits, ...bounds)
}

/** Whether the first is at least the second by their form, as `v` is at least `v` in fewer bits. */
export const isAtLeast = (first: Amount, second: Amount, facts: readonly Fact[]): boolean =>
  first.term === second.term && first.shift === second.shift && first.bits >= boundOf(second, facts)

const isSame = (first: Amount, second: Amount, facts: readonly Fact[]): boolean =>
  isAtLeast(first, second, facts) && isAtLeast(second, first, facts)

/** Whether conditions rule out that a difference is below zero: they compare its parts, or the difference itself. */
export const isCovered = ({ difference, from, taken }: Difference, facts: readonly Fact[]): boolean =>
  facts.some(({ term, holds }) => {
    const { kind, op, args } = term
    if (holds) return false
    if (isAtLeast(amountOf(term), taken, facts)) return true // nothing is taken
    const [left, right] = args
    if (kind !== 'operation' || op !== OP.LT || left === undefined || right === undefined) return false
    if (right !== difference) return isSame(amountOf(left), from, facts) && isAtLeast(amountOf(right), taken, facts)
    // Below zero it would have more bits than its parts.
    const most = left.kind === 'constant' && lowBits(left.value)
    const isNarrow = (amount: Amount): boolean => boundOf(amount, facts) < WORD
    return (
      (most !== false && most !== undefined && most < WORD && isNarrow(from) && isNarrow(taken)) ||
      isSame(amountOf(left), from, facts)
    )
  })
