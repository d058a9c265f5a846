/** What a function does, as its code shows it: logs, calls, and stores to positions that other functions depend on. */
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import type { RawEffect } from '../code/dataflow.ts'
import { canonical, mayHit } from '../code/hits.ts'
import { OP } from '../code/instructions.ts'
import { firstPassed, isUnseen, selectorPassed } from '../code/passed-input.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { type Target, targetOf } from '../code/targets.ts'
import { ADDRESS_MASK, isAccount, type Term, withoutMask, word } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import { listsOfAccepted } from './accepted-signatures.ts'
import { type CreditRates, NO_RATES } from './amounts.ts'
import { mayBeElement } from './fixed-elements.ts'
import { type CodeFunction, isCleared } from './functions.ts'
import { type Guard, guardsOf, positionOfGuard, signersIn } from './guards.ts'
import { findNamed, PRICE_GETTERS, SPENDING, TRANSFERS } from './names.ts'
import { type Stop, stopsOf } from './stops.ts'
import { ALL_BITS, changedBits, isKept } from './stored-bits.ts'
import { tokenCallOf } from './token-calls.ts'

const TOPICS = {
  transfer: 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn,
  transferSingle: 0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62n,
  transferBatch: 0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fbn,
  paused: 0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258n,
  pause: 0x6985a02210a168e66602d3235cb6db0e70f92b3ba4d376a33c0f3d9434bff625n,
} as const

/** Slots from which proxies take their code: EIP-1967 implementation and beacon, ZeppelinOS, EIP-1822. */
const POINTERS: readonly Position[] = [
  0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn,
  0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50n,
  0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3n,
  0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7n,
].map((slot) => ({ type: 'slot', slot: word(slot) }))

export type Guarding = { readonly position: Position; readonly bits: bigint }

/** What decides who passes a guard. */
export function guardingOf(guard: Guard): readonly Guarding[] {
  const position = positionOfGuard(guard)
  const stored = guard.type === 'answer' || guard.type === 'source' ? guard.by : guard
  if (position === undefined) return []
  return [{ position, bits: stored.type === 'slot' ? (ADDRESS_MASK << BigInt(stored.shift)) & ALL_BITS : ALL_BITS }]
}

/** What all functions of a contract depend on. */
export type Context = {
  /** Positions that decide who passes a guard, and the bits of them that do. */
  readonly guarding: readonly Guarding[]
  /** Positions that delegatecalls take their target from. */
  readonly delegated: readonly Position[]
  /** Positions that calls take their target from. */
  readonly called: readonly Position[]
  readonly priced: readonly Position[]
  /** Slots that open functions require to have a certain value and do not write. */
  readonly gating: readonly Position[]
  /** Slots with accounts that functions send tokens or ether to. */
  readonly paid: readonly Position[]
  /** Tables in which transfers of tokens add and take: balances and allowances. */
  readonly amounts: readonly Position[]
  /** Tables that transfers of tokens read. */
  readonly transferred: readonly Position[]
  /** Tables of signatures that the contract accepts as its own. */
  readonly accepted: readonly Position[]
  /** Where the accounts are stored whose signatures functions ask for. */
  readonly signing: readonly Position[]
  /** Positions that functions read. */
  readonly used: readonly Position[]
  readonly stops: readonly Stop[]
  /** A call may run several functions of the contract, with the ether of one. */
  readonly isBatched: boolean
  readonly rates: CreditRates
  /** Tables that say who may use the entries of an account. */
  readonly authorities: readonly Position[]
}

