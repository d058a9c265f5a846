/**
 * Whether an account casts its own vote: it makes the call, or has signed the vote.
 *
 * A signature is one of a hash of the proposal and of what decides which count is raised. The account that ECRECOVER returns
 * is compared with the account, or is the account; a contract answers itself whether it accepts the signature (ERC-1271).
 */
import type { Fact } from './conditions.ts'
import type { Dataflow, RawEffect } from './dataflow.ts'
import { OP } from './instructions.ts'
import { selectorIn } from './passed-input.ts'
import type { IsExcused } from './paths.ts'
import { isRecovery, isRecoveryOf, isValidSigner, wordsSigned } from './recovered-signers.ts'
import { FIRST_WORD, hasAnswered } from './targets.ts'
import { ADDRESS_MASK, isBoolean, type Segment, type Term, withoutMask } from './terms.ts'

/** `account`: whose votes a store counts, or whose vote it records. */
export type IsCast = (store: RawEffect, account: Term) => boolean

/** `isValidSignature(bytes32,bytes)`, which is also what it answers, at the start of a word. */
const ACCEPTED = 0x1626ba7en
const ACCEPTED_WORD = ACCEPTED << 224n

/** The account in the last key of an entry, such as the record that an account has voted on a proposal. */
export function entryAccount({ kind, op, args, segments }: Term): Term | undefined {
  if (kind === 'operation' && op === OP.ADD) return args.map(entryAccount).find((account) => account !== undefined)
  const [key, table] = segments ?? []
  const isEntry = kind === 'hash' && segments?.length === 2 && isWhole(key) && isWhole(table)
  return isEntry && hasHash(table?.term) ? key?.term : undefined
}

const isWhole = (segment: Segment | undefined): boolean => segment?.from === 0 && segment.to === 32
const hasHash = (term: Term | undefined): boolean => term?.kind === 'hash' || term?.args.some(hasHash) === true

/** `counting`: the stores that count votes. */
export function castVotes({ effects, paths }: Dataflow, counting: readonly RawEffect[]): IsCast {
  const recoveries = effects.filter(({ kind, subject }) => kind === 'call' && isRecovery(subject))
  const digestsOf = (signer: Term): readonly (Segment | undefined)[] =>
    recoveries.filter((call) => isRecoveryOf(signer, call)).map(({ passed }) => passed?.[0])
  return (store, account) => {
    if (account.kind === 'caller') return true
    // Only code that counts votes needs to show who casts them.
    if (counting.length === 0 || !isKnown(account, store.facts)) return false
    const voter = withoutMask(account)
    const others = counting.filter(({ selector, subject }) => selector === store.selector && subject !== store.subject)
    const rivals = counting.includes(store) ? others : []
    const isSigned = (digest: Segment | undefined): boolean => signs(digest, store, account, rivals)
    const isOf = (signer: Term): boolean => {
      const digests = digestsOf(signer)
      return digests.length > 0 && digests.every(isSigned)
    }
    const isConsent: IsExcused = (fact, held) => {
      const shown = partsOf(fact)
      const facts = (): readonly Fact[] => [...held(), ...shown]
      if (voter.kind === 'signer') return isValidSigner(voter, shown) && isOf(voter)
      return shown.some(({ term, holds }) => {
        const [left, right] = term.args
        if (!holds || term.op !== OP.EQ || left === undefined || right === undefined) return false
        const [one, other] = [withoutMask(left), withoutMask(right)]
        const signer = one === voter ? other : other === voter ? one : undefined
        if (signer?.kind === 'caller') return true
        if (signer?.kind === 'signer') return isValidSigner(signer, facts()) && isOf(signer)
        return left.kind === 'constant' && left.value === ACCEPTED_WORD && isAccepted(right, voter, facts(), isSigned)
      })
    }
    return !paths.mayMiss(store.selector, store.blocks, [], isConsent)
  }
}

/** Whether an account is the one of a signature, or one word of the input and nothing but an account. */
function isKnown(account: Term, facts: readonly Fact[]): boolean {
  const voter = withoutMask(account)
  if (voter.kind === 'signer') return true
  const isClean = ({ op, args }: Term): boolean => op === OP.AND && args[0]?.value === ADDRESS_MASK && args[1] === voter
  const isChecked = ({ term, holds }: Fact): boolean =>
    holds && term.op === OP.EQ && term.args.includes(voter) && term.args.some(isClean)
  return isGiven(voter) && (isClean(account) || facts.some(isChecked))
}

/** A word of the input that is the same in every round of a loop. */
const isGiven = ({ kind, args }: Term): boolean => kind === 'input' && args[0]?.kind === 'constant'

/** The conditions that hold together with one of them. */
function partsOf({ term, holds }: Fact): readonly Fact[] {
  const { kind, op, args } = term
  const [left, right] = args
  if (kind !== 'operation' || left === undefined) return [{ term, holds }]
  if (op === OP.ISZERO) return partsOf({ term: left, holds: !holds })
  const isBoth = op === OP.AND && holds && right !== undefined && isTruth(left) && isTruth(right)
  return isBoth ? [left, right].flatMap((part) => partsOf({ term: part, holds })) : [{ term, holds }]
}

const isTruth = (term: Term): boolean =>
  isBoolean(term) || (term.kind === 'operation' && term.op === OP.AND && term.args.every(isTruth))

/** Whether a contract that was asked has accepted the signature of a vote as its own. */
function isAccepted(
  answer: Term,
  voter: Term,
  facts: readonly Fact[],
  isSigned: (digest: Segment | undefined) => boolean,
): boolean {
  const [target, asked] = answer.args
  const [selector, digest] = asked?.segments ?? []
  if (answer.kind !== 'returned' || !answer.tag.startsWith(FIRST_WORD) || !hasAnswered(answer, facts)) return false
  const isQuestion =
    selector?.term.kind === 'constant' && selector.to - selector.from === 4 && selectorIn(selector) === ACCEPTED
  return isQuestion && target !== undefined && withoutMask(target) === voter && isSigned(digest)
}

/** Whether a digest is one of the proposal that a store counts for, and of what tells the store from its rivals. */
function signs(
  digest: Segment | undefined,
  { subject, facts }: RawEffect,
  account: Term,
  rivals: readonly RawEffect[],
): boolean {
  const words = wordsSigned(digest)
  const isPart = (term: Term): boolean => {
    if (words.has(term)) return isPlain(term)
    const isSame = ({ term: { op, args }, holds }: Fact): boolean =>
      holds && op === OP.EQ && args.includes(term) && args.some((arg) => words.has(arg))
    if (isGiven(term)) return facts.some(isSame)
    return term.kind === 'operation' && term.args.every((arg) => arg.kind === 'constant' || isPart(arg))
  }
  const isKey = (term: Term): boolean =>
    term.kind === 'constant' ||
    term === account ||
    isPart(term) ||
    (term.kind === 'operation' && term.op === OP.ADD && term.args.every(isKey)) ||
    (term.kind === 'hash' && (term.segments ?? []).every((part) => isWhole(part) && isKey(part.term)))
  const isApart = (rival: RawEffect): boolean =>
    facts.some(
      ({ term, holds }) => isPart(term) && rival.facts.some((other) => other.term === term && other.holds !== holds),
    )
  return isKey(subject) && rivals.every(isApart)
}

/** Whether a term is computed from words of the input alone that are the same in every round of a loop. */
const isPlain = (term: Term): boolean =>
  isGiven(term) || (term.kind === 'operation' && term.args.every((arg) => arg.kind === 'constant' || isPlain(arg)))
