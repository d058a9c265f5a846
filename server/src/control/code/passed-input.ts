/** Memory that holds bytes of the input or of an answer, and calls that pass the input on. */
import type { RawEffect } from './dataflow.ts'
import { OP } from './instructions.ts'
import type { Segment, Term } from './terms.ts'

/** The size of the input. */
export const isInputSize = ({ kind, op }: Term): boolean => kind === 'environment' && op === OP.CALLDATASIZE

/** The tag of memory that holds the first bytes of the input. */
export const FORWARDED = 'forwarded'
/** The same where it may hold some of them only. */
export const PART = `${FORWARDED}?`
/** The tag of memory that holds the first word that a call returned, before the size of the answer. */
export const ANSWER = 'answer'
/** The tag of memory that holds other bytes of the input. */
export const COPIED = 'copied'

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
