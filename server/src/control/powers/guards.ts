/**
 * What a call needs before a function takes effect: who the caller must be.
 *
 * A condition that concerns the caller and is not understood makes the guard unknown, never open: an open function is
 * one whose conditions were all understood and name no account.
 */
import { EVERY_CALLER } from '../../../../vocabulary/upgrades.ts'
import type { Hex } from '../../lib/hex.ts'
import { type Fact, isAnswer, isSelectorTest } from '../code/conditions.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { canonical } from '../code/hits.ts'
import { OP } from '../code/instructions.ts'
import { selectorPassed } from '../code/passed-input.ts'
import { addends, type Position, positionOf } from '../code/positions.ts'
import { isRecovery } from '../code/recovered-signers.ts'
import { type Target, targetOf } from '../code/targets.ts'
import { isAccount, isSmallNumber, type Term, withoutMask, word } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { remembered } from './remembered.ts'

/** A position whose last key, or one of them, is the caller. */
export type Table = Position & { readonly type: 'table' }

/** One way to be allowed. */
export type Guard =
  | { readonly type: 'slot'; readonly slot: Hex; readonly shift: number }
  | { readonly type: 'constant'; readonly address: Hex }
  /** The contract itself. */
  | { readonly type: 'self' }
  /** The caller has an entry in a table, in these bits of it. */
  | { readonly type: 'member'; readonly table: Table; readonly mask: Hex }
  /** Another contract is asked: for an account, or about the caller. `data`: the call, where it is constant. */
  | {
      readonly type: 'answer'
      readonly by: Target
      readonly selector?: Hex
      readonly isAboutCaller: boolean
      /** The first argument, where it is constant. */
      readonly argument?: Hex
    }
  /** No caller is asked for: the accounts that decide what another contract answers. */
  | { readonly type: 'source'; readonly by: Target; readonly selector?: Hex }

/** Why a guard is not known. */
export type UnknownGuard = 'signature' | 'condition' | 'payment' | 'delegated' | 'unsettled' | 'taken' | 'source'

/** Who may: any caller, the accounts that pass one of the guards, or not known. */
export type Access =
  | { readonly type: 'open' }
  | { readonly type: 'guarded'; readonly guards: readonly Guard[] }
  /** `guards`: those that suffice; others may too. */
  | { readonly type: 'unknown'; readonly why: UnknownGuard; readonly guards?: readonly Guard[] }

export const OPEN: Access = { type: 'open' }

/** Functions of tokens that return an amount of the caller. One account may own all of it. */
const AMOUNTS: ReadonlySet<string> = new Set(['0x70a08231', '0xdd62ed3e', '0x00fdd58e'])
/** `ownerOf(uint256)` and the like: the owner of one item is not privileged. */
const ITEM_OWNERS: ReadonlySet<string> = new Set(['0x6352211e', '0x081812fc', '0x02571be3'])
/** `isValidSignature(bytes32,bytes)`. */
const VALID_SIGNATURE = '0x1626ba7e'

/**
 * What an entry of the caller is: one that others choose, so that it names a holder; one that every caller can have; or an
 * amount that is only added to and taken from, which may be the caller's own.
 */
export type Standing = 'holder' | 'any' | 'amount'

/** `isAmount`: the entry is compared with an amount, and not with a constant. */
export type StandingOf = (guard: Guard, isAmount: boolean) => Standing

/** The access that the facts at one place give. */
export function accessOf(facts: readonly Fact[], standingOf: StandingOf): Access {
  const guards: Guard[] = []
  let why: UnknownGuard | undefined
  for (const { fact, found } of guardsIn(facts)) {
    const standing = typeof found === 'string' ? undefined : standingOf(found, isAmountTest(fact))
    if (typeof found === 'string') why = why === 'signature' ? why : found
    else if (standing === 'holder') guards.push(found)
    else if (standing === 'amount') why ??= 'condition'
  }
  const [best] = guards.toSorted((a, b) => CLARITY.indexOf(a.type) - CLARITY.indexOf(b.type))
  if (best !== undefined) return { type: 'guarded', guards: [best] }
  return why === undefined ? OPEN : { type: 'unknown', why }
}

