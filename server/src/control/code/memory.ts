/**
 * Memory of the code analysis: which term each known range of bytes holds.
 *
 * Addresses are a base and an offset; the base is a term, or none for a constant address. Two bases may point to the
 * same bytes, so a write through one forgets what is known through the others. Two marks are never forgotten: that the
 * caller was written, and that a contract was asked about it, so that what is read then may depend on the caller.
 */
import { OP } from './instructions.ts'
import type { Segment, Term, Terms } from './terms.ts'

/** Bytes `start` to `end` hold the bytes of `term` from `shift` on. */
type Range = { readonly start: number; readonly end: number; readonly term: Term; readonly shift: number }

export type Address = { readonly base: number; readonly offset: number }

const MAX_OFFSET = 0xffff_ffffn
const MAX_RANGES = 96
/** The words at the start of memory, in which Solidity hashes. */
const SCRATCH_BYTES = 0x40

/** The base and offset of an address; undefined where the offset is out of reach. */
export function addressOf(term: Term): Address | undefined {
  if (term.kind === 'constant') return term.value > MAX_OFFSET ? undefined : { base: 0, offset: Number(term.value) }
  const [constant, rest] = term.args
  if (term.kind === 'operation' && term.op === OP.ADD && constant?.kind === 'constant' && constant.value <= MAX_OFFSET)
    return { base: (rest as Term).id, offset: Number(constant.value) }
  return { base: term.id, offset: 0 }
}

export class Memory {
  readonly #bases: ReadonlyMap<number, readonly Range[]>
  /** The caller was written outside of the words in which keys of mappings are hashed. */
  readonly hasCaller: boolean
  /** It may hold what another contract returned about the caller. */
  readonly hasAnswer: boolean

  private constructor(bases: ReadonlyMap<number, readonly Range[]>, hasCaller: boolean, hasAnswer: boolean) {
    this.#bases = bases
    this.hasCaller = hasCaller
    this.hasAnswer = hasAnswer
  }

  static readonly EMPTY = new Memory(new Map(), false, false)

  #forgotten(hasCaller: boolean): Memory {
    return hasCaller || this.hasAnswer ? new Memory(new Map(), hasCaller, this.hasAnswer) : Memory.EMPTY
  }

  /** The same memory after another contract was asked about the caller. */
  answered(): Memory {
    return this.hasAnswer ? this : new Memory(this.#bases, this.hasCaller, true)
  }

  /** Memory after `size` bytes at the address became those of `term`, or unknown. */
  written(at: Address | undefined, size: number | undefined, term?: Term): Memory {
    const isHashed = at?.base === 0 && at.offset < SCRATCH_BYTES
    const hasCaller = this.hasCaller || (term?.hasCaller === true && !isHashed)
    if (at === undefined) return this.#forgotten(hasCaller)
    if (size === 0) return this
    const end = size === undefined ? Number.POSITIVE_INFINITY : at.offset + size
    const kept: Range[] = []
    for (const range of this.#bases.get(at.base) ?? []) {
      if (range.end <= at.offset || range.start >= end) kept.push(range)
      else {
        if (range.start < at.offset) kept.push({ ...range, end: at.offset })
        if (range.end > end) kept.push({ ...range, start: end, shift: range.shift + (end - range.start) })
      }
    }
    if (term !== undefined) kept.push({ start: at.offset, end, term, shift: 0 })
    // The sum of base and offset may wrap around or meet another base: only this base stays known.
    return kept.length === 0 || kept.length > MAX_RANGES
      ? this.#forgotten(hasCaller)
      : new Memory(new Map([[at.base, kept]]), hasCaller, this.hasAnswer)
  }

  /** The bytes of a range as parts of terms; unknown bytes are parts of `unknown`. */
  read(at: Address | undefined, size: number, unknown: () => Term): readonly Segment[] {
    const ranges = at === undefined ? [] : [...(this.#bases.get(at.base) ?? [])].sort((a, b) => a.start - b.start)
    const segments: Segment[] = []
    const start = at?.offset ?? 0
    let position = start
    const fill = (to: number): void => {
      if (to > position) segments.push({ term: unknown(), from: position - start, to: to - start })
      position = Math.max(position, to)
    }
    for (const range of ranges) {
      if (range.end <= position || range.start >= start + size) continue
      fill(range.start)
      const end = Math.min(range.end, start + size)
      const from = range.shift + (position - range.start)
      segments.push({ term: range.term, from, to: from + (end - position) })
      position = end
    }
    fill(start + size)
    return segments
  }

  /** The word at an address. */
  word(at: Address | undefined, terms: Terms, unknown: () => Term): Term {
    const segments = this.read(at, 32, unknown)
    const [only] = segments
    if (segments.length === 1 && only !== undefined && only.from === 0 && only.to === 32) return only.term
    let value = 0n
    for (const { term, from, to } of segments) {
      if (term.kind !== 'constant') return unknown()
      const bits = BigInt((to - from) * 8)
      value = (value << bits) | ((term.value >> BigInt((32 - to) * 8)) & ((1n << bits) - 1n))
    }
    return terms.constant(value)
  }

  /** What both memories have in common. */
  joined(other: Memory): Memory {
    if (other === this) return this
    const bases = new Map<number, readonly Range[]>()
    const hasCaller = this.hasCaller || other.hasCaller
    const hasAnswer = this.hasAnswer || other.hasAnswer
    let isSame = hasCaller === this.hasCaller && hasAnswer === this.hasAnswer
    for (const [base, ranges] of this.#bases) {
      const others = other.#bases.get(base) ?? []
      const common = ranges.filter(({ start, end, term, shift }) =>
        others.some((same) => same.start === start && same.end === end && same.term === term && same.shift === shift),
      )
      if (common.length !== ranges.length) isSame = false
      if (common.length > 0) bases.set(base, common)
    }
    return isSame ? this : new Memory(bases, hasCaller, hasAnswer)
  }
}
