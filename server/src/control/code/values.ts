/** The numbers that terms are, where nothing in them is unknown. */
import { WORD_MASK } from './arithmetic.ts'
import { hashOf } from './hashes.ts'
import { OP } from './instructions.ts'
import type { Segment, Term } from './terms.ts'

/** The hash of known bytes. */
export function hashed(segments: readonly Segment[]): bigint | undefined {
  const bytes: number[] = []
  for (const { term, from, to } of segments) {
    const value = to < 0 ? undefined : valueOf(term)
    if (value === undefined) return undefined
    const hex = value.toString(16).padStart(64, '0')
    for (let at = from; at < to; at += 1) bytes.push(Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16))
  }
  return hashOf(Uint8Array.from(bytes))
}

/** The number that a term is, where nothing in it is unknown. */
export function valueOf(term: Term): bigint | undefined {
  if (term.kind === 'constant') return term.value
  if (term.kind === 'hash') return hashed(term.segments ?? [])
  if (term.kind !== 'operation' || term.op !== OP.ADD) return undefined
  const [left, right] = term.args.map(valueOf)
  return left === undefined || right === undefined ? undefined : (left + right) & WORD_MASK
}

/** Two whole words: a key and the position of a mapping. */
export const isElement = (segments: readonly Segment[]): boolean =>
  segments.length === 2 && segments.every(({ from, to }) => from === 0 && to === 32)