export function contextOf(functions: readonly CodeFunction[]): Context {
  const open = functions.filter(({ access, isView }) => access.type === 'open' && !isView)
  const guards = functions.flatMap(({ access }) => guardsOf(access))
  const all = functions.flatMap(({ effects }) => effects)
  const targets = (of: RawEffect['kind']): readonly Position[] =>
    all.flatMap(({ kind, subject, facts }) => {
      if (kind !== of) return []
      const target = targetOf(subject, facts)
      return target.type === 'slot'
        ? { type: 'slot' as const, slot: target.slot }
        : target.type === 'table'
          ? target.position
          : []
    })
  const written = new Set(open.flatMap(({ effects }) => effects.flatMap(slotWritten)))
  return {
    guarding: guards.flatMap(guardingOf),
    delegated: distinct([...POINTERS, ...targets('delegatecall')]),
    called: distinct(targets('call')),
    priced: distinct(functions.filter(({ selector }) => PRICE_GETTERS.has(selector)).flatMap(({ reads }) => reads)),
    gating: distinct(
      open
        .flatMap(({ effects }) =>
          effects
            .filter(({ kind }) => kind === 'exit')
            .flatMap(({ facts }) => facts.flatMap(({ term }) => slotsTested(term))),
        )
        .filter((slot) => !written.has(slot))
        .map((slot) => ({ type: 'slot', slot })),
    ),
    paid: distinct(all.flatMap(slotsPaid)),
    amounts: distinct(
      functions
        .filter(({ selector }) => TRANSFERS.has(selector))
        .flatMap(({ effects }) =>
          effects.filter(isAmountChange).map(({ subject, facts }) => positionOf(subject, facts)),
        )
        .filter(({ type }) => type === 'table'),
    ),
    transferred: distinct(
      functions
        .filter(({ selector }) => TRANSFERS.has(selector))
        .flatMap(({ reads }) => reads.filter(({ type }) => type === 'table')),
    ),
    accepted: distinct(functions.flatMap(listsOfAccepted)),
    signing: distinct(functions.flatMap(storedSigners)),
    used: distinct(functions.flatMap(({ reads }) => reads)),
    stops: stopsOf(functions),
    isBatched: all.some(
      ({ kind, subject, facts }) =>
        kind === 'delegatecall' &&
        withoutMask(subject).kind === 'self' &&
        !facts.some(({ term, holds }) => isPaid(term) && !holds),
    ),
    rates: NO_RATES,
    authorities: [],
  }
}

/** Where the accounts are stored that the signers of a function are compared with. */
const storedSigners = ({ effects }: CodeFunction): readonly Position[] =>
  effects.flatMap(({ facts }) =>
    facts
      .flatMap(signersIn)
      .flatMap(({ kind, args: [at] }) => (kind === 'stored' && at !== undefined ? [positionOf(at, facts)] : [])),
  )

/** The slot of the account that a call pays. */
export function slotsPaid(effect: RawEffect): readonly Position[] {
  const { kind, op, subject, passed, amount, facts } = effect
  if (kind !== 'call' || op === OP.STATICCALL) return []
  const isEther = amount !== undefined && !isZero(amount) && !isPaid(amount) && (passed?.length ?? 0) === 0
  const recipients = [isEther ? subject : undefined, tokenCallOf(effect)?.to]
  return recipients.flatMap((recipient) => {
    const to = recipient === undefined ? undefined : targetOf(recipient, facts)
    return to?.type === 'slot' ? [{ type: 'slot' as const, slot: to.slot }] : []
  })
}

const distinct = (positions: readonly Position[]): readonly Position[] => [
  ...new Map(
    positions
      .filter(({ type }) => type !== 'anywhere')
      .map((position) => [JSON.stringify(canonical(position)), canonical(position)]),
  ).values(),
]

/** A store that adds to what is stored, or takes from it. */
export const isAmountChange = ({ kind, subject, value }: RawEffect): boolean =>
  kind === 'store' &&
  value?.kind === 'operation' &&
  (value.op === OP.ADD || value.op === OP.SUB) &&
  value.args.some((arg) => arg.kind === 'stored' && arg.args[0] === subject)

/**
 * Stores that give an account tokens, or an allowance over those of others, and take from no account: a mint without a log.
 * Also those that clear the balance of another account.
 * `effects`: those of one function that are reserved to the same accounts.
 */
export function amountsGiven(effects: readonly RawEffect[], { amounts }: Context): readonly Given[] {
  const changed = effects.flatMap((effect) => {
    const { kind, subject, value, facts } = effect
    const position = kind === 'store' ? positionOf(subject, facts) : undefined
    const isAmount = position?.type === 'table' && amounts.some((table) => isAt(position, table))
    return isAmount && value !== undefined ? [{ effect, position, value }] : []
  })
  if (changed.some(({ value }) => isTaken(value))) return []
  return changed.flatMap(({ effect, position: { keys }, value }): readonly Given[] => {
    const isOwn = keys[0] === 'caller'
    // A balance that is cleared is taken, an allowance is not.
    if (isCleared(value, effect.subject)) return isOwn || keys.length > 1 ? [] : [{ effect, act: 'move_funds' }]
    if (keys.length === 1) return [{ effect, act: 'mint' }]
    return isOwn ? [] : [{ effect, act: 'move_funds' }]
  })
}

