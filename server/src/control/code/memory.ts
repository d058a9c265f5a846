/**
 * Memory of the code analysis: which term each known range of bytes holds.
 *
 * Addresses are a base and an offset; the base is a term, or none for a constant address. Two bases may point to the
 * same bytes, so a write through one forgets what is known through the others. Only the first 128 bytes are apart from
 * what lies behind a pointer: compilers keep the pointer to free memory at address 64, and as long as every write there
 * is at least 128, no write through such a pointer reaches them. Two marks are never forgotten: that the caller was
 * written, and that a contract was asked about it, so that what is read then may depend on the caller.
 */
import { OP } from './instructions.ts'
import { isPointer, type Segment, type Term, type Terms } from './terms.ts'

/** Bytes `start` to `end` hold the bytes of `term` from `shift` on. `slope`: see `Address`. */
type Range = {
  readonly start: number
  readonly end: number
  readonly term: Term
  readonly shift: number
  readonly slope: number
  /** See `textOf`. */
  text: string | undefined
}

const rangeOf = (start: number, end: number, term: Term, shift = 0, slope = 0): Range => ({
  start,
  end,
  term,
  shift,
  slope,
  text: undefined,
})

/**
 * `isPointer`: the base is at least 128 and far below the end of the numbers. `above`: the address is not below this one, as
 * that of an element behind the start of an array. `slope`: how often lengths of the input are added in it; `growth`: in how many
 * bytes follow there. `stride`: how far behind it the next round of a loop stores.
 */
export type Address = {
  readonly base: number
  readonly offset: number
  readonly isPointer?: boolean
  readonly above?: Address
  readonly slope?: number
  readonly growth?: number
  readonly stride?: number
}

/** Two bases that meet, and the base for both. */
export type BasePair = { readonly a: number; readonly b: number; readonly joined: number }

const MAX_OFFSET = 0xffff_ffffn
const MAX_RANGES = 96
/** The words at the start of memory, in which Solidity hashes. */
const SCRATCH_BYTES = 0x40
const NO_POINTERS: ReadonlySet<number> = new Set()

/** The base and offset of an address; undefined where the offset is out of reach. */
export function addressOf(term: Term): Address | undefined {
  if (term.kind === 'constant') return term.value > MAX_OFFSET ? undefined : { base: 0, offset: Number(term.value) }
  const [constant, rest] = term.args
  if (term.kind === 'operation' && term.op === OP.ADD && constant?.kind === 'constant' && constant.value <= MAX_OFFSET)
    return { base: (rest as Term).id, offset: Number(constant.value), isPointer: isPointer(rest as Term) }
  return { base: term.id, offset: 0, isPointer: isPointer(term) }
}

/** The slopes of an address, and of the end of the bytes that follow there. */
function slopesOf({ slope = 0, growth = 0 }: Address): { readonly from: number; readonly to: number } {
  return { from: slope, to: slope + growth }
}

/** Whether what is read from an address on has a range in it, however long the input is. */
function isSeenAt(at: Address, { slope }: Range): boolean {
  const { from, to } = slopesOf(at)
  return slope >= from && slope <= to
}

/** What a range holds between two addresses, of which one is in it. */
function part(range: Range, first: number, last: number): Range {
  const [start, end] = [Math.max(range.start, first), Math.min(range.end, last)]
  const isWhole = start === range.start && end === range.end
  return isWhole ? range : rangeOf(start, end, range.term, range.shift + (start - range.start), range.slope)
}

/** Where compilers keep the pointer to free memory, and where free memory begins. */
export const FREE_POINTER = 0x40
const EMPTY_TEXT = 0x60
const FREE = 0x80

type Marks = {
  /** The caller was written outside of the words in which keys of mappings are hashed. */
  readonly hasCaller: boolean
  /** Transient storage may hold a value that the caller is part of. */
  readonly isKept: boolean
  /** It may hold what another contract returned about the caller. */
  readonly hasAnswer: boolean
  /** The account of a signature was recovered. */
  readonly hasSigner: boolean
  /** The word at address 64 is a pointer. */
  readonly hasPointer: boolean
}

export class Memory {
  readonly #bases: ReadonlyMap<number, readonly Range[]>
  /** Bases behind which only what is in free memory is known. */
  readonly #pointers: ReadonlySet<number>
  readonly #marks: Marks

  private constructor(bases: ReadonlyMap<number, readonly Range[]>, pointers: ReadonlySet<number>, marks: Marks) {
    this.#bases = bases
    this.#pointers = pointers
    this.#marks = marks
  }