/** The conditions of a list that are guards, or may be. */
const guardsIn = remembered((facts: readonly Fact[]) =>
  facts.flatMap((fact) => {
    const found = isSelectorTest(fact.term) ? undefined : guardOf(fact, facts)
    return found === undefined ? [] : [{ fact, found }]
  }),
)

/** Of several conditions that must all hold, the one whose accounts are easiest to list. */
const CLARITY: readonly Guard['type'][] = ['constant', 'slot', 'self', 'member', 'answer']

/** The position that decides who passes a guard. */
export function positionOfGuard(guard: Guard): Position | undefined {
  if (guard.type === 'slot') return { type: 'slot', slot: guard.slot }
  if (guard.type === 'member')
    return { ...guard.table, keys: guard.table.keys.map((key) => (key === 'caller' ? '?0' : key)) }
  const isAsked = guard.type === 'answer' || guard.type === 'source'
  return isAsked && guard.by.type === 'slot' ? { type: 'slot', slot: guard.by.slot } : undefined
}

const shortSlot = (slot: Hex): string => (BigInt(slot) < 1n << 32n ? `slot ${BigInt(slot)}` : `slot ${slot}`)

/** A guard in words, by which two versions of a function are compared. */
export function guardText(guard: Guard): string {
  switch (guard.type) {
    case 'slot':
      return `the account in ${shortSlot(guard.slot)}${guard.shift === 0 ? '' : ` from bit ${guard.shift}`}`
    case 'constant':
      return `account ${guard.address}`
    case 'self':
      return 'the contract itself'
    case 'member': {
      const [role, ...others] = guard.table.keys
      const isRole = role?.startsWith('0x') === true && role.length === 66 && others.join() === 'caller'
      return isRole ? `members of role ${role}` : `accounts in the table at ${guard.table.base}`
    }
    case 'answer':
    case 'source':
    default: {
      const { by, selector = 'its answer' } = guard
      const source =
        by.type === 'constant' ? by.address : by.type === 'slot' ? shortSlot(by.slot) : 'an address that is not fixed'
      return `accounts that the contract at ${source} names (${selector})`
    }
  }
}

/** The access as fields of what it is about. Every caller may where both are empty. */
export const accessFields = (
  access: Access,
): { readonly guards: readonly Guard[]; readonly unknown?: UnknownGuard } => {
  return { guards: guardsOf(access), ...(access.type === 'unknown' && { unknown: access.why }) }
}

/** The guards that are known to suffice. */
export const guardsOf = (access: Access): readonly Guard[] => (access.type === 'open' ? [] : (access.guards ?? []))

/** Who may call, in words. */
export function accessText(access: Access): string {
  if (access.type === 'open') return EVERY_CALLER
  if (access.type === 'unknown') return 'not known'
  return access.guards.length === 0 ? 'no caller' : access.guards.map(guardText).sort().join(' or ')
}

/** The access of several places together: any of them suffices. */
export function anyOf(accesses: readonly Access[]): Access {
  const guards = new Map<string, Guard>()
  let why: UnknownGuard | undefined
  for (const access of accesses) {
    if (access.type === 'open') return access
    if (access.type === 'unknown') why ??= access.why
    for (const guard of guardsOf(access)) guards.set(JSON.stringify(guard), guard)
  }
  const known = [...guards.values()]
  if (why === undefined) return { type: 'guarded', guards: known }
  return known.length === 0 ? { type: 'unknown', why } : { type: 'unknown', why, guards: known }
}

/**
 * Whether every caller reaches one of several places: one of them needs a certain answer of another contract about the caller,
 * one that it is not given, and neither needs anything else.
 */