/** A difference; one with a constant is a sum with its complement. */
export const isTaken = ({ kind, op, args: [left] }: Term): boolean =>
  kind === 'operation' && (op === OP.SUB || (op === OP.ADD && left?.kind === 'constant' && left.value >> 255n === 1n))

type Given = { readonly effect: RawEffect; readonly act: PowerEffect }

export const slotWritten = ({ kind, subject }: RawEffect): readonly Hex[] => {
  const slot = kind === 'store' ? valueOf(subject) : undefined
  return slot === undefined ? [] : [word(slot)]
}

/** Slots whose content a condition tests against a constant. */
function slotsTested(term: Term): readonly Hex[] {
  if (term.kind === 'stored') {
    const slot = valueOf(term.args[0] as Term)
    return slot === undefined ? [] : [word(slot)]
  }
  const [left, right] = term.args
  return term.kind === 'operation' && left?.kind === 'constant' && right !== undefined ? slotsTested(right) : []
}

/** Slots to which a function stores what its caller passes. */
export const chosenSlots = (effects: readonly RawEffect[]): readonly Position[] =>
  effects.flatMap((effect) =>
    effect.value !== undefined && isFromCaller(effect.value)
      ? slotWritten(effect).map((slot) => ({ type: 'slot' as const, slot }))
      : [],
  )

export const isFromCaller = (term: Term): boolean => contains(term, ({ kind }) => kind === 'input' || kind === 'opaque')

/** Whether a part of a value has a property. Where a value was stored before is no part of it. */
const contains = (term: Term, is: (part: Term) => boolean, depth = 0): boolean =>
  is(term) || (term.kind !== 'stored' && depth < 12 && term.args.some((arg) => contains(arg, is, depth + 1)))
export const isZero = (term: Term | undefined): boolean => term?.kind === 'constant' && term.value === 0n

/** The ether that the caller sends with its call. */
export const isPaid = (term: Term | undefined): boolean => term?.kind === 'environment' && term.op === OP.CALLVALUE

/** What is known of the function that an effect belongs to. */
export type Own = {
  /** Who passes on the way to the effect. */
  readonly guards: readonly Guard[]
  /** Slots to which the function stores what its caller passes. */
  readonly chosen: readonly Position[]
}

/** What one effect of a function does; several where it is more than one thing. */
export function actsOf(effect: RawEffect, context: Context, own: Own): readonly PowerEffect[] {
  switch (effect.kind) {
    case 'log':
      return logged(effect)
    case 'selfdestruct':
      return ['move_funds']
    case 'call':
    case 'delegatecall':
      return effect.op === OP.STATICCALL ? [] : called(effect, own)
    case 'store':
      return stored(
        effect,
        context,
        own.guards.flatMap((guard) => positionOfGuard(guard) ?? []),
      )
    case 'create':
      // The code of the new contract decides where the ether goes.
      return isZero(effect.amount) || isPaid(effect.amount) ? [] : ['move_funds']
    case 'look':
    case 'exit':
    default:
      return []
  }
}

function logged({ topics = [] }: RawEffect): readonly PowerEffect[] {
  const [name, first, second, third] = topics
  if (name?.kind !== 'constant') return []
  const isToken = name.value === TOPICS.transfer && topics.length >= 3
  const isMulti = (name.value === TOPICS.transferSingle || name.value === TOPICS.transferBatch) && topics.length === 4
  if (name.value === TOPICS.paused || name.value === TOPICS.pause) return ['pause']
  const [from, to] = isToken ? [first, second] : isMulti ? [second, third] : []
  if (from === undefined || to === undefined) return []
  if (isZero(from)) return ['mint']
  // Tokens of an account that the caller names, or those of the contract to one that it names.
  const { kind } = withoutMask(from)
  return kind === 'input' || (kind === 'self' && isRecipient(to)) ? ['move_funds'] : []
}

const isRecipient = (to: Term): boolean => isFromCaller(to) || isAccount(withoutMask(to))

