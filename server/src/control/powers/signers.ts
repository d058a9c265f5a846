/**
 * Functions that an account uses by its signature instead of a call, such as to delegate its votes.
 *
 * The account that ECRECOVER returns takes the part of the caller: what is known about the caller of a function is then
 * known about the signer, whatever the name of the function is.
 */
import type { Fact } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { isRecovery, isValidSigner, namesOf, wordsSigned } from '../code/recovered-signers.ts'
import { ADDRESS_MASK, isAccount, type Segment, type Term, type Terms } from '../code/terms.ts'
import { checksSignature, mentions } from './guards.ts'

/** `of`: a term with the caller in the place of the signer. */
export type BySigner = { readonly effects: readonly RawEffect[]; readonly of: (term: Term) => Term }

/**
 * The effects of a function with its signer as the caller. Undefined where a call may succeed without a valid signature, where
 * more than one is checked, where the caller matters too, or where the caller chooses what was not signed.
 */
export function bySigner(effects: readonly RawEffect[], terms: Terms): BySigner | undefined {
  const recoveries = effects.filter(isRecoveryCall)
  if (recoveries.length === 0 || effects.some((each) => checksSignature(each) && !isRecoveryCall(each)))
    return undefined
  if (effects.some(({ facts }) => signersIn(facts).length > 1) || effects.some(asksForCaller)) return undefined
  const named = effects.filter(isEnd).map(({ facts }) => signerAt(facts))
  const [first, ...others] = named
  if (first === undefined || others.includes(undefined)) return undefined
  // What a call changes counts only if it reaches an end, and each of them shows this.
  const names = first.filter((name) => others.every((each) => each?.includes(name) === true))
  const isKnown = (term: Term): boolean => isSigner(term) || names.includes(term)
  // The caller chooses the bits of a word that are not compared.
  const isAccountOf = ({ kind, op, args: [mask, word] }: Term): boolean =>
    kind === 'operation' &&
    op === OP.AND &&
    mask?.kind === 'constant' &&
    mask.value === ADDRESS_MASK &&
    names.includes(word as Term)
  const isOwn = (term: Term): boolean => isSigner(term) || isAccountOf(term)
  const isBound = recoveries.every(({ passed }) => {
    const signed = wordsSigned(passed?.[0])
    return (
      signed.size > 0 && effects.every((effect) => isSignedStore(effect, (term) => isOwn(term) || signed.has(term)))
    )
  })
  if (!isBound) return undefined
  const by = new Map<Term, Term>()
  const of = (term: Term): Term => {
    const known = isKnown(term) ? terms.caller : by.get(term)
    if (known !== undefined) return known
    const made = rebuilt(term, of, terms)
    by.set(term, made)
    return made
  }
  return { effects: effects.filter((each) => !isRecoveryCall(each)).map((each) => replaced(each, of)), of }
}

/**
 * Whether no signature that a function checks by ECRECOVER is one of a word that is known to be no hash. For a word that is computed
 * from what the caller passes, every caller finds a signature of any account.
 */
export const signsHashes = (effects: readonly RawEffect[]): boolean =>
  effects.filter(isRecoveryCall).every(({ passed: [first] = [] }) => isUnknown(first) || wordsSigned(first).size > 0)

/** More memory than a word, in which the digest is not known. */
const isUnknown = (first: Segment | undefined): boolean =>
  first !== undefined && first.term.kind === 'opaque' && first.to > WORD_BYTES
const WORD_BYTES = 32

const isRecoveryCall = ({ kind, subject }: RawEffect): boolean => kind === 'call' && isRecovery(subject)
const isEnd = ({ kind }: RawEffect): boolean => kind === 'exit' || kind === 'selfdestruct'
const isSigner = ({ kind }: Term): boolean => kind === 'signer'