export function isEitherWay(places: readonly (readonly Fact[])[], standingOf: StandingOf): boolean {
  const reached = new Map<Term, Set<boolean>>()
  for (const facts of places)
    for (const { term, holds } of facts) {
      if (!term.hasCaller || !mentionsAnswer(term)) continue
      const others = facts.filter((other) => other.term !== term)
      if (accessOf(others, standingOf).type !== 'open') continue
      reached.set(term, (reached.get(term) ?? new Set()).add(holds))
    }
  return [...reached.values()].some(({ size }) => size === 2)
}

function guardOf(fact: Fact, facts: readonly Fact[]): Guard | UnknownGuard | undefined {
  const { term, holds } = fact
  if (mentionsSignature(term)) return 'signature'
  if (isSecretTest(fact)) return 'condition'
  if (!term.hasCaller || isOwnAnswer(unwrapped(term))) return undefined
  if (isAccount(term)) return holds ? undefined : { type: 'constant', address: `0x${'0'.repeat(40)}` }
  const [left, right] = term.args
  if (term.kind === 'operation' && term.op === OP.EQ && left !== undefined && right !== undefined) {
    if (isCleaned(left, right) || isCleaned(right, left)) return undefined
    const [a, b] = [withoutMask(left), withoutMask(right)]
    if (isAccount(a) && isAccount(b)) return undefined
    const other = isAccount(a) ? right : isAccount(b) ? left : undefined
    if (other !== undefined) return holds ? comparedWith(other, facts) : undefined
    if (!holds) return missedOf(fact, facts)
    const [entry, expected] = left.kind === 'constant' || !left.hasCaller ? [right, left] : [left, right]
    return entryOf(entry, facts, expected)
  }
  if (isOrder(term)) return amountOf(fact, facts)
  return holds ? entryOf(term, facts) : missedOf(fact, facts)
}

/** What the caller itself answers, which any contract may. */
const isOwnAnswer = ({ kind, args: [target] }: Term): boolean =>
  kind === 'returned' && target !== undefined && isAccount(withoutMask(target))

/** Compilers compare a value with its valid form, a truth value or the bits of its type: true whatever it is. */
function isCleaned(value: Term, valid: Term): boolean {
  const [left, right] = valid.args
  if (valid.kind !== 'operation' || left === undefined) return false
  if (valid.op === OP.ISZERO) return left.kind === 'operation' && left.op === OP.ISZERO && left.args[0] === value
  return valid.op === OP.AND && left.kind === 'constant' && right === value
}

/** Whether the caller must pass what has a fixed hash, which only one account may know. */
function isSecretTest({ term, holds }: Fact): boolean {
  const [left, right] = term.args
  if (!holds || term.kind !== 'operation' || term.op !== OP.EQ || left === undefined || right === undefined)
    return false
  return (isHashed(left) && isFixed(right)) || (isHashed(right) && isFixed(left))
}

/** The hash of what the caller passes, also by SHA-256 and RIPEMD-160. */
const isHashed = (term: Term): boolean =>
  (term.kind === 'hash' && mentions(term, ({ kind }) => kind === 'input' || kind === 'opaque')) ||
  (term.kind === 'returned' &&
    term.args[0]?.kind === 'constant' &&
    (term.args[0].value === 2n || term.args[0].value === 3n))

const isFixed = (term: Term): boolean =>
  term.kind === 'constant' || (term.kind === 'stored' && valueOf(term.args[0] as Term) !== undefined)

/**
 * The caller has no entry: a list of blocked accounts. Anything else that is not understood may be a check: another contract
 * may refuse every caller but one.
 */
function missedOf({ term }: Fact, facts: readonly Fact[]): UnknownGuard | undefined {
  const inner = unwrapped(term)
  if (inner.kind === 'stored') return undefined
  if (isAnswer(inner)) return 'condition'
  const parts = term.kind === 'operation' ? term.args.map(unwrapped) : []
  // An account without an entry differs from no content of a slot that is zero.
  if (parts.length > 0 && parts.every((part) => part.kind === 'stored' || !part.hasCaller))
    return parts.some((part) => !part.hasCaller && part.kind === 'stored') ? 'condition' : undefined
  return entryOf(term, facts) === undefined ? undefined : 'condition'
}

