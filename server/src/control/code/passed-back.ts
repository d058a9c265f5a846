/**
 * What the fallback function answers with. An account that decides that decides what the contract does, as with a proxy.
 *
 * An answer that is not computed from the input, the storage and the code itself may be from any call that the fallback
 * function makes, from a contract that it creates, or from what it reads of another account.
 */
import type { Dataflow, RawEffect } from './dataflow.ts'
import { lastCallIn } from './epochs.ts'
import { OP } from './instructions.ts'
import { ANSWER, CREATED } from './passed-input.ts'
import type { Position } from './positions.ts'
import { positionsOf, storageRead } from './taken-words.ts'
import { hasSucceeded, isPrecompiled, type Target, targetOf } from './targets.ts'
import { isAnswerSize, isOpaqueAt, type Term } from './terms.ts'

/** Whether the fallback function may return what it gets by an effect. */
export type IsPassedBack = (effect: RawEffect) => boolean

/** The caller chooses what such contracts answer. */
const CHOSEN: ReadonlySet<Target['type']> = new Set(['input', 'caller'])

export type PassedBack = {
  readonly isPassedBack: IsPassedBack
  /** The answer of the call is passed back also where the call fails. */
  readonly isUnchecked: IsPassedBack
  /** Storage that the answers are computed from. */
  readonly takes: readonly Position[]
}

export function passedBack({ effects, outside }: Dataflow): PassedBack {
  const own = effects.filter(({ selector }) => selector === undefined)
  const exits = own.filter(({ kind, op }) => kind === 'exit' && op === OP.RETURN)
  const answers = exits.map(callsIn)
  const known = new Set(answers.flatMap((calls) => calls ?? []))
  const calls = new Set(own.flatMap(({ kind, at }) => (kind === 'call' ? [at] : [])))
  // Further calls may have changed a part of an answer.
  const isAny = answers.includes(undefined) || (calls.size > 1 && [...calls].some((at) => known.has(at)))
  const isStored = own.some(
    ({ kind, subject, value }) => kind === 'store' && !(isOwn(subject) && isOwn(value ?? subject)),
  )
  /** Whether an answer may be what a call reverted with. */
  const isUncheckedAt = (at: number): boolean =>
    exits.some(
      ({ epoch, facts }, n) =>
        (answers[n]?.includes(at) ?? lastCallIn(epoch).endsWith(`.${at}`)) && !hasSucceeded(at, facts),
    )
  const unchecked = new Set(own.flatMap(({ kind, at }) => (RUNS.has(kind) && isUncheckedAt(at) ? [at] : [])))
  const read = isAny
    ? [...outside]
    : exits.flatMap(({ subject, passed }) => storageRead(passed?.map(({ term }) => term) ?? [subject]))
  const isPassedBack: IsPassedBack = ({ kind, at, selector, subject, facts }) => {
    if (selector !== undefined) return false
    if (kind === 'create') return isAny || isStored
    if (kind !== 'call' && kind !== 'look') return false
    const target = targetOf(subject, facts)
    return (isAny || known.has(at)) && !isPrecompiled(target) && !CHOSEN.has(target.type)
  }
  return {
    isPassedBack,
    isUnchecked: ({ at, selector }) => selector === undefined && unchecked.has(at),
    takes: positionsOf(read, []),
  }
}

const RUNS: ReadonlySet<RawEffect['kind']> = new Set(['call', 'delegatecall'])

/** The calls that an answer is from; undefined where they are not known. */
function callsIn({ subject, passed = [], facts }: RawEffect): readonly number[] | undefined {
  const [first] = passed
  if (isAnswerSize(subject))
    return first !== undefined && isAnswerCopy(first.term, subject) ? [callIn(subject)] : undefined
  const terms = passed.length === 0 ? [subject] : passed.map(({ term }) => term)
  const created = terms.filter(isCreated)
  const isOfCreated = (term: Term): boolean =>
    created.includes(term) || (term.op === OP.ISZERO && term.args.some((arg) => created.includes(arg)))
  const isKnown =
    terms.every((term) => isOwn(term) || isCreated(term)) && facts.every(({ term }) => isOwn(term) || isOfCreated(term))
  return isKnown ? [] : undefined
}

/** The address of a created contract, which its code does not choose. */
const isCreated = ({ kind, tag }: Term): boolean => kind === 'opaque' && tag.startsWith(CREATED)

/** A word that the input, the storage and the block determine. */
const isOwn = ({ kind, args, segments = [] }: Term): boolean =>
  kind !== 'opaque' &&
  kind !== 'returned' &&
  kind !== 'asked' &&
  [...args, ...segments.map(({ term }) => term)].every(isOwn)

/** Whether memory holds what a call returned. */
export const isAnswerCopy = (term: Term, size: Term): boolean => isOpaqueAt(term, ANSWER + size.tag)

/** Where the call is made whose answer has this size. */
export const callIn = ({ tag }: Term): number => Number(tag.slice(tag.lastIndexOf('.') + 1))
