/**
 * Symbolic values of the code analysis: what is known about a word on the stack, in memory or in storage.
 *
 * Terms are interned: two equal terms of one analysis are the same object. An opaque term stands for one value that is
 * not known, produced at one place; it is equal only to itself.
 */
import type { Hex } from '../../lib/hex.ts'
import { fold, WORD_MASK } from './arithmetic.ts'
import { bytesOf, hashOf } from './hashes.ts'
import { OP, pushedValue } from './instructions.ts'
import { LargeNumbers } from './large-numbers.ts'
import { hashed, isElement } from './values.ts'

export type TermKind =
  | 'constant'
  | 'caller'
  | 'origin' // the account that signed the transaction, which a guard may compare instead of the caller
  | 'self'
  | 'environment' // constant during a transaction: block fields, value, size of the input
  | 'input' // a word of the input at an offset
  | 'stored' // a word of storage at a position, read after the write that `tag` names
  | 'hash' // of the bytes that `segments` describe
  | 'returned' // a word that a call returned
  | 'signer' // the account that ECRECOVER returned
  | 'asked' // the bytes that a call passed, which `segments` describe
  | 'opaque'
  | 'operation'

/** Bytes `from` to `to` of a term, in the order of memory. */
export type Segment = { readonly term: Term; readonly from: number; readonly to: number }

export type Term = {
  readonly id: number
  readonly kind: TermKind
  readonly op: number
  readonly args: readonly Term[]
  readonly value: bigint
  /** Identity of what is not given by its arguments. */
  readonly tag: string
  readonly segments: readonly Segment[] | undefined
  readonly depth: number
  /** The caller, or the account of a signature, occurs in it. */
  readonly hasCaller: boolean
  /** Nothing opaque occurs in it. */
  readonly isStable: boolean
  /** It is computed from a number that is only known to be small. */
  readonly hasSmall: boolean
  /** It is given by storage at fixed positions and the contract's own address. */
  readonly isState: boolean
  /** It is 0 or 1. */
  readonly isBoolean: boolean
  /** See `isPointer`. */
  readonly isPointer: boolean
  /** The conditions that a path was followed under and that compare or test it, by their numbers. */
  comparedBy: Term[] | undefined
}

const UNSTABLE: ReadonlySet<TermKind> = new Set(['opaque', 'returned', 'asked', 'input'])
/** Ends the tag of an opaque value that may be the caller. */
const WITH_CALLER = '!'
const MAX_DEPTH = 24
const NO_TERMS: readonly Term[] = []
const OPERAND_IDS = 2 ** 26
export const ADDRESS_MASK = (1n << 160n) - 1n

/** Instructions whose result is 0 or 1. */
const BOOLEAN: ReadonlySet<number> = new Set([OP.LT, OP.GT, OP.SLT, OP.SGT, OP.EQ, OP.ISZERO])
const COMMUTATIVE: ReadonlySet<number> = new Set([OP.ADD, OP.MUL, OP.EQ, OP.AND, OP.OR, OP.XOR])

/** The account whose permission a check asks for. */
export const isAccount = (term: Pick<Term, 'kind'>): boolean => term.kind === 'caller' || term.kind === 'origin'

/** The same, or the account of a signature. */
export const isIdentity = (term: Pick<Term, 'kind'>): boolean => isAccount(term) || term.kind === 'signer'

/** Whether a term is known to be 0 or 1 by what it is: a comparison, or the success of a call. */
export const isBoolean = (term: Term): boolean => term.isBoolean

const POINTER = 'pointer'
const SMALL = 'small'
const JOINED = 'joined'

/** Whether a term is the opaque value of a place. */
export const isOpaqueAt = ({ kind, tag, hasCaller }: Term, place: string): boolean =>
  kind === 'opaque' && tag === (hasCaller ? place + WITH_CALLER : place)

export const isJoinedHash = ({ kind, tag }: Term): boolean => kind === 'hash' && tag === JOINED

export const isSmallNumber = ({ kind, hasSmall }: Term): boolean => kind === 'opaque' && hasSmall
/** A small number has fewer bits, whatever its level. */
export const SMALL_NUMBER_BITS = 88
/** How often sums of small numbers were added up in a small number, at least one. */
export const smallLevel = ({ tag }: Term): number => Number(tag.charAt(SMALL.length))

/** Whether a number is at least 128, where free memory begins, and far below the end of the numbers. */
export const isPointer = (term: Term): boolean => term.isPointer

const FREE_MEMORY = 0x80n
const FAR = 1n << 64n
const LARGEST_DISTANCE = 1n << 32n