/** The account that the caller is compared with. Undefined: an account that the caller names, or an owner of an item. */
function comparedWith(other: Term, facts: readonly Fact[]): Guard | UnknownGuard | undefined {
  const target = targetOf(other, facts)
  const stripped = withoutMask(other)
  switch (target.type) {
    case 'constant':
      return { type: 'constant', address: target.address }
    case 'slot':
      return { type: 'slot', slot: target.slot, shift: target.shift }
    case 'self':
      return { type: 'self' }
    case 'returned':
      return { type: 'answer', by: target.by, selector: target.selector, isAboutCaller: false }
    case 'table': {
      const place = canonical(target.position)
      if (place.type === 'slot') return { type: 'slot', slot: place.slot, shift: target.shift }
      // An item that the caller names has an owner, who is not privileged.
      if (place.type === 'table' && place.keys.some((key) => key.startsWith('@'))) return 'condition'
      return isCounted(stripped) ? 'condition' : undefined
    }
    case 'caller':
    case 'input':
      return undefined
    case 'unknown':
    default: {
      if (stripped.kind === 'returned') return answeredAccount(stripped, facts)
      if (stripped.kind === 'stored' && isPassedPlace(stripped.args[0] as Term)) return 'condition'
      // The content of an array or struct that the caller chooses; a loop over a list is a check.
      if (stripped.kind === 'stored' && !stripped.hasCaller) return isCounted(stripped) ? 'condition' : undefined
      return 'condition'
    }
  }
}

/** A place in storage that the contract which runs a library passes to it, and no element of an array. */
function isPassedPlace(position: Term): boolean {
  const { fixed, hash, others } = addends(position)
  return hash === undefined && fixed < 1n << 64n && others.some(({ kind }) => kind === 'input')
}

/** Whether a loop counts the elements that are read, so that the caller chooses none of them. */
function isCounted(stored: Term): boolean {
  const isOf = (is: (part: Term) => boolean): boolean => mentions(stored, is)
  return isOf(isSmallNumber) && !isOf(({ kind, tag }) => kind === 'input' || tag.startsWith('memory'))
}

/** An account that a call with arguments returned: of one item, or by a constant name. */
function answeredAccount(returned: Term, facts: readonly Fact[]): Guard | UnknownGuard | undefined {
  const [target, asked] = returned.args
  if (target === undefined || asked?.segments === undefined) return 'condition'
  const selector = selectorPassed(asked.segments)
  const argument = argumentOf(asked)
  const isItem = selector !== undefined && ITEM_OWNERS.has(selector)
  // The owner of an item that the caller names is not privileged; the owner of one fixed item is.
  if (isItem && argument === undefined)
    return asked.segments.some(({ term }) => isNamed(term)) ? undefined : 'condition'
  if (argument === undefined) return 'condition'
  const by = targetOf(target, facts)
  return { type: 'answer', by, ...(selector && { selector }), isAboutCaller: false, argument }
}

/** A value that the caller chooses, or that may be one. */
const isNamed = (term: Term): boolean => mentions(term, ({ kind }) => kind === 'input')

/** The first argument of a call, where it is constant. */
function argumentOf({ segments = [] }: Term): Hex | undefined {
  let bytes = ''
  for (const { term, from, to } of segments) {
    if (term.kind !== 'constant' || to < 0) break
    bytes += word(term.value).slice(2 + from * 2, 2 + to * 2)
  }
  return bytes.length >= 72 ? `0x${bytes.slice(8, 72)}` : undefined
}

/** Strips masks and shifts. */
function unwrapped(term: Term): Term {
  const [left, right] = term.args
  if (term.kind !== 'operation') return term
  if (term.op === OP.ISZERO && left !== undefined) return unwrapped(left)
  const isWrapped = (term.op === OP.AND || term.op === OP.SHR) && right !== undefined
  if (isWrapped && left?.kind === 'constant') return unwrapped(right)
  // A bit that the caller names.
  if (term.op === OP.AND && left !== undefined && right !== undefined)
    return left.hasCaller ? unwrapped(left) : unwrapped(right)
  return term.op === OP.SHR && right !== undefined ? unwrapped(right) : term
}