/** Whether anything but a log depends on the caller, who need not be the signer. */
const asksForCaller = ({ kind, subject, value, amount, passed = [], facts }: RawEffect): boolean =>
  [
    ...(kind === 'log' ? [] : [subject, value, amount, ...passed.map(({ term }) => term)]),
    ...facts.map(({ term }) => term),
  ].some((term) => term !== undefined && !isEach(term, (part) => !isAccount(part)))

/** Whether a condition holds for all parts of a term, however deep. `isLeaf`: parts that are not looked into. */
function isEach(
  term: Term,
  is: (part: Term) => boolean,
  isLeaf: (part: Term) => boolean = () => false,
  seen = new Set<Term>(),
): boolean {
  if (seen.has(term) || isLeaf(term)) return true
  seen.add(term)
  return (
    is(term) &&
    term.args.every((arg) => isEach(arg, is, isLeaf, seen)) &&
    (term.segments?.every((segment) => isEach(segment.term, is, isLeaf, seen)) ?? true)
  )
}

function signersIn(facts: readonly Fact[]): readonly Term[] {
  const found = new Set<Term>()
  for (const { term } of facts)
    mentions(term, (part) => {
      if (isSigner(part)) found.add(part)
      return false
    })
  return [...found]
}

/** The words of the input that are equal to the signer; undefined where the signature need not be valid. */
function signerAt(facts: readonly Fact[]): readonly Term[] | undefined {
  const signer = signersIn(facts).find((each) => isValidSigner(each, facts))
  return signer === undefined ? undefined : namesOf(signer, facts)
}

/** Whether a store, if the effect is one, changes nothing that the caller chooses and the account has not signed. */
function isSignedStore({ kind, subject, value, facts }: RawEffect, isSigned: (term: Term) => boolean): boolean {
  if (kind !== 'store' || value === undefined) return true
  // A word that is a number of fewer bits may be signed as one.
  const isEqual = ({ term: { kind: of, op, args }, holds }: Fact, part: Term): boolean =>
    holds && of === 'operation' && op === OP.EQ && args.includes(part) && args.some(isSigned)
  const isSame = (part: Term): boolean => isSigned(part) || facts.some((fact) => isEqual(fact, part))
  const isFixed = ({ kind: part }: Term): boolean => part !== 'input' && part !== 'returned'
  const isKey = (part: Term): boolean => isFixed(part) && part.kind !== 'opaque'
  const hasKeys = ({ kind: part, segments = [] }: Term): boolean =>
    part !== 'hash' || segments.every(({ term }) => isEach(term, isKey, isSame))
  return isEach(subject, (part) => isFixed(part) && hasKeys(part), isSame) && isEach(value, isFixed, isSame)
}

function replaced(effect: RawEffect, of: BySigner['of']): RawEffect {
  const inSegment = (segment: Segment): Segment => ({ ...segment, term: of(segment.term) })
  return {
    ...effect,
    subject: of(effect.subject),
    ...(effect.value && { value: of(effect.value) }),
    ...(effect.amount && { amount: of(effect.amount) }),
    ...(effect.passed && { passed: effect.passed.map(inSegment) }),
    ...(effect.topics && { topics: effect.topics.map(of) }),
    facts: effect.facts.flatMap(({ term, holds }) => (isOfRecovery(term) ? [] : [{ term: of(term), holds }])),
  }
}

/** That ECRECOVER was called, and whether it returned an account, is no condition on who signed. */
const isOfRecovery = ({ kind, tag, args: [target] }: Term): boolean =>
  kind === 'returned' && tag.startsWith('success:') && target !== undefined && isRecovery(target)

function rebuilt(term: Term, of: (part: Term) => Term, terms: Terms): Term {
  const { args, segments } = term
  const parts = args.map(of)
  const bytes = segments?.map((segment) => ({ ...segment, term: of(segment.term) }))
  const isSame =
    parts.every((part, at) => part === args[at]) &&
    bytes?.every((part, at) => part.term === segments?.[at]?.term) !== false
  return isSame ? term : terms.rebuilt(term, parts, bytes)
}
