/**
 * Whether the time as of which votes count is the present, or a later one, when a proposal gets it.
 *
 * As of an earlier time, accounts that have sold their votes could still decide.
 */
import type { RawEffect } from './dataflow.ts'
import { OP } from './instructions.ts'
import { type Position, positionIn, positionOf } from './positions.ts'
import { ADDRESS_MASK, isBoolean, isIdentity, type Term } from './terms.ts'
import { weighedBy } from './weighed-votes.ts'

/** Stored where votes are weighed as of that time: the present or a later time, as far as is known, or another value. */
export type VoteTime = { readonly time?: 'present' | 'other' }
/** Where a time is stored as of which votes are weighed, and in which bits. */
export type TimeField = { readonly table: Position; readonly mask: bigint }

/** `votes`: the stores that count votes. */
export function timesWeighed(votes: readonly RawEffect[]): readonly TimeField[] {
  return votes.flatMap(({ value, subject, epoch, facts }) => {
    const { time, timeMask } = weighedBy(value as Term, subject, epoch, facts)?.stored ?? {}
    const table = time === undefined ? undefined : positionIn(time)
    return table === undefined || timeMask === undefined ? [] : [{ table, mask: BigInt(timeMask) }]
  })
}

export function voteTime({ subject, value, facts }: RawEffect, times: readonly TimeField[]): VoteTime {
  const at = positionOf(subject, facts)
  const fields = times.filter(({ table }) => isSameMember(table, at))
  if (fields.length === 0 || value === undefined) return {}
  return { time: fields.every(({ mask }) => isPresentIn(value, subject, mask)) ? 'present' : 'other' }
}

const isSameMember = (a: Position, b: Position): boolean =>
  a.type === 'table' && b.type === 'table' && a.base === b.base && a.member === b.member

const TOP_BITS = 256n
const ALL = (1n << TOP_BITS) - 1n
/** A type for times or numbers of blocks has at least so many bits. */
const LEAST_BITS = 32n
const LONGEST_WAIT = 1n << 64n

/** Bits of a stored word, and the term that they come from, moved to the left. */
type Part = { readonly term: Term; readonly bits: bigint; readonly shift: bigint }

/** `to`: the position that a value is stored at, whose other bits it keeps. `mask`: the bits of the time in it. */
function isPresentIn(value: Term, to: Term, mask: bigint): boolean {
  const low = lowestBit(mask)
  return partsIn({ term: value, bits: mask, shift: 0n }, to).every(
    ({ term, bits, shift }) => shift === low && isWide(bits >> low) && isPresent(term),
  )
}

function lowestBit(mask: bigint): bigint {
  let low = 0n
  while (low < TOP_BITS && ((mask >> low) & 1n) === 0n) low += 1n
  return low
}

const isWide = (bits: bigint): boolean => {
  const least = (1n << LEAST_BITS) - 1n
  return (bits & least) === least
}

/** All bits that a term may have. */
function largest(term: Term): bigint {
  if (term.kind === 'constant') return term.value
  if (isBoolean(term)) return 1n
  return isIdentity(term) || term.kind === 'self' ? ADDRESS_MASK : ALL
}

/** The parts that bits of a word are put together from; zeros and what is kept are none. `bits`: in the whole word. */
function partsIn({ term, bits, shift }: Part, to: Term): readonly Part[] {
  const [left, right] = term.args
  const within = (inner: Term, mask: bigint, by: bigint): readonly Part[] =>
    (bits & (mask << by) & ALL) === 0n ? [] : partsIn({ term: inner, bits: bits & (mask << by), shift: by }, to)
  if ((bits & (largest(term) << shift)) === 0n) return []
  if (term.kind === 'stored' && left === to) return []
  if (term.kind !== 'operation' || left === undefined || right === undefined) return [{ term, bits, shift }]
  if (term.op === OP.OR) return [left, right].flatMap((part) => partsIn({ term: part, bits, shift }, to))
  if (left.kind !== 'constant') return [{ term, bits, shift }]
  if (term.op === OP.AND) return within(right, left.value, shift)
  if (term.op === OP.SHL && left.value < TOP_BITS) return within(right, ALL, shift + left.value)
  const power = term.op === OP.MUL && (left.value & (left.value - 1n)) === 0n ? lowestBit(left.value) : 0n
  return power === 0n ? [{ term, bits, shift }] : within(right, ALL, shift + power)
}

/** The present block or time, or a later one. Where paths meet, and what a contract answers, is not known to be another. */
function isPresent(term: Term): boolean {
  const { kind, op, args } = term
  if (kind === 'environment') return op === OP.NUMBER || op === OP.TIMESTAMP
  if (kind === 'opaque' || kind === 'returned') return true
  const [left, right] = args
  if (kind !== 'operation' || left === undefined || right === undefined) return false
  if (op === OP.AND) return left.kind === 'constant' && isWide(left.value) && isPresent(right)
  if (op !== OP.ADD) return false
  return (isPresent(left) && isWait(right)) || (isPresent(right) && isWait(left))
}

/** What is added to the present. The block before is one in which votes cannot change any more. */
function isWait({ kind, op, value, args }: Term): boolean {
  if (kind === 'constant') return value < LONGEST_WAIT || value === ALL
  if (kind === 'operation') return (op === OP.AND || op === OP.SHR || op === OP.MUL) && args.every(isWait)
  return kind === 'stored' || kind === 'returned' || kind === 'opaque'
}
