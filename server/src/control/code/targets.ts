/** The address that a call goes to: constant, in storage, the caller, or what another contract returns. */
import type { Hex } from '../../lib/hex.ts'
import type { Fact } from './conditions.ts'
import { OP } from './instructions.ts'
import { selectorText } from './passed-input.ts'
import { type Position, positionOf } from './positions.ts'
import { ADDRESS_MASK, isAnswerSize, type Term, withoutMask } from './terms.ts'

/** An account in a slot, shifted to the right by so many bits. */
type StoredAccount = { readonly slot: Hex; readonly shift: number }

/** The address that a call goes to. */
export type Target =
  | { readonly type: 'constant'; readonly address: Hex }
  | ({ readonly type: 'slot' } & StoredAccount)
  | { readonly type: 'table'; readonly position: Position; readonly shift: number }
  | { readonly type: 'self' }
  | { readonly type: 'caller' }
  /** What another contract returns for this function. */
  | { readonly type: 'returned'; readonly by: Target; readonly selector: Hex }
  | { readonly type: 'input' | 'unknown' }

export const accountAt = (value: bigint): Hex => `0x${(value & ADDRESS_MASK).toString(16).padStart(40, '0')}`
/** Precompiled contracts compute, and decide nothing. */
const LAST_PRECOMPILE = 0x11n
export const isPrecompiled = (target: Target): boolean =>
  target.type === 'constant' && BigInt(target.address) <= LAST_PRECOMPILE

/** Strips masks and shifts that take an address out of a slot. */
function storedAccount(term: Term): { readonly position: Term; readonly shift: number } | undefined {
  let [inner, shift, isWhole] = [term, 0n, false]
  for (;;) {
    if (inner.kind === 'stored') {
      // Without a mask the whole word must be the account.
      return isWhole || shift === 0n || shift >= 96n
        ? { position: inner.args[0] as Term, shift: Number(shift) }
        : undefined
    }
    const [left, right] = inner.args
    if (inner.kind !== 'operation' || left?.kind !== 'constant' || right === undefined) return undefined
    if (inner.op === OP.AND && ((left.value >> shift) & ADDRESS_MASK) === ADDRESS_MASK) isWhole = true
    else if (inner.op === OP.SHR && left.value < 256n) shift += left.value
    // Bits next to the account, which the function stores before it reads the account, do not change it.
    else if (inner.op !== OP.OR || !isWhole || ((left.value >> shift) & ADDRESS_MASK) !== 0n) return undefined
    inner = right
  }
}

export function targetOf(term: Term, facts: readonly Fact[]): Target {
  const stripped = withoutMask(term)
  if (stripped.kind === 'constant') return { type: 'constant', address: accountAt(stripped.value) }
  if (stripped.kind === 'self') return { type: 'self' }
  if (stripped.kind === 'caller') return { type: 'caller' }
  const stored = storedAccount(term)
  if (stored !== undefined) {
    const position = positionOf(stored.position, facts)
    if (position.type === 'slot') return { type: 'slot', slot: position.slot, shift: stored.shift }
    if (position.type === 'table') return { type: 'table', position, shift: stored.shift }
    return { type: 'unknown' }
  }
  if (stripped.kind === 'returned' && stripped.tag.startsWith(FIRST_WORD) && hasAnswered(stripped, facts)) {
    const [target, selected] = stripped.args as [Term, Term]
    const selector = selectorOfTerm(selected)
    if (selector !== undefined) return { type: 'returned', by: targetOf(target, facts), selector }
  }
  return { type: stripped.kind === 'input' ? 'input' : 'unknown' }
}

export const FIRST_WORD = 'word0:'
export const SECOND_WORD = 'word1:'
const SUCCESS = 'success:'

const callOf = ({ tag }: Term): string => tag.slice(tag.indexOf(':') + 1)

/** Whether the call succeeded that returned a word. */
export const isOfSuccess = (answer: Term, facts: readonly Fact[]): boolean =>
  facts.some(({ term, holds }) => holds && term.kind === 'returned' && term.tag === SUCCESS + callOf(answer))

/** Whether a call succeeded and returned a whole word: otherwise memory holds what it held before. */
export function hasAnswered(answer: Term, facts: readonly Fact[]): boolean {
  const call = callOf(answer)
  const isSize = (term: Term | undefined): boolean => isAnswerSize(term) && term?.tag === `size:${call}`
  const hasWord = facts.some(({ term, holds }) => {
    const [left, right] = term.args
    if (term.op !== OP.LT || left === undefined || right === undefined) return false
    if (holds) return left.kind === 'constant' && left.value >= 31n && isSize(right)
    return isSize(left) && right.kind === 'constant' && right.value >= 32n
  })
  return hasWord && isOfSuccess(answer, facts)
}

/** Whether the call at this place in the code succeeded. */
export const hasSucceeded = (at: number, facts: readonly Fact[]): boolean =>
  facts.some(
    ({ term, holds }) =>
      holds && term.kind === 'returned' && term.tag.startsWith(SUCCESS) && term.tag.endsWith(`.${at}`),
  )

/** The selector that a call passed and nothing else. */
const selectorOfTerm = (term: Term): Hex | undefined =>
  term.kind === 'constant' ? selectorText(term.value) : undefined