  /**
   * Memory before the first write: its first word is known to be zero, which tables of jumps rely on. `isExact`: also the word
   * to which compilers let empty texts point.
   */
  static initial(zero: Term, isExact: boolean): Memory {
    const words = isExact ? [0, EMPTY_TEXT] : [0]
    const ranges = words.map((start) => rangeOf(start, start + 32, zero))
    const marks = { hasCaller: false, isKept: false, hasAnswer: false, hasSigner: false, hasPointer: false }
    return new Memory(new Map([[0, ranges]]), NO_POINTERS, marks)
  }

  /** What it holds, apart from the words in which keys of mappings are hashed, as a text. */
  get content(): string {
    const bases = [...this.#bases].map(([base, ranges]) => {
      const kept = base === 0 ? ranges.filter(({ end }) => end > SCRATCH_BYTES) : ranges
      return `${base}:${kept.map(textOf).sort().join()}`
    })
    const pointers = [...this.#pointers].sort((a, b) => a - b)
    return `${bases.sort().join(';')}|${pointers.join()}|${Object.values(this.#marks).join()}`
  }

  get hasCaller(): boolean {
    return this.#marks.hasCaller
  }

  get hasAnswer(): boolean {
    return this.#marks.hasAnswer
  }

  get hasSigner(): boolean {
    return this.#marks.hasSigner
  }

  get hasPointer(): boolean {
    return this.#marks.hasPointer
  }

  get isKept(): boolean {
    return this.#marks.isKept
  }