/** The entry of the caller is not zero, or has a certain value. */
function entryOf(term: Term, facts: readonly Fact[], expected?: Term): Guard | UnknownGuard | undefined {
  const inner = unwrapped(term)
  if (inner.kind === 'stored') {
    const table = positionOf(inner.args[0] as Term, facts)
    if (table.type !== 'table') return 'condition'
    // An entry that is compared with what the caller passes: a nonce, an own record.
    if (expected !== undefined && expected.kind !== 'constant')
      return expected.kind === 'stored' && !isNamed(expected) ? 'condition' : undefined
    return memberOf(table, term)
  }
  if (isAnswer(inner)) return answerOf(inner, facts)
  return expected === undefined && isPaidFor(inner, facts) ? undefined : 'condition'
}

/** A limit that leaves room for a payment. */
const LEAST_ROOM = 1n << 32n

/** A sum that a caller makes larger than zero by a payment: its entry need not be. No condition may forbid the payment. */
function isPaidFor(sum: Term, facts: readonly Fact[]): boolean {
  const isPayment = ({ kind, op }: Term): boolean => kind === 'environment' && op === OP.CALLVALUE
  const isSum = (term: Term | undefined): boolean =>
    term?.kind === 'operation' && term.op === OP.ADD && addends(term).others.some(isPayment)
  const isRoom = ({ term }: Fact): boolean => {
    const [left, right] = term.args
    const [paid, other] = isSum(left) ? [left, right] : [right, left]
    if (term.op !== OP.LT || paid === undefined || other === undefined || !isSum(paid)) return false
    return other.kind === 'constant' ? other.value >= LEAST_ROOM : addends(paid).others.includes(other)
  }
  return isSum(sum) && facts.every((fact) => fact.term === sum || !mentions(fact.term, isPayment) || isRoom(fact))
}

function memberOf(table: Table, term: Term): Guard | undefined {
  if (!table.keys.includes('caller')) return undefined
  const [mask, masked] = term.args
  const isMasked = term.kind === 'operation' && term.op === OP.AND && mask?.kind === 'constant'
  if (!isMasked) return { type: 'member', table, mask: word((1n << 256n) - 1n) }
  const [shift] = masked?.kind === 'operation' && masked.op === OP.SHR ? masked.args : []
  const bits = shift === undefined ? 0n : shift.kind === 'constant' && shift.value < 256n ? shift.value : undefined
  return {
    type: 'member',
    table,
    mask: word(bits === undefined ? (1n << 256n) - 1n : (mask.value << bits) % (1n << 256n)),
  }
}

/** Another contract's answer about the caller. That the call succeeded is a check only if it returns nothing else. */
function answerOf(answer: Term, facts: readonly Fact[]): Guard | UnknownGuard | undefined {
  const [target, asked] = answer.args
  if (target === undefined || asked === undefined) return 'condition'
  const selector = asked.segments === undefined ? undefined : selectorPassed(asked.segments)
  if (selector !== undefined && AMOUNTS.has(selector)) return 'condition'
  const call = answer.tag.slice(answer.tag.indexOf(':'))
  if (answer.tag.startsWith('success')) {
    const isRead = facts.some(({ term }) =>
      mentions(
        term,
        (part) =>
          part !== answer && part.kind === 'returned' && part.tag.endsWith(call) && !part.tag.startsWith('success'),
      ),
    )
    return isRead ? undefined : 'condition'
  }
  const argument = argumentOf(asked)
  const by = targetOf(target, facts)
  return { type: 'answer', by, ...(selector && { selector }), isAboutCaller: true, ...(argument && { argument }) }
}