function isPointerBy(kind: TermKind, op: number, [left, right]: readonly Term[], tag: string, value: bigint): boolean {
  if (kind === 'constant') return value >= FREE_MEMORY && value < FAR
  if (kind === 'opaque') return tag.startsWith(POINTER)
  const isSum = kind === 'operation' && op === OP.ADD && left?.kind === 'constant'
  return isSum && right?.isPointer === true && left.value < LARGEST_DISTANCE
}

/** The size of what a call returned. */
export const isAnswerSize = (term: Term | undefined): boolean =>
  term?.kind === 'returned' && term.tag.startsWith('size:')

export class Terms {
  readonly #pushes = new Map<number, Term>()
  readonly #arrays = new Set<bigint>()
  readonly #plainSlots = new Set<bigint>()
  /** Those that the code pushes, or hashes known bytes to. */
  readonly #large: LargeNumbers
  readonly #interned = new Map<string, Term>()
  readonly #constants = new Map<bigint, Term>()
  /** Most terms are operations: by their instruction, and by the numbers of one or two operands. */
  readonly #operations: (Map<number, Term> | undefined)[] = []
  /** What operations are simplified to, in the same way: blocks are executed repeatedly. */
  readonly #results: (Map<number, Term> | undefined)[] = []
  readonly #inputs = new Map<Term, Term>()
  /** By the write before the read, and by the position. */
  readonly #stored = new Map<string, Map<Term, Term>>()
  readonly #opaque = new Map<string, Term>()
  /** Opaque terms by what they are, and by their place as a number: blocks are executed repeatedly. */
  readonly #placed = new Map<string, Map<number, Term>>()
  /** How many slots were learned to be arrays. */
  #arraysLearned = 0
  /** All, in the order of their numbers, from one on. */
  readonly #all: Term[] = []
  /** More than a node has places: positions in the code, or on the stack, which has at most 1,024 words. */
  readonly #places: number
  readonly caller: Term
  readonly origin: Term
  readonly self: Term
  readonly zero: Term
  readonly one: Term

  constructor(code: Uint8Array) {
    this.#places = Math.max(code.length, 1_024) + 1
    this.#large = new LargeNumbers(code)
    this.caller = this.#intern('caller', 0, [], 'caller')
    this.origin = this.#intern('origin', 0, [], 'origin')
    this.self = this.#intern('self', 0, [], 'self')
    this.zero = this.constant(0n)
    this.one = this.constant(1n)
  }

