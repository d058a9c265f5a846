/** Memory that holds bytes of the input or of an answer, and calls that pass the input on. */
import type { Hex } from '../../lib/hex.ts'
import type { RawEffect } from './dataflow.ts'
import { instructions, OP } from './instructions.ts'
import type { Segment, Term, Terms } from './terms.ts'

/** The size of the input. */
export const isInputSize = ({ kind, op }: Term): boolean => kind === 'environment' && op === OP.CALLDATASIZE

/** The tag of memory that holds the first bytes of the input. */
export const FORWARDED = 'forwarded'
/** The same where it holds the whole input. */
export const WHOLE = `${FORWARDED}!`
/** The same where it may hold some of them only. */
export const PART = `${FORWARDED}?`
/** The tag of memory that holds the first word that a call returned, before the size of the answer. */
export const ANSWER = 'answer'
/** The tag of the address of a contract that the code creates. */
export const CREATED = 'created'
/** The same where memory that is not followed gives the code: it may hold any storage that the function reads. */
export const CREATED_UNSEEN = `${CREATED}~`
/** The same where the code of the contract is not given by the input and by the code that creates it. */
export const CREATED_OF_OTHERS = `${CREATED}?`
/** The tag of memory that holds other bytes of the input. */
export const COPIED = 'copied'
/** The tag of memory that holds a part of the code. */
export const CODE = 'code'

/** The tag of what a call passes and is not known. */
export const UNSEEN = 'passed'
export const isUnseen = ({ kind, tag }: Term): boolean => kind === 'opaque' && tag.startsWith(UNSEEN)

/** The first four bytes of a segment of a constant. */
export const selectorIn = ({ term, from }: Segment): bigint => (term.value >> BigInt((28 - from) * 8)) & 0xffff_ffffn

/** The bytes begin with the input's own first bytes. */
export function isForwarding(bytes: readonly Segment[] | undefined): boolean {
  const first = bytes?.[0]
  return first?.from === 0 && (first.term.tag.startsWith(FORWARDED) || isFirstInput(first.term))
}

const isFirstInput = ({ kind, args }: Term): boolean =>
  kind === 'input' && args[0]?.kind === 'constant' && args[0].value === 0n

/** Whether bytes of the input have its whole selector. */
export const hasSelector = ([first]: readonly Segment[]): boolean =>
  first !== undefined && first.to >= 4 && !first.term.tag.startsWith(PART)

/**
 * Whether a call passes the selector of the input: all four bytes, and bytes behind a shorter input only if they are those
 * that the input has there, which are zero.
 */
export function keepsSelector({ passed = [], passedSize, isInputSized }: RawEffect): boolean {
  if (!hasSelector(passed)) return false
  return isInputSized === true || (passedSize !== undefined && passed[0]?.term.kind === 'input')
}

/** Instructions that may change memory, or that another path may lead to. */
const CHANGES_MEMORY: ReadonlySet<number> = new Set([
  OP.MSTORE,
  OP.MSTORE8,
  OP.MCOPY,
  OP.CALLDATACOPY,
  OP.CODECOPY,
  OP.EXTCODECOPY,
  OP.RETURNDATACOPY,
  OP.CALL,
  OP.CALLCODE,
  OP.DELEGATECALL,
  OP.STATICCALL,
  OP.JUMPDEST,
])

/** Whether a call passes a copy of the whole input that nothing has changed. */
export function passesInput({ passed = [], isInputSized, at }: RawEffect, code: Uint8Array): boolean {
  const [first] = passed
  if (isInputSized !== true || first?.from !== 0 || !first.term.tag.startsWith(WHOLE)) return false
  const copiedAt = Number(first.term.tag.slice(first.term.tag.lastIndexOf('.') + 1))
  return copiedAt < at && !instructions(code.subarray(copiedAt + 1, at)).some(({ op }) => CHANGES_MEMORY.has(op))
}

export const selectorText = (selector: bigint): Hex => `0x${selector.toString(16).padStart(8, '0')}`

/** The first part of what a call passes. A word that is put together has several. */
export function firstPassed(passed: readonly Segment[] = []): Segment | undefined {
  const [first] = passed
  return first !== undefined && isPutTogether(first.term) ? cut(first)[0] : first
}

/** The selector that a call passes, where its bytes are known. */
export function selectorPassed(passed: readonly Segment[] | undefined): Hex | undefined {
  const first = firstPassed(passed)
  if (first === undefined || first.to - first.from < 4) return undefined
  const bytes = first.from === 0 ? firstBytes(first.term) : undefined
  if (bytes !== undefined) return selectorText(bytes)
  return first.term.kind === 'constant' ? selectorText(selectorIn(first)) : undefined
}

