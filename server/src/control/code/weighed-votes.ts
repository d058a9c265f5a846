/** Stores that add what another contract answers about an account, such as the weight of its vote. */
import type { Hex } from '../../lib/hex.ts'
import type { Fact } from './conditions.ts'
import type { Dataflow, RawEffect } from './dataflow.ts'
import { OP } from './instructions.ts'
import { selectorIn, selectorText } from './passed-input.ts'
import { type Key, keyOf } from './positions.ts'
import { FIRST_WORD, hasAnswered, type Target, targetOf } from './targets.ts'
import { type Term, word } from './terms.ts'

/** `selector`: the function that answers. `time`: the word that holds the time it is asked about, in the bits of `timeMask`. */
export type Weighed = {
  readonly by: Target
  readonly selector: Hex
  readonly account: Key
  readonly time?: Key
  readonly timeMask?: Hex
}

const TOP_BITS = 256n
const TOP = 1n << TOP_BITS

/** Where answers of other contracts are added to what is stored. */
export const weighingStores = ({ effects }: Dataflow): readonly RawEffect[] =>
  effects.filter(
    ({ kind, value, subject, epoch, facts }) =>
      kind === 'store' && value !== undefined && weighedBy(value, subject, epoch, facts) !== undefined,
  )

/** The contract whose answer about an account is added to the present value, if it answered with a whole word. */
export function weighedBy(
  value: Term,
  position: Term,
  epoch: string,
  facts: readonly Fact[],
): { readonly stored: Weighed; readonly account: Term } | undefined {
  const [left, right] = value.args
  if (value.kind !== 'operation' || value.op !== OP.ADD || left === undefined || right === undefined) return undefined
  const isPresent = (term: Term): boolean => term.kind === 'stored' && term.args[0] === position && term.tag === epoch
  const amount = isPresent(left) ? right : isPresent(right) ? left : undefined
  const answer = amount && withoutWideMask(amount)
  if (answer?.kind !== 'returned' || !answer.tag.startsWith(FIRST_WORD) || !hasAnswered(answer, facts)) return undefined
  const [target, asked] = answer.args
  const [selector, account, time] = asked?.segments ?? []
  const isAbout = selector?.term.kind === 'constant' && selector.to - selector.from === 4 && account?.from === 0
  if (target === undefined || !isAbout || account.to !== 32) return undefined
  const about = { selector: selectorText(selectorIn(selector)), account: keyOf(account.term) }
  const part = time === undefined ? undefined : partOf(time.term)
  const times = part && { time: keyOf(part.whole), timeMask: word(part.mask) }
  return { stored: { by: targetOf(target, facts), ...about, ...times }, account: account.term }
}

/** Votes that are cut to fewer bits than this are not those that an account has: few may count more than many. */
const LEAST_BITS = 96n

/** A number without the mask that keeps its lower bits, as many as a type for votes has. */
function withoutWideMask(term: Term): Term {
  const [mask, whole] = term.args
  const isMasked = term.kind === 'operation' && term.op === OP.AND && mask?.kind === 'constant' && whole !== undefined
  const isWide = isMasked && mask.value >= (1n << LEAST_BITS) - 1n && (mask.value & (mask.value + 1n)) === 0n
  return isWide ? whole : term
}

/** The word that a number is a part of, and its bits there. */
export function partOf(term: Term): { readonly whole: Term; readonly mask: bigint } {
  let [whole, mask] = [term, TOP - 1n]
  for (;;) {
    const [left, right] = whole.args
    if (left?.kind !== 'constant' || right === undefined) break
    if (whole.op === OP.AND) mask &= left.value
    else if (whole.op === OP.SHR && left.value < TOP_BITS) mask = (mask << left.value) % TOP
    else break
    whole = right
  }
  return { whole, mask }
}
