/**
 * Other code that the fallback function may answer with: the contract then does what that code says, as a proxy does.
 *
 * An answer that is not computed from the input, the storage and the code itself may be from any call that the fallback
 * function makes, from a contract that it creates, or from the code of another contract.
 */
import type { Dataflow, RawEffect } from './dataflow.ts'
import { OP } from './instructions.ts'
import { ANSWER, CREATED } from './passed-input.ts'
import { isPrecompiled, type Target, targetOf } from './targets.ts'
import { isAnswerSize, isOpaqueAt, type Term } from './terms.ts'

/** Whether the fallback function may return what it gets by an effect. */
export type IsPassedBack = (effect: RawEffect) => boolean

/** The caller chooses what such contracts answer. */
const CHOSEN: ReadonlySet<Target['type']> = new Set(['input', 'caller'])

export function passedBack({ effects }: Dataflow): IsPassedBack {
  const own = effects.filter(({ selector }) => selector === undefined)
  const answers = own.filter(({ kind, op }) => kind === 'exit' && op === OP.RETURN).map(callsIn)
  const known = new Set(answers.flatMap((calls) => calls ?? []))
  const calls = new Set(own.flatMap(({ kind, at }) => (kind === 'call' ? [at] : [])))
  // Further calls may have changed a part of an answer.
  const isAny = answers.includes(undefined) || (calls.size > 1 && [...calls].some((at) => known.has(at)))
  const isStored = own.some(
    ({ kind, subject, value }) => kind === 'store' && !(isOwn(subject) && isOwn(value ?? subject)),
  )
  return ({ kind, at, selector, subject, facts }) => {
    if (selector !== undefined) return false
    if (kind === 'create') return isAny || isStored
    if (kind !== 'call' && kind !== 'look') return false
    const target = targetOf(subject, facts)
    return (isAny || known.has(at)) && !isPrecompiled(target) && !CHOSEN.has(target.type)
  }
}

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