function called(effect: RawEffect, own: Own): readonly PowerEffect[] {
  const { subject, passed, amount, facts, kind } = effect
  const selector = selectorPassed(passed)
  const isEmpty = passed === undefined || passed.length === 0
  if (selector === undefined && !isEmpty && (isChosen(subject, facts) || isFunctionChosen(effect))) return ['execute']
  if (kind === 'delegatecall') return isChosen(subject, facts) ? ['execute'] : []
  const isHolder = (term: Term): boolean => {
    const to = targetOf(term, facts)
    if (to.type === 'slot')
      return own.chosen.some((position) => isAt({ type: 'slot', slot: to.slot }, position)) || isGuarded(to, own.guards)
    if (to.type === 'constant') return isGuarded(to, own.guards)
    if (to.type === 'returned') return isGuarded(to, own.guards) || isChosen(term, facts)
    return to.type === 'caller' || to.type === 'input' || (to.type === 'unknown' && isFound(term))
  }
  if (amount !== undefined && !isZero(amount) && isHolder(subject)) return ['move_funds']
  const moved = tokenCallOf(effect)
  if (moved === undefined) return passedOn(selector, passed)
  return moved.to === undefined || isHolder(moved.to) ? ['move_funds'] : []
}

/** Accounts that no account has named: the sender of the transaction, a signer, a hash, the recipient of fees. */
const FOUND: ReadonlySet<Term['kind']> = new Set(['origin', 'signer', 'hash', 'environment'])

const isFound = (term: Term): boolean =>
  isFromCaller(term) || FOUND.has(term.kind) || (term.kind === 'operation' && term.args.some(isFound))

/** Whether the input or the storage may decide which function a call names, or it is not known what decides. */
function isFunctionChosen({ kind, passed, isSizeChosen }: RawEffect): boolean {
  if (kind === 'call' && isSizeChosen === true) return true
  const first = firstPassed(passed)
  if (first === undefined || first.from !== 0) return false
  if (kind === 'call' && isUnseen(first.term)) return true
  return contains(
    first.term,
    ({ kind: part }) => part === 'input' || part === 'stored' || part === 'caller' || part === 'hash',
  )
}

/** Whether an account is the one that a guard compares the caller with. */
const isGuarded = (to: Target, guards: readonly Guard[]): boolean =>
  guards.some((guard) => {
    if (to.type === 'constant') return guard.type === 'constant' && guard.address === to.address
    if (to.type === 'returned')
      return (
        guard.type === 'answer' &&
        !guard.isAboutCaller &&
        guard.selector === to.selector &&
        JSON.stringify(guard.by) === JSON.stringify(to.by)
      )
    const position = positionOfGuard(guard)
    return to.type === 'slot' && position !== undefined && mayHit({ type: 'slot', slot: to.slot }, position)
  })

/** Whether the caller may choose the target of a call, or the contract that names it. */
export function isChosen(term: Term, facts: RawEffect['facts']): boolean {
  const target = targetOf(term, facts)
  let source = target
  while (source.type === 'returned') source = source.by
  return source.type === 'input' || (target.type === 'unknown' && !isNamedBy(term, facts))
}

/** An address that a contract returns which the caller does not choose, to a question that the caller does not choose. */
function isNamedBy(term: Term, facts: RawEffect['facts']): boolean {
  const { kind, tag, args } = withoutMask(term)
  const [by, asked] = args
  if (kind !== 'returned' || !tag.startsWith('word') || by === undefined || asked === undefined) return false
  const isFixed = asked.kind === 'constant' || asked.segments?.every((part) => !isFromCaller(part.term)) === true
  const { type } = targetOf(by, facts)
  return isFixed && type !== 'input' && type !== 'caller' && (type !== 'unknown' || isNamedBy(by, facts))
}

/** Effects that a call has on another contract: an account that may make it has the power that the function's name states. */
const PASSED_ON: ReadonlySet<PowerEffect> = new Set([
  'upgrade',
  'set_price',
  'set_verifier',
  'grant',
  'set_dependency',
  'freeze',
  'set_terms',
])

function passedOn(selector: Hex | undefined, passed: RawEffect['passed'] = []): readonly PowerEffect[] {
  // Amounts alone do not decide where the assets go.
  const isNamed = (term: Term): boolean => isFromCaller(term) && (isAddress(term) || term.kind === 'opaque')
  if (selector !== undefined && SPENDING.has(selector) && passed.some(({ term }) => isNamed(term)))
    return ['move_funds']
  const named = selector === undefined ? undefined : findNamed(selector)?.effect
  if (named === undefined) return []
  if (named === 'mint' || named === 'pause') return [named]
  return PASSED_ON.has(named) && passed.some(({ term }) => isFromCaller(term)) ? [named] : []
}