  #intern(kind: TermKind, op: number, args: readonly Term[], tag: string, segments?: readonly Segment[]): Term {
    let key = `${kind}${op}`
    for (const arg of args) key += `,${arg.id}`
    key += `;${tag}`
    if (segments !== undefined) for (const { term, from, to } of segments) key += `|${term.id}:${from}:${to}`
    const known = this.#interned.get(key)
    if (known !== undefined) return known
    const term = this.#make(kind, op, args, tag, segments)
    this.#interned.set(key, term)
    return term
  }

  #make(
    kind: TermKind,
    op: number,
    args: readonly Term[],
    tag: string,
    segments?: readonly Segment[],
    value = 0n,
  ): Term {
    let depth = 0
    let hasCaller = isIdentity({ kind }) || (kind === 'opaque' && tag.endsWith(WITH_CALLER))
    let hasSmall = kind === 'opaque' && tag.startsWith(SMALL)
    let isStable = !UNSTABLE.has(kind)
    let isState = kind === 'constant' || kind === 'self' || kind === 'operation' || kind === 'stored' || kind === 'hash'
    for (const arg of args) {
      if (!arg.isState) isState = false
      if (arg.depth >= depth) depth = arg.depth + 1
      if (arg.hasCaller) hasCaller = true
      if (arg.hasSmall && kind === 'operation') hasSmall = true
      if (!arg.isStable) isStable = false
    }
    for (const { term } of segments ?? []) {
      if (term.depth >= depth) depth = term.depth + 1
      if (term.hasCaller) hasCaller = true
      if (!term.isStable) isStable = false
      if (!term.isState) isState = false
    }
    const made: Term = {
      id: this.#all.length + 1,
      kind,
      op,
      args,
      value,
      tag,
      segments,
      depth,
      hasCaller,
      isStable,
      hasSmall,
      isState,
      isBoolean: (kind === 'operation' && BOOLEAN.has(op)) || (kind === 'returned' && tag.startsWith('success')),
      isPointer: isPointerBy(kind, op, args, tag, value),
      comparedBy: undefined,
    }
    this.#all.push(made)
    return made
  }

  constant(value: bigint): Term {
    const known = this.#constants.get(value)
    if (known !== undefined) return known
    const term = this.#make('constant', 0, NO_TERMS, '', undefined, value)
    this.#constants.set(value, term)
    return term
  }

  /** A constant that is another term than those of its value. */
  marked(value: bigint, mark: string): Term {
    const key = `marked${value};${mark}`
    let term = this.#interned.get(key)
    if (term === undefined)
      this.#interned.set(key, (term = this.#make('constant', 0, NO_TERMS, mark, undefined, value)))
    return term
  }

  /** The size of an answer, where it is given. */
  answerSize(size: bigint): Term {
    return this.constant(size)
  }

  /** An instruction is executed, such as a comparison. */
  tested(_at: number, _op: number, _a: Term, _b?: Term): void {}
  /** How often lengths of the input are added in an address, or in a number of bytes. */
  slopeOf(_place: Term): number {
    return 0
  }
  /** An instruction is executed whose result is not known. */
  used(_operand: Term): void {}

  /** The term with a number. */
  numbered = (id: number): Term => this.#all[id - 1] as Term

  environment = (op: number): Term => this.#intern('environment', op, [], '')
  input(offset: Term): Term {
    let term = this.#inputs.get(offset)
    if (term === undefined) this.#inputs.set(offset, (term = this.#make('input', 0, [offset], '')))
    return term
  }
  stored(position: Term, after: string): Term {
    let known = this.#stored.get(after)
    if (known === undefined) this.#stored.set(after, (known = new Map()))
    let term = known.get(position)
    if (term === undefined) known.set(position, (term = this.#make('stored', 0, [position], after)))
    return term
  }
  /** `mayBeCaller`: it may be the caller, or depend on it. */
  opaque(place: string, mayBeCaller = false): Term {
    const tag = mayBeCaller ? place + WITH_CALLER : place
    const known = this.#opaque.get(tag)
    if (known !== undefined) return known
    const term = this.#make('opaque', 0, NO_TERMS, tag)
    this.#opaque.set(tag, term)
    return term
  }
  /** The opaque term of an instruction of a node, with a tag of its own; `what` tells several of one instruction apart. */
  opaqueAt(what: string, node: number, at: number, mayBeCaller = false): Term {
    const kind = mayBeCaller ? what + WITH_CALLER : what
    let known = this.#placed.get(kind)
    if (known === undefined) this.#placed.set(kind, (known = new Map()))
    const place = node * this.#places + at
    let term = known.get(place)
    if (term === undefined) {
      term = this.#make('opaque', 0, NO_TERMS, `${what}${node}.${at}${mayBeCaller ? WITH_CALLER : ''}`)
      known.set(place, term)
    }
    return term
  }
  asked = (place: string, passed: readonly Segment[]): Term => this.#intern('asked', 0, [], place, passed)
  /** A number that is small on every path. `level`: see `smallLevel`. */
  small = (place: string, level: number, mayBeCaller: boolean): Term =>
    this.opaque(`${SMALL}${level}.${place}`, mayBeCaller)
  /** A pointer to free memory. */
  pointer = (place: string): Term => this.opaque(POINTER + place)
  pointerAt = (node: number, at: number): Term => this.opaqueAt(POINTER, node, at)
  /** `what`: the success of a call, or a word it returned. The arguments are its target and what it passes. */
  returned = (call: string, what: string, args: readonly Term[]): Term => this.#intern('returned', 0, args, what + call)
  /** The account that a call of ECRECOVER returned. */
  signer = (call: string): Term => this.#intern('signer', 0, [], call)

  /** The number that a push instruction pushes. */
  pushed(code: Uint8Array, at: number, size: number): Term {
    const known = this.#pushes.get(at)
    if (known !== undefined) return known
    const term = this.constant(pushedValue(code, at, size))
    this.#pushes.set(at, term)
    return term
  }

  /** The large number of the code with the same upper bits that is not above this one. */
  largeBelow = (value: bigint): bigint | undefined => this.#large.below(value)

  get arraysLearned(): number {
    return this.#arraysLearned
  }

  /** Whether the elements of an array follow the hash of this slot, as far as the code was followed. */
  isArray(slot: bigint): boolean {
    if (this.#arrays.has(slot)) return true
    if (this.#plainSlots.has(slot)) return false
    // Compilers put the hash into the code.
    const isInCode = this.#large.has(hashOf(bytesOf(slot)))
    ;(isInCode ? this.#arrays : this.#plainSlots).add(slot)
    return isInCode
  }

  /**
   * The hash of bytes: a number where all are known. An element of a mapping stays one, so that its key is known, and so
   * does the hash of one, where an array begins.
   */
  hash(of: readonly Segment[]): Term {
    const [key, mapping] = of
    const isMapping = key !== undefined && mapping !== undefined && isElement(of)
    const segments = isMapping ? [key, { ...mapping, term: this.placed(mapping.term) }] : of
    const isNested = isElement(segments) || segments.some(({ term }) => term.kind !== 'constant')
    const value = isNested ? undefined : hashed(segments)
    const [only] = segments
    const isSlot = value !== undefined && segments.length === 1 && only?.from === 0 && only.to === 32
    if (isSlot && !this.#arrays.has(only.term.value)) {
      this.#arrays.add(only.term.value)
      this.#arraysLearned += 1
    }
    if (value === undefined) return this.#intern('hash', 0, [], '', segments)
    this.#large.add(value)
    return this.constant(value)
  }

  /** A position whose place in a mapping of roles is a number in the code, as it is computed elsewhere. */
  placed(position: Term): Term {
    if (position.kind === 'operation' && position.op === OP.ADD) {
      const [left, right] = position.args.map((arg) => (arg.kind === 'constant' ? this.placed(arg) : arg))
      return left === undefined || right === undefined ? position : this.operation(OP.ADD, left, right)
    }
    const place = position.kind === 'constant' ? this.#large.placeAt(position.value) : undefined
    if (place === undefined) return position
    const whole = (value: Term): Segment => ({ term: value, from: 0, to: 32 })
    const parts = [place.element.key, place.element.mapping].map((value) => whole(this.constant(value)))
    const element = this.#intern('hash', 0, [], '', parts)
    const start = place.isInArray ? this.#intern('hash', 0, [], '', [whole(element)]) : element
    return this.operation(OP.ADD, this.constant(place.distance & WORD_MASK), start)
  }

  /** The hash of bytes some of which differ between paths that met: it shows a mapping, and not what its key is about. */
  joinedHash = (segments: readonly Segment[]): Term => this.#intern('hash', 0, [], JOINED, segments)

  /** A term with other parts. */
  rebuilt({ kind, op, tag }: Term, args: readonly Term[], segments: readonly Segment[] | undefined): Term {
    const [first, second] = args
    if (kind === 'hash' && tag === '') return this.hash(segments ?? [])
    if (first === undefined) return this.#intern(kind, op, args, tag, segments)
    if (kind === 'operation') return this.operation(op, first, second)
    if (kind === 'stored') return this.stored(first, tag)
    return kind === 'input' ? this.input(first) : this.#intern(kind, op, args, tag, segments)
  }

  operation(op: number, a: Term, b?: Term): Term {
    const key = a.id * OPERAND_IDS + (b?.id ?? 0)
    const known = (this.#results[op] ??= new Map())
    let result = known.get(key)
    if (result === undefined) known.set(key, (result = this.#computed(op, a, b)))
    return result
  }

  #computed(op: number, a: Term, b?: Term): Term {
    if (b === undefined) {
      if (a.kind === 'constant')
        return this.constant(op === OP.ISZERO ? (a.value === 0n ? 1n : 0n) : op === OP.NOT ? WORD_MASK ^ a.value : 0n)
      if (op === OP.ISZERO && a.kind === 'operation' && a.op === OP.ISZERO && isBoolean(a.args[0] as Term))
        return a.args[0] as Term
      return this.#bounded(op, a)
    }
    // A comparison has one form.
    if (op === OP.GT) return this.operation(OP.LT, b, a)
    if (op === OP.SGT) return this.operation(OP.SLT, b, a)
    if (a.kind === 'constant' && b.kind === 'constant') {
      const folded = fold(op, a.value, b.value)
      if (folded !== undefined) return this.constant(folded)
    }
    // A constant stands left in a commutative operation.
    const isTurned = a.kind !== 'constant' && (b.kind === 'constant' || b.id < a.id) && COMMUTATIVE.has(op)
    const [left, right] = isTurned ? [b, a] : [a, b]
    return this.#simplified(op, left, right) ?? this.#bounded(op, left, right)
  }

  #simplified(op: number, a: Term, b: Term): Term | undefined {
    const zeroLeft = a.kind === 'constant' && a.value === 0n
    const zeroRight = b.kind === 'constant' && b.value === 0n
    switch (op) {
      case OP.ADD:
        if (zeroLeft) return b
        // (x + c1) + c2
        if (a.kind === 'constant' && b.kind === 'operation' && b.op === OP.ADD && b.args[0]?.kind === 'constant')
          return this.operation(OP.ADD, this.operation(OP.ADD, a, b.args[0]), b.args[1])
        return undefined
      case OP.SUB:
        if (zeroRight) return a
        if (a === b) return this.zero
        if (b.kind === 'constant') return this.operation(OP.ADD, this.operation(OP.SUB, this.zero, b), a)
        // (x + y) - x
        if (a.kind === 'operation' && a.op === OP.ADD && a.args.includes(b))
          return a.args[0] === b ? a.args[1] : a.args[0]
        return undefined
      case OP.MUL:
        if (zeroLeft) return this.zero
        return a.kind === 'constant' && a.value === 1n ? b : undefined
      case OP.DIV:
        if (zeroLeft) return a
        if (b.kind !== 'constant' || b.value === 0n) return undefined
        if (b.value === 1n) return a
        // Division by a power of two is a shift.
        return (b.value & (b.value - 1n)) === 0n
          ? this.operation(OP.SHR, this.constant(BigInt(b.value.toString(2).length - 1)), a)
          : undefined
      case OP.SHR:
      case OP.SHL:
        if (zeroLeft) return b
        return undefined
      case OP.AND:
        return this.#masked(a, b)
      case OP.OR:
      case OP.XOR:
        if (zeroLeft) return b
        return a === b ? (op === OP.OR ? a : this.zero) : undefined
      case OP.EQ:
        if (a === b) return this.one
        // A test for zero has one form.
        return zeroLeft ? this.operation(OP.ISZERO, b) : undefined
      case OP.LT:
        // Code that runs is not empty, and a truth value is at most one.
        if (a === b || zeroRight || (a.kind === 'environment' && a.op === OP.EXTCODESIZE && isBoolean(b)))
          return this.zero
        if (zeroLeft) return this.operation(OP.ISZERO, this.operation(OP.ISZERO, b))
        return b.kind === 'constant' && b.value === 1n ? this.operation(OP.ISZERO, a) : undefined
      case OP.SLT:
        // The size of an answer is small.
        return isAnswerSize(a) && b.kind === 'constant' && b.value < 1n << 255n
          ? this.operation(OP.LT, a, b)
          : undefined
      default:
        return undefined
    }
  }

  #masked(a: Term, b: Term): Term | undefined {
    if (a === b) return a
    if (a.kind !== 'constant') return undefined
    if (a.value === 0n) return this.zero
    if (a.value === WORD_MASK) return b
    if ((a.value & ADDRESS_MASK) === ADDRESS_MASK && (isIdentity(b) || b.kind === 'self')) return b
    if (isBoolean(b) && (a.value & 1n) === 1n) return b
    if (b.kind === 'operation' && b.op === OP.AND && b.args[0]?.kind === 'constant')
      return this.operation(OP.AND, this.constant(a.value & b.args[0].value), b.args[1])
    return undefined
  }

  /** The opaque value of an operation. What is added to a hash stays apart from it, so that an array is recognized. */
  #deep(op: number, first: Term, second?: Term): Term {
    const hasCaller = first.hasCaller || second?.hasCaller === true
    const [hash, other] = second === undefined || first.kind === 'hash' ? [first, second] : [second, first]
    if (op === OP.ADD && other !== undefined && hash.kind === 'hash' && hash.depth < MAX_DEPTH)
      return this.#bounded(op, hash, this.opaque(`deep${other.id}`, hasCaller))
    return this.opaque(`deep${op}:${first.id}${second === undefined ? '' : `,${second.id}`}`, hasCaller)
  }

  /** An operation; opaque where terms grow without end, as in loops. */
  #bounded(op: number, first: Term, second?: Term): Term {
    if (first.depth >= MAX_DEPTH || (second !== undefined && second.depth >= MAX_DEPTH))
      return this.#deep(op, first, second)
    // Fewer terms than 2^26 fit into the memory of an analysis.
    const key = first.id * OPERAND_IDS + (second?.id ?? 0)
    const known = (this.#operations[op] ??= new Map())
    let term = known.get(key)
    if (term === undefined)
      known.set(key, (term = this.#make('operation', op, second === undefined ? [first] : [first, second], '')))
    return term
  }
}

/** A term without the mask that keeps the bits of an address. */
export function withoutMask(term: Term): Term {
  const [left, right] = term.args
  const isMask = term.kind === 'operation' && term.op === OP.AND && left?.kind === 'constant'
  return isMask && (left.value & ADDRESS_MASK) === ADDRESS_MASK && right !== undefined ? withoutMask(right) : term
}

/** A number as a word. */
export const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