  /** The same memory after a value that the caller is part of was written to transient storage. */
  kept(): Memory {
    return this.isKept ? this : new Memory(this.#bases, this.#pointers, { ...this.#marks, isKept: true })
  }

  /** The same memory after another contract was asked about the caller. */
  answered(): Memory {
    return this.hasAnswer ? this : new Memory(this.#bases, this.#pointers, { ...this.#marks, hasAnswer: true })
  }

  /** The same memory after the account of a signature was recovered, which other bytes may show too. */
  recovered(): Memory {
    const marks = { ...this.#marks, hasAnswer: true, hasSigner: true }
    return this.hasSigner ? this : new Memory(this.#bases, this.#pointers, marks)
  }

  /** Memory after `size` bytes at the address became those of `term`, or unknown. */
  written(at: Address | undefined, size: number | undefined, term?: Term): Memory {
    const isHashed = at?.base === 0 && at.offset < SCRATCH_BYTES
    const hasCaller = this.hasCaller || (term?.hasCaller === true && !isHashed)
    const marks = hasCaller === this.hasCaller ? this.#marks : { ...this.#marks, hasCaller }
    if (at === undefined) return new Memory(new Map(), NO_POINTERS, { ...marks, hasPointer: false })
    if (size === 0) return this
    const end = size === undefined ? Number.POSITIVE_INFINITY : at.offset + size
    const kept: Range[] = []
    // Below a pointer the same base may be an address in the first words.
    const isApart = at.isPointer !== true || this.#pointers.has(at.base)
    const { from, to } = slopesOf(at)
    for (const range of this.#bases.get(at.base) ?? []) {
      if (!isApart && range.start < at.offset) continue
      // Where the input is longer, what is apart here may meet.
      if (range.start < at.offset && range.slope <= from) kept.push(part(range, range.start, at.offset))
      const last = range.slope > from ? range.end : Math.min(range.end, at.offset + (at.stride ?? range.end))
      if (last > Math.max(end, range.start) && range.slope >= to) kept.push(part(range, end, last))
    }
    if (term !== undefined) kept.push(rangeOf(at.offset, end, term, 0, from))
    const bases = new Map<number, readonly Range[]>()
    if (kept.length > 0 && kept.length <= MAX_RANGES) bases.set(at.base, kept)
    const isLow = at.base === 0 && end <= FREE
    if (at.isPointer === true) {
      const low = (this.#bases.get(0) ?? []).filter((range) => range.end <= FREE)
      if (low.length > 0) bases.set(0, low)
      const pointers = new Set([at.base])
      for (let { above } = at; above !== undefined; above = above.above) {
        const before = this.#before(above)
        if (before.length === 0) continue
        bases.set(above.base, before)
        if (above.isPointer === true) pointers.add(above.base)
      }
      return new Memory(bases, pointers, marks)
    }
    const isPointerWritten = at.base === 0 && at.offset < FREE_POINTER + 32 && end > FREE_POINTER
    const isSet = isPointerWritten && at.offset === FREE_POINTER && size === 32 && term !== undefined && isPointer(term)
    const hasPointer = isPointerWritten ? isSet : this.hasPointer && at.base === 0
    const after = hasPointer === marks.hasPointer ? marks : { ...marks, hasPointer }
    if (!isLow) return new Memory(bases, NO_POINTERS, after)
    for (const base of this.#pointers) {
      const ranges = this.#bases.get(base)
      if (ranges !== undefined) bases.set(base, ranges)
    }
    return new Memory(bases, this.#pointers, after)
  }

  /** Memory after `size` bytes at the address became known ones. `valueOf`: the number in so many of them, from one on. */
  filled(at: Address, terms: Terms, size: number, valueOf: (from: number, size: number) => bigint): Memory {
    return this.copied(at, size, (from) => {
      const length = Math.min(32, size - from)
      return terms.constant(valueOf(from, length) << BigInt((32 - length) * 8))
    })
  }

  /** Memory after `size` bytes at the address became those of words. `wordAt`: the word at a distance from the address. */
  copied(at: Address, size: number, wordAt: (from: number) => Term): Memory {
    const starts = Array.from({ length: Math.ceil(size / 32) }, (_, word) => word * 32)
    const { growth: _, ...first } = at
    return starts.reduce<Memory>(
      (memory, done) => memory.written({ ...first, offset: at.offset + done }, Math.min(32, size - done), wordAt(done)),
      this.written(at, size),
    )
  }

  /** Memory after the bytes of a range became those of another range, as far as they are known there. */
  moved(to: Address, from: Address | undefined, size: number): Memory {
    const blank = this.written(to, size)
    const known = (from === undefined ? [] : (this.#bases.get(from.base) ?? [])).flatMap((range): readonly Range[] => {
      if (from === undefined || !isSeenAt(from, range)) return []
      const [start, end] = [Math.max(range.start, from.offset), Math.min(range.end, from.offset + size)]
      const distance = to.offset - from.offset
      const shift = range.shift + (start - range.start)
      const slope = range.slope + slopesOf(to).from - slopesOf(from).from
      return start >= end ? [] : [rangeOf(start + distance, end + distance, range.term, shift, slope)]
    })
    const there = [...(blank.#bases.get(to.base) ?? []), ...known]
    if (known.length === 0 || there.length > MAX_RANGES) return blank
    const pointers = to.isPointer === true ? new Set([...blank.#pointers, to.base]) : blank.#pointers
    const hasCaller = blank.hasCaller || known.some(({ term }) => term.hasCaller)
    return new Memory(new Map(blank.#bases).set(to.base, there), pointers, { ...blank.#marks, hasCaller })
  }

  /** What is known below an address, which a write above it does not change. */
  #before(above: Address): readonly Range[] {
    return (this.#bases.get(above.base) ?? []).filter(({ end }) => end <= above.offset)
  }

  /** The pointer to free memory, where it is known. */
  get freePointer(): Term | undefined {
    return this.#bases.get(0)?.find(({ start, end, shift }) => start === FREE_POINTER && end === FREE && shift === 0)
      ?.term
  }

  /** Memory in which a word is known from having been read. */
  learned(at: Address, term: Term): Memory {
    const ranges = this.#bases.get(at.base) ?? []
    const end = at.offset + 32
    const isKnown = ranges.some((range) => range.start < end && range.end > at.offset)
    const isBelow = at.isPointer !== true && this.#pointers.has(at.base)
    if (isKnown || isBelow || ranges.length >= MAX_RANGES) return this
    const bases = new Map(this.#bases)
    bases.set(at.base, [...ranges, rangeOf(at.offset, end, term, 0, at.slope)])
    const isPointer = at.isPointer === true && ranges.every(({ start }) => start >= at.offset)
    return new Memory(bases, isPointer ? new Set([...this.#pointers, at.base]) : this.#pointers, this.#marks)
  }

  /** The bytes of a range as parts of terms; unknown bytes are parts of `unknown`. */
  read(at: Address | undefined, size: number, unknown: () => Term): readonly Segment[] {
    const start = at?.offset ?? 0
    const known = at === undefined ? undefined : this.#bases.get(at.base)
    const isHit = (range: Range): boolean => range.end > start && range.start < start + size
    const hit = at === undefined ? [] : (known?.filter((range) => isHit(range) && isSeenAt(at, range)) ?? [])
    const ranges = hit.length > 1 ? hit.sort((a, b) => a.start - b.start) : hit
    const segments: Segment[] = []
    let position = start
    const fill = (to: number): void => {
      if (to > position) segments.push({ term: unknown(), from: position - start, to: to - start })
      position = Math.max(position, to)
    }
    for (const range of ranges) {
      fill(range.start)
      const end = Math.min(range.end, start + size)
      const from = range.shift + (position - range.start)
      segments.push({ term: range.term, from, to: from + (end - position) })
      position = end
    }
    fill(start + size)
    return segments
  }

  /** Whether bytes of the word at an address are of a value that the caller is part of. */
  hasCallerIn(at: Address | undefined): boolean {
    if (at === undefined) return false
    const ranges = this.#bases.get(at.base) ?? []
    return ranges.some(({ start, end, term }) => term.hasCaller && start < at.offset + 32 && end > at.offset)
  }

  /** The word at an address. */
  word(at: Address | undefined, terms: Terms, unknown: () => Term): Term {
    const whole = at === undefined ? undefined : this.#bases.get(at.base)?.find((range) => range.start === at.offset)
    const isWord = whole?.end === (at?.offset ?? 0) + 32 && whole.shift === 0
    if (isWord && at !== undefined && isSeenAt(at, whole)) return whole.term
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

  /**
   * What both memories have in common. `pairs`: pointers that differ and have one name from here on; `joinedTerm`: what two
   * values are from here on, where that is known.
   */
  joined(
    other: Memory,
    pairs: readonly BasePair[] = [],
    joinedTerm: (a: Term, b: Term) => Term | undefined = (a, b) => (a === b ? a : undefined),
  ): Memory {
    if (other === this && pairs.length === 0) return this
    const bases = new Map<number, readonly Range[]>()
    const hasCaller = this.hasCaller || other.hasCaller
    const hasAnswer = this.hasAnswer || other.hasAnswer
    const isKept = this.isKept || other.isKept
    const hasSigner = this.hasSigner || other.hasSigner
    let isSame = hasCaller === this.hasCaller && hasAnswer === this.hasAnswer && isKept === this.isKept
    if (hasSigner !== this.hasSigner) isSame = false
    const add = (base: number, ranges: readonly Range[]): void => {
      if (ranges.length > 0 && !bases.has(base)) bases.set(base, ranges)
    }
    // What was known behind a name is known no longer where another pointer has it from here on.
    const renamed = pairs.length === 0 ? NO_POINTERS : new Set(pairs.map(({ joined }) => joined))
    for (const [base, ranges] of this.#bases)
      if (!renamed.has(base)) add(base, commonRanges(ranges, other.#bases.get(base), joinedTerm))
    // Whether a base is a pointer may depend on conditions that hold on one path only.
    const pointers = new Set([...this.#pointers].filter((base) => other.#pointers.has(base) && !renamed.has(base)))
    for (const { a, b, joined } of pairs) {
      add(joined, commonRanges(this.#bases.get(a) ?? [], other.#bases.get(b), joinedTerm))
      if (this.#pointers.has(a) && other.#pointers.has(b)) pointers.add(joined)
    }
    for (const [base, ranges] of this.#bases) if (!isEqual(ranges, bases.get(base))) isSame = false
    if (bases.size !== this.#bases.size) isSame = false
    const hasPointer = this.hasPointer && other.hasPointer
    const hasSamePointers =
      pointers.size === this.#pointers.size && [...pointers].every((base) => this.#pointers.has(base))
    if (isSame && hasPointer === this.hasPointer && hasSamePointers) return this
    return new Memory(bases, pointers, { hasCaller, isKept, hasAnswer, hasSigner, hasPointer })
  }
}

/** A range as a text, kept at the range: memories share most of theirs. */
const textOf = (range: Range): string =>
  (range.text ??= `${range.start}-${range.end}=${range.term.id}+${range.shift}*${range.slope}`)

/** The ranges that hold the same in both. */
function commonRanges(
  ranges: readonly Range[],
  others: readonly Range[] | undefined,
  joinedTerm: (a: Term, b: Term) => Term | undefined,
): readonly Range[] {
  if (others === undefined) return []
  return ranges.flatMap((range): readonly Range[] => {
    const { start, end, term, shift, slope } = range
    const same = others.find((each) => each.start === start && each.end === end && each.shift === shift)
    if (same === undefined || same.slope !== slope) return []
    const joined = joinedTerm(term, same.term)
    return joined === undefined ? [] : [joined === term ? range : rangeOf(start, end, joined, shift, slope)]
  })
}

const isEqual = (ranges: readonly Range[], others: readonly Range[] | undefined): boolean =>
  ranges.length === others?.length && ranges.every((range, at) => range === others[at])