function stored(
  { subject, value, facts }: RawEffect,
  context: Context,
  guarded: readonly Position[],
): readonly PowerEffect[] {
  if (value === undefined) return []
  const position = positionOf(subject, facts)
  const isAccountSet = isAddress(value) && isFromCaller(value)
  const hits = (held: readonly Position[]): boolean =>
    position.type !== 'anywhere' &&
    held.some((each) => isAt(position, each) || (isAccountSet && mayBeElement(position, canonical(each))))
  const effects: PowerEffect[] = []
  if (hits(context.delegated) && isFromCaller(value)) effects.push('upgrade')
  const isRemoval = isCleared(value, subject)
  const changed = changedBits(value, subject)
  const isOwnEntry = position.type === 'table' && position.keys.includes('caller')
  const isGrant = context.guarding.some(
    ({ position: held, bits }) =>
      (bits & changed) !== 0n && hits([held]) && !(isOwnEntry && guarded.some((each) => isAt(position, each))),
  )
  // To remove a holder is no power over others.
  if (isGrant && isRemoval) return effects
  if (isGrant) effects.push('grant')
  if (hits(context.priced)) effects.push('set_price')
  if (hits(context.signing) && isFromCaller(value)) effects.push('set_verifier')
  // To choose who is paid is to move the funds.
  const isPaying = hits(context.paid) && isFromCaller(value)
  if (isPaying || (hits(context.accepted) && !isGrant && !isRemoval)) effects.push('move_funds')
  if (hits(context.called) && isFromCaller(value)) effects.push('set_dependency')
  if (hits(context.gating) && isMark(value, subject)) effects.push('pause')
  if (position.type === 'table' && isMark(value, subject) && !isRemoval && hits(context.transferred))
    effects.push('freeze')
  // Texts and elements of arrays are at positions that are known by where they begin.
  const isSpread = position.type === 'hashed' || position.type === 'near'
  if (effects.length === 0 && (isSpread || hits(context.used)) && isFromCaller(value))
    effects.push(isAddress(value) ? 'set_dependency' : 'set_terms')
  return effects
}

/** A store to a slot whose number the caller passes, which may hold any balance. */
export const isAnySlot = ({ kind, subject, facts }: RawEffect): boolean =>
  kind === 'store' &&
  contains(subject, (part) => part.kind === 'input') &&
  !contains(subject, (part) => part.kind !== 'input' && part.kind !== 'constant' && part.kind !== 'operation') &&
  positionOf(subject, facts).type === 'anywhere'

/** The same slot, or an element of the same table. */
export function isAt(written: Position, held: Position): boolean {
  const [a, b] = [canonical(written), canonical(held)]
  if (a.type === 'slot' && b.type === 'slot') return a.slot === b.slot
  if (a.type !== 'table' || b.type !== 'table') return false
  if (a.base === b.base) return a.keys.length === b.keys.length && mayHit(a, b)
  return written.type === 'table' && held.type === 'table' && written.base === held.base && mayHit(written, held)
}

/** A flag: a constant, a truth value, or bits of the value before with others. */
function isMark(value: Term, position: Term): boolean {
  if (value.kind === 'constant') return value.value <= 0xffn || isCleared(value, position)
  if (isCleared(value, position)) return true
  if (value.kind !== 'operation') return false
  if (value.op === OP.ISZERO) return true
  if (value.op !== OP.OR) return false
  return value.args.every((part) => part.kind === 'constant' || isKept(part, position) || isFlag(part))
}

/** A truth value, shifted to its place. */
function isFlag(term: Term): boolean {
  if (term.kind === 'constant') return true
  if (term.kind !== 'operation') return false
  if (term.op === OP.ISZERO || term.op === OP.EQ) return true
  const [left, right] = term.args
  return (
    (term.op === OP.SHL || term.op === OP.MUL || term.op === OP.AND) &&
    left?.kind === 'constant' &&
    right !== undefined &&
    isFlag(right)
  )
}

/** The value is masked to the size of an address. */
export const isAddress = (value: Term): boolean =>
  contains(
    value,
    ({ kind, op, args: [mask] }) =>
      kind === 'operation' && op === OP.AND && mask?.kind === 'constant' && mask.value === ADDRESS_MASK,
  )