const FIRST_MASK = 0xffff_ffffn << 224n

/** The first four bytes of a word. Code that copies bytes joins a part of one word with a part of another. */
function firstBytes(term: Term): bigint | undefined {
  const [left, right] = term.args
  if (term.kind === 'constant') return term.value >> 224n
  if (term.kind !== 'operation' || left === undefined || right === undefined) return undefined
  if (term.op === OP.AND && left.kind === 'constant') {
    if ((left.value & FIRST_MASK) === 0n) return 0n
    return (left.value & FIRST_MASK) === FIRST_MASK ? firstBytes(right) : undefined
  }
  if (term.op !== OP.OR) return undefined
  const [a, b] = [firstBytes(left), firstBytes(right)]
  return a === undefined || b === undefined ? undefined : a | b
}

/** The tag of a word that is put together from parts of others. */
export const BYTES = 'bytes'

export const isPutTogether = ({ kind, tag }: Term): boolean => kind === 'asked' && tag === BYTES

/** Whether a word begins with four bytes for a selector, and goes on with a word that is passed. */
export const isFirstArgument = ([selector, argument, ...more]: readonly Segment[]): boolean =>
  more.length === 0 && selector?.to === 4 && selector.from === 0 && argument?.from === 0

/** The parts of a word that is put together, as far as they are in a segment of it. */
export function cut({ term, from, to }: Segment): readonly Segment[] {
  let at = 0
  return (term.segments ?? []).flatMap((part): readonly Segment[] => {
    const start = at
    at += part.to - part.from
    const [first, last] = [Math.max(from, start), Math.min(to, at)]
    if (first >= last) return []
    const inner = { term: part.term, from: part.from + first - start, to: part.from + last - start }
    return isPutTogether(part.term) ? cut(inner) : [inner]
  })
}

const WORD_BITS = 256n

/** The parts of words that loops have copied: bytes of one word that follow each other are one part again. */
export function partsCopied(passed: readonly Segment[]): readonly Segment[] {
  const parts: Segment[] = []
  for (const part of passed.flatMap(split)) {
    const last = parts.at(-1)
    if (last?.term === part.term && last.to === part.from) parts[parts.length - 1] = { ...last, to: part.to }
    else parts.push(part)
  }
  return parts
}

function split(segment: Segment): readonly Segment[] {
  const { term, from, to } = segment
  if (isPutTogether(term)) return cut(segment)
  const [first, rest] = term.args
  const [mask, masked] = rest?.args ?? []
  // Some first bytes of a constant, and the others of another word.
  const isJoined = term.op === OP.OR && first?.kind === 'constant' && rest?.op === OP.AND && mask?.kind === 'constant'
  if (!isJoined || masked === undefined || from !== 0 || to !== 32) return [segment]
  const bytes = mask.value.toString(16).length / 2
  const isRest = mask.value + 1n === 1n << BigInt(bytes * 8) && (first.value & mask.value) === 0n
  if (!isRest || BigInt(bytes * 8) >= WORD_BITS) return [segment]
  return [{ term: first, from: 0, to: 32 - bytes }, ...split({ term: masked, from: 32 - bytes, to: 32 })]
}

/** `transfer`, `transferFrom`, `approve`, `safeTransferFrom`. */
const TOKEN_SELECTORS: ReadonlySet<bigint> = new Set([0xa9059cbbn, 0x23b872ddn, 0x095ea7b3n, 0x42842e0en])

/**
 * What a call asks: its selector if it has no arguments, otherwise all that it passes. A call that moves tokens of the
 * caller asks nothing.
 */
export function questionOf(
  terms: Terms,
  op: number,
  size: number | undefined,
  passed: readonly Segment[],
  place: string,
): Term {
  const [first] = passed
  const isSelected = first?.term.kind === 'constant' && first.to - first.from >= 4
  const selector = isSelected ? selectorIn(first) : undefined
  // What a call without arguments returns is the answer to its selector.
  if (size === 4 && selector !== undefined && passed.length === 1) return terms.constant(selector)
  const isQuestion = op === OP.STATICCALL || (selector !== undefined && !TOKEN_SELECTORS.has(selector))
  return isQuestion ? terms.asked(place, passed) : terms.opaque(`${UNSEEN}${place}`)
}