/** An amount that the caller has: a limit that others set for it, or what it owns itself. */
function amountOf(fact: Fact, facts: readonly Fact[]): Guard | UnknownGuard | undefined {
  // That an amount is not too large, as before an addition, is no permission.
  const least = leastOf(fact)
  // The caller itself, and no amount that it has.
  if (
    fact.term.args.some((side) => side !== least && side.hasCaller && mentions(side, isAccount) && !isArithmetic(side))
  )
    return 'condition'
  // Another contract decides what the amount is.
  if (fact.term.args.some((side) => mentions(side, isAnswer))) return 'condition'
  if (least?.hasCaller !== true) return undefined
  const stored = unwrapped(least)
  if (stored.kind !== 'stored') return mentions(least, isAccount) && !isArithmetic(least) ? 'condition' : undefined
  const table = positionOf(stored.args[0] as Term, facts)
  return table.type === 'table' ? memberOf(table, fact.term) : undefined
}

const isOrder = ({ kind, op }: Term): boolean => kind === 'operation' && (op === OP.LT || op === OP.SLT)

/** The side of a comparison that must not be too small. */
function leastOf({ term, holds }: Fact): Term | undefined {
  const [most, least] = holds ? term.args : term.args.toReversed()
  // A difference of numbers of fewer bits than a word is not below zero.
  return least?.kind === 'constant' && isDifference(most) ? most?.args[0] : least
}

const isDifference = (term: Term | undefined): boolean => term?.kind === 'operation' && term.op === OP.SUB

/** A comparison with an amount that is not constant: an account without an entry passes it with zero. */
const isAmountTest = ({ term, holds }: Fact): boolean => {
  const [most] = holds ? term.args : term.args.toReversed()
  return isOrder(term) && most?.kind !== 'constant'
}

/** A sum or difference of amounts. */
const isArithmetic = (term: Term): boolean =>
  term.kind === 'stored' ||
  term.kind === 'returned' ||
  term.kind === 'opaque' ||
  (term.kind === 'operation' && term.args.every((arg) => !arg.hasCaller || isArithmetic(arg)))

const mentionsSignature = remembered((term: Term) =>
  mentions(term, ({ kind, args: [target, asked] }) => {
    if (kind === 'signer') return true
    if (kind !== 'returned') return false
    if (target !== undefined && isRecovery(target)) return true
    return asked?.segments !== undefined && selectorPassed(asked.segments) === VALID_SIGNATURE
  }),
)

const mentionsAnswer = remembered((term: Term) => mentions(term, isAnswer))

/** The account that a condition compares the signer with. */
export function signersIn({ term, holds }: Fact): readonly Term[] {
  const [left, right] = term.args
  if (!holds || term.kind !== 'operation' || term.op !== OP.EQ || left === undefined || right === undefined) return []
  const isSigner = ({ kind, args: [target] }: Term): boolean =>
    kind === 'signer' || (kind === 'returned' && target !== undefined && isRecovery(target))
  const other = isSigner(withoutMask(left)) ? right : isSigner(withoutMask(right)) ? left : undefined
  return other === undefined ? [] : [other, withoutMask(other)]
}

/** Precompiled contracts that signatures are checked with: ECDSA, RSA, pairings, P-256. */
const SIGNATURES: ReadonlySet<bigint> = new Set([0x1n, 0x5n, 0x8n, 0xfn, 0x100n])

/** A call that checks a signature. */
export const checksSignature = ({ kind, subject, passed }: RawEffect): boolean =>
  kind === 'call' &&
  ((subject.kind === 'constant' && SIGNATURES.has(subject.value)) || selectorPassed(passed) === VALID_SIGNATURE)

/** Whether a part of a term has a property. */
export function mentions(term: Term, is: (part: Term) => boolean, depth = 0): boolean {
  if (is(term)) return true
  if (depth > 12) return false
  if (term.args.some((arg) => mentions(arg, is, depth + 1))) return true
  return term.segments?.some((segment) => mentions(segment.term, is, depth + 1)) ?? false
}

/** Effects that change the chain, apart from logs. */
export const isChange = ({ kind, op }: RawEffect): boolean => kind !== 'exit' && kind !== 'log' && op !== OP.STATICCALL
