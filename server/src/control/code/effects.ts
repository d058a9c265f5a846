/**
 * The effects of code in a form that can be stored: where it writes, what it calls, and what must hold for it.
 *
 * Positions that are not understood are `anywhere`, targets `unknown`; a condition that is not understood is left out.
 * So every simplification makes an effect look more dangerous than it is, never less.
 */
import type { ExceededLimit } from '../../../../vocabulary/reasons.ts'
import type { Hex } from '../../lib/hex.ts'
import { type Entries, entriesOf, type Naming } from './bound-calls.ts'
import { castVotes, entryAccount, type IsCast } from './cast-votes.ts'
import { bitsStored } from './certain-stores.ts'
import { type Fact, isClock, isSelectorTest } from './conditions.ts'
import type { Dataflow, RawEffect } from './dataflow.ts'
import { lastCallIn } from './epochs.ts'
import { expressionOf } from './expressions.ts'
import { type CounterOf, freshKeys, isNext } from './fresh-keys.ts'
import { OP } from './instructions.ts'
import { callIn, isAnswerCopy, type PassedBack, passedBack } from './passed-back.ts'
import { isForwarding, keepsSelector, passesInput, selectorPassed, selectorText } from './passed-input.ts'
import { permissionOf } from './permissions.ts'
import { addends, bitsOf, isHashed, type Position, positionOf } from './positions.ts'
import {
  delayOf,
  isCountOfAnother,
  isNonZeroTest,
  isNow,
  isOfAnother,
  isSet,
  NO_PLACE,
  type Operation,
  operationOf,
  ordered,
  placesOf,
} from './queued-operations.ts'
import { type Reads, readsAt } from './read-tables.ts'
import { type Taken, takenByCall, takenFrom } from './taken-words.ts'
import { accountAt, FIRST_WORD, hasAnswered, isPrecompiled, type Target, targetOf } from './targets.ts'
import { isAccount, type Term, word } from './terms.ts'
import { type ConditionsOfVote, type VoteConditions, voteConditions } from './vote-conditions.ts'
import { type TimeField, timesWeighed, type VoteTime, voteTime } from './vote-times.ts'
import { partOf, type Weighed, weighedBy, weighingStores } from './weighed-votes.ts'

/** A value that can be computed from storage, in prefix form: an instruction and its operands. */
export type Expression = Hex | 'self' | { readonly stored: Hex } | readonly [number, ...Expression[]]

/** What holds whenever an effect is reached. */
export type Condition =
  /** The caller is this account. */
  | { readonly type: 'caller'; readonly is: Target }
  /** The caller has a nonzero entry in a table. `mask`: in these bits of it. */
  | { readonly type: 'listed'; readonly table: Position & { readonly type: 'table' }; readonly mask: Hex }
  /**
   * An entry that the caller names, other than by its own address, is not zero. `comeAt`: where times stand in its key, in
   * bytes, that must have come for a call.
   */
  | { readonly type: 'entry'; readonly table: Position; readonly comeAt?: readonly number[] }
  /** Such an entry holds a time that has come. */
  | { readonly type: 'due'; readonly table: Position }
  /** In an element of a table, one member, such as the votes for a proposal, is above another. */
  | { readonly type: 'above'; readonly table: Position & { readonly type: 'table' }; readonly other: number }
  /** An entry is still zero. `mask`: in these bits of it. `isStale`: it was before a call, in which other code may have run. */
  | {
      readonly type: 'unset'
      readonly table: Position & { readonly type: 'table' }
      readonly mask?: Hex
      readonly isStale?: boolean
    }
  /** A number in these bits of an element was compared with the present block or time. */
  | { readonly type: 'clocked'; readonly table: Position & { readonly type: 'table' }; readonly mask: Hex }
  /** This manager, such as OpenZeppelin's AccessManager, lets the caller use the function; if delayed, after it has announced the call. */
  | { readonly type: 'permitted'; readonly by: Target; readonly isDelayed: boolean }
  /** The contract in a slot returned a whole word that is not zero. */
  | { readonly type: 'answered'; readonly by: Target & { readonly type: 'slot' } }
  /** The storage gives this expression a value other than zero, or zero. */
  | { readonly type: 'state'; readonly expression: Expression; readonly isZero: boolean }

export type Effect = {
  readonly kind: 'store' | 'delegatecall' | 'call' | 'selfdestruct'
  /** Position of the instruction in the code. */
  readonly at: number
  /** The function it belongs to; undefined for the fallback, or if several share it. */
  readonly selector?: Hex
  readonly position?: Position
  /** The value stored only removes bits of the value before. */
  readonly isClear?: boolean
  /** The value stored is a small number, or the value before plus or minus a small number. */
  readonly isCount?: boolean
  /** Stored with a time that is at least as far ahead as the number of seconds in this slot. */
  readonly delaySlot?: Hex
  /** Where that time stands in the key of the entry, in bytes; missing: the entry itself is the time. */
  readonly timeAt?: number
  /** The value before plus what a contract returned about an account, such as the weight of its vote, once in a call. */
  readonly weighed?: Weighed
  /** The account that is weighed, or for which an entry is stored, makes the call, or has signed the vote. */
  readonly isCast?: boolean
  /** The value stored, where it is constant. */
  readonly constant?: Hex
  /** Bits of an element of a mapping that are set, and bits that stay what they are. */
  readonly sets?: Hex
  readonly keeps?: Hex
  /** Every call of the function that succeeds makes the store, or one that sets the same bits. */
  readonly isCertain?: boolean
  /** The element is of a number that the function counts: one that no call used before, if this slot only counts. */
  readonly freshBy?: Hex
  /** The value stored is one more than the value before. */
  readonly isNext?: boolean
  /**
   * The first topic of the event that reports the keys of an element of a mapping, or the account in a slot of a name,
   * whenever the store takes effect; of a delegatecall, of one before it that names the code.
   */
  readonly reportedBy?: Hex
  readonly target?: Target
  /** The call passes the caller's input on, or the fallback function returns what it returns. */
  readonly isForwarded?: boolean
  /** The code that is run may get another selector than the input has, though it gets bytes of it. */
  readonly isRenamed?: boolean
  /** The code that is run gets the whole input, without a change. */
  readonly isUnchanged?: boolean
  /** The call passes a fixed function selector. */
  readonly passes?: Hex
  /** The mappings, by their slot, whose entries stand for what is called and are removed by the call. */
  readonly boundBy?: readonly Hex[]
  /** The mappings, by their slot, whose keys are known to be hashes of what is called. */
  readonly namedBy?: readonly Hex[]
  /** Such keys leave out what the called contract itself answered. */
  readonly isAsking?: boolean
  readonly conditions: readonly Condition[]
  /** Of a call after a vote whose target and data the caller does not give: what its function reads. */
} & Partial<Reads> &
  Taken &
  VoteTime &
  Partial<VoteConditions>

/** `forwarded`: what a delegatecall returned. */
export type Answer = { readonly selector?: Hex; readonly is: Target | { readonly type: 'forwarded' } }

export type CodeEffects = {
  readonly effects: readonly Effect[]
  /** Contracts that it asks by STATICCALL. */
  readonly asks: readonly Target[]
  /** Every word that its functions return as an account. */
  readonly answers: readonly Answer[]
  /** Storage that its fallback function computes answers from. */
  readonly answersTake?: readonly Position[]
  readonly settled: boolean
  readonly unsettledAt?: number
  /** The limit of the analysis that it exceeded. */
  readonly exceeded?: ExceededLimit
}

const SMALL_BITS = 64
const SMALL = 1n << BigInt(SMALL_BITS)
const TOP_BITS = 256
const TOP = 1n << BigInt(TOP_BITS)
/** What a length may grow by at once: no chain stores so often that it becomes large. */
const LARGEST_STEP = 1n << 32n

export function effectsOf(flow: Dataflow): CodeEffects {
  const effects = new Map<string, Effect>()
  const asks = new Map<string, Target>()
  const answers = new Map<string, Answer>()
  const storageReadIn = (selector: bigint): ReadonlySet<Term> => flow.functions.get(selector) ?? new Set()
  const readsIn = (selector: bigint): Reads =>
    readsAt([...storageReadIn(selector)], [...(flow.given.get(selector) ?? [])])
  const weighed = weighingStores(flow)
  const back = passedBack(flow)
  const context = {
    readsIn,
    storageReadIn,
    ...back,
    weighing: new Set(weighed.map(({ at }) => at)),
    voteNeeds: voteConditions(flow, weighed),
    times: timesWeighed(weighed),
    isCast: castVotes(flow, weighed),
    counterOf: freshKeys(flow),
    code: flow.code,
  }
  const entries = new Map<bigint, Entries>()
  const runs = new Set(flow.effects.flatMap(({ op, at }) => (op === OP.DELEGATECALL ? [at] : [])))
  const entriesIn = (selector: bigint): Entries => {
    const found = entries.get(selector) ?? entriesOf(flow, selector)
    entries.set(selector, found)
    return found
  }
  for (const raw of [...flow.effects, ...flow.looks]) {
    if (raw.kind === 'exit' && raw.op === OP.RETURN) {
      const answer = answerOf(raw, runs)
      answers.set(JSON.stringify(answer), answer)
      continue
    }
    if (raw.op === OP.STATICCALL) {
      const asked = targetOf(raw.subject, raw.facts)
      if (!isPrecompiled(asked)) asks.set(JSON.stringify(asked), asked)
    }
    const found = effectOf(raw, context)
    if (found === undefined) continue
    const effect =
      raw.selector === undefined || !needsEntry(found) ? found : withEntries(found, entriesIn(raw.selector))
    const { at: _, ...rest } = effect
    const key = JSON.stringify(rest)
    if (!effects.has(key)) effects.set(key, effect)
  }
  return {
    effects: [...effects.values()],
    asks: [...asks.values()],
    answers: [...answers.values()],
    ...(back.takes.length === 0 ? {} : { answersTake: back.takes }),
    settled: flow.settled,
    ...(flow.unsettledAt === undefined ? {} : { unsettledAt: flow.unsettledAt }),
    ...(flow.isOverBudget === true ? { exceeded: 'steps' as const } : {}),
  }
}

/** Whether a queued operation may let a call pass, or a store queues one with a time in its key. */
const needsEntry = ({ kind, conditions, timeAt }: Effect): boolean =>
  timeAt !== undefined ||
  (kind === 'call' &&
    conditions.some(
      (each) => each.type === 'due' || ((each.type === 'entry' || each.type === 'above') && isHashed(each.table)),
    ))

/** The effect with what is known of the entries that its function uses up or adds. */
function withEntries(effect: Effect, { executed, queued, named }: Entries): Effect {
  const { position, conditions } = effect
  if (effect.timeAt !== undefined) {
    const [timeAt = NO_PLACE] = position?.type === 'table' ? (queued.get(position.base) ?? []) : []
    return { ...effect, timeAt }
  }
  const withTimes = (condition: Condition): Condition => {
    if (condition.type !== 'entry' || condition.comeAt === undefined || condition.table.type !== 'table')
      return condition
    return { ...condition, comeAt: executed.get(condition.table.base) ?? [] }
  }
  const naming = named.get(effect.at) ?? new Map<Hex, Naming>()
  return {
    ...effect,
    conditions: conditions.map(withTimes),
    boundBy: [...executed.keys()].sort(),
    namedBy: [...naming.keys()].sort(),
    ...([...naming.values()].includes('asking') ? { isAsking: true } : {}),
  }
}

function answerOf({ subject, passed, facts, selector }: RawEffect, runs: ReadonlySet<number>): Answer {
  const [first] = passed ?? []
  const isCopy = first?.from === 0 && first.to === 32 && isAnswerCopy(first.term, subject)
  const isForwarded = isCopy && runs.has(callIn(subject))
  return {
    ...(selector === undefined ? {} : { selector: selectorText(selector) }),
    is: isForwarded ? { type: 'forwarded' } : targetOf(subject, facts),
  }
}

type Context = Pick<PassedBack, 'isPassedBack' | 'isUnchecked'> & {
  readonly readsIn: (selector: bigint) => Reads
  readonly storageReadIn: (selector: bigint) => ReadonlySet<Term>
  readonly weighing: ReadonlySet<number>
  readonly voteNeeds: ConditionsOfVote
  readonly times: readonly TimeField[]
  readonly counterOf: CounterOf
  readonly isCast: IsCast
  readonly code: Uint8Array
}

function effectOf(raw: RawEffect, context: Context): Effect | undefined {
  const { readsIn, storageReadIn, isPassedBack, isUnchecked, weighing, voteNeeds, times, counterOf, isCast, code } =
    context
  const { kind, at, op, subject, value, passed, facts, selector, epoch, reportedBy } = raw
  const operation = kind === 'call' ? operationOf(raw) : undefined
  const reads = selector === undefined ? undefined : storageReadIn(selector)
  const base = {
    at,
    ...(selector === undefined ? {} : { selector: selectorText(selector) }),
    conditions: [...conditionsOf(facts, epoch, operation), ...permissionsIn(facts, selector)],
  }
  if (kind === 'log' || kind === 'exit') return undefined
  if (kind === 'create' || kind === 'look')
    return isPassedBack(raw) ? { ...base, kind: 'call', target: { type: 'unknown' }, isForwarded: true } : undefined
  if (kind === 'selfdestruct') return { ...base, kind }
  if (kind === 'store' && value !== undefined) {
    const position = positionOf(subject, facts)
    const isRepeated = raw.addedBefore?.some((before) => weighing.has(before)) === true
    const weighed = isRepeated ? undefined : weighedBy(value, subject, epoch, facts)
    const account = weighed?.account ?? entryAccount(subject)
    const counter = isElement(position) ? counterOf(raw) : undefined
    return {
      ...base,
      kind,
      position,
      ...delayOf(value, subject, facts),
      ...(reportedBy === undefined ? {} : { reportedBy: word(reportedBy) }),
      ...(isClear(value, subject, epoch) ? { isClear: true } : {}),
      ...(isCount(value, subject, facts) ? { isCount: true } : {}),
      ...(weighed === undefined ? {} : { weighed: weighed.stored, ...voteNeeds(raw) }),
      ...voteTime(raw, times),
      ...(account !== undefined && isCast(raw, account) ? { isCast: true } : {}),
      ...(position.type === 'table' ? changedBits(raw, value) : {}),
      ...(counter === undefined ? {} : { freshBy: counter }),
      ...(isNext(raw) ? { isNext: true } : {}),
      ...(value.kind === 'constant' ? { constant: word(value.value) } : takenFrom(value, subject, facts, reads)),
    }
  }
  // Code that runs by CALLCODE takes the contract for its caller, so that its checks of the caller say nothing.
  // What a call reverts with is not judged, so that it must not be an answer.
  const isNotKnown = op === OP.CALLCODE || isUnchecked(raw)
  const target: Target = isNotKnown ? { type: 'unknown' } : targetOf(subject, facts)
  const isInput = isForwarding(passed)
  const isForwarded = isInput || isPassedBack(raw)
  const isRenamed = kind === 'delegatecall' && isInput && !keepsSelector(raw)
  if (op === OP.STATICCALL && !isForwarded) return undefined
  const passes = selectorPassed(passed)
  const isOfProposal = operation?.isChosen === false && base.conditions.some(({ type }) => type === 'above')
  return {
    ...base,
    ...(isOfProposal && selector !== undefined ? readsIn(selector) : {}),
    kind: kind === 'delegatecall' ? 'delegatecall' : 'call',
    target,
    ...(reportedBy === undefined ? {} : { reportedBy: word(reportedBy) }),
    ...(kind === 'call' ? takenByCall(raw, reads ?? []) : {}),
    ...(isForwarded ? { isForwarded: true } : {}),
    ...(isRenamed ? { isRenamed: true } : {}),
    ...(kind === 'delegatecall' && passesInput(raw, code) ? { isUnchanged: true } : {}),
    ...(passes === undefined ? {} : { passes }),
  }
}

const isElement = ({ type }: Position): boolean => type === 'table' || type === 'hashed'

function changedBits({ subject, epoch, isCertain }: RawEffect, value: Term): Partial<Effect> {
  const { ones, kept } = bitsStored(value, subject, epoch)
  return {
    ...(ones === 0n ? {} : { sets: word(ones) }),
    ...(kept === 0n ? {} : { keeps: word(kept) }),
    ...(isCertain === true ? { isCertain } : {}),
  }
}

/** Only removes bits. A value that was read before the last call or write may restore bits that were removed since. */
function isClear(value: Term, position: Term, epoch: string): boolean {
  if (value.kind === 'constant') return value.value === 0n
  const [mask, kept] = value.args
  const isMasked = value.kind === 'operation' && value.op === OP.AND && mask?.kind === 'constant'
  return isMasked && kept?.kind === 'stored' && kept.args[0] === position && kept.tag === epoch
}

/** A value that keeps a length plausible: small, or the stored value plus or minus a small number. */
function isCount(value: Term, position: Term, facts: readonly Fact[]): boolean {
  const { fixed, hash, others } = addends(value)
  if (hash !== undefined || (fixed >= SMALL && fixed <= TOP - SMALL)) return false
  const isBelow = fixed >= SMALL
  const [only, ...more] = others
  if (only === undefined) return !isBelow
  if (more.length > 0) return false
  const isSame = only.kind === 'stored' && only.args[0] === position
  // Below zero it would wrap around.
  if (isSame && isBelow) return fixed === TOP - 1n && facts.some(({ term, holds }) => isNonZeroTest(term, holds, only))
  if (isBelow) return false
  if (isSame) return fixed < LARGEST_STEP
  const lengths: Position[] = []
  return (bitsOf(only, facts, lengths) ?? TOP_BITS) <= SMALL_BITS && lengths.length === 0
}

function conditionsOf(facts: readonly Fact[], epoch: string, operation: Operation | undefined): readonly Condition[] {
  const conditions: Condition[] = []
  for (const fact of facts) {
    if (isSelectorTest(fact.term)) continue
    const condition =
      callerCondition(fact, facts) ??
      answeredCondition(fact, facts) ??
      stateCondition(fact) ??
      entryCondition(fact, facts, epoch, operation)
    if (condition !== undefined) conditions.push(condition)
    const clocked = clockedCondition(fact, facts)
    if (clocked !== undefined) conditions.push(clocked)
  }
  return [...new Map(conditions.map((condition) => [JSON.stringify(condition), condition])).values()]
}

const permissionsIn = (facts: readonly Fact[], selector: bigint | undefined): readonly Condition[] =>
  selector === undefined
    ? []
    : facts.flatMap((fact) => {
        const permission = permissionOf(fact, facts, selector)
        return permission === undefined ? [] : [{ type: 'permitted', ...permission } as const]
      })

function callerCondition({ term, holds }: Fact, facts: readonly Fact[]): Condition | undefined {
  if (isAccount(term) && !holds) return { type: 'caller', is: { type: 'constant', address: accountAt(0n) } }
  if (!holds) return undefined
  const [left, right] = term.args
  if (term.kind === 'operation' && term.op === OP.EQ && left !== undefined && right !== undefined) {
    const other = isAccount(left) ? right : isAccount(right) ? left : undefined
    if (other !== undefined) return { type: 'caller', is: targetOf(other, facts) }
    // An entry that must have one value.
    const entry = left.kind === 'constant' && right.kind === 'stored' ? listedIn(right, facts, TOP - 1n) : undefined
    return entry
  }
  const [mask, inner] =
    term.kind === 'operation' && term.op === OP.AND && left?.kind === 'constant'
      ? [left.value, right as Term]
      : [TOP - 1n, term]
  if (inner.kind === 'stored') return listedIn(inner, facts, mask)
  return undefined
}

function answeredCondition({ term, holds }: Fact, facts: readonly Fact[]): Condition | undefined {
  const isWord = holds && term.kind === 'returned' && term.tag.startsWith(FIRST_WORD)
  if (!isWord || !hasAnswered(term, facts)) return undefined
  const by = targetOf(term.args[0] as Term, facts)
  return by.type === 'slot' ? { type: 'answered', by } : undefined
}

function listedIn(stored: Term, facts: readonly Fact[], mask: bigint): Condition | undefined {
  const table = positionOf(stored.args[0] as Term, facts)
  const isListed = table.type === 'table' && table.keys.at(-1) === 'caller' && table.member === 0
  return isListed ? { type: 'listed', table, mask: word(mask) } : undefined
}

function entryCondition(
  fact: Fact,
  facts: readonly Fact[],
  epoch: string,
  operation: Operation | undefined,
): Condition | undefined {
  const isOther = (entry: Term): boolean => operation !== undefined && isOfAnother(entry, operation)
  const above = aboveCondition(fact, facts, operation)
  if (above !== undefined) return above
  const order = ordered(fact)
  if (order !== undefined && isNow(order[1])) {
    const [time] = order
    if (time.kind !== 'stored' || !isSet(time, facts) || isOther(time)) return undefined
    const table = positionOf(time.args[0] as Term, facts)
    return table.type === 'table' ? { type: 'due', table } : undefined
  }
  const [mask, masked] = fact.term.args
  const isMasked = fact.term.kind === 'operation' && fact.term.op === OP.AND && mask?.kind === 'constant'
  const shifted = isMasked ? masked : fact.term
  const isShifted = shifted?.kind === 'operation' && shifted.op === OP.SHR && shifted.args[0]?.kind === 'constant'
  const stored = isMasked && isShifted ? shifted.args[1] : shifted
  const shift = isMasked && isShifted ? (shifted.args[0] as Term).value : 0n
  if (stored?.kind !== 'stored') return undefined
  const table = positionOf(stored.args[0] as Term, facts)
  if (table.type !== 'table') return undefined
  if (fact.holds) {
    const comeAt = operation === undefined ? [] : placesOf(stored.args[0] as Term, operation)
    return isOther(stored) ? undefined : { type: 'entry', table, ...(comeAt.length > 0 && { comeAt }) }
  }
  const unset = {
    type: 'unset',
    table,
    ...(lastCallIn(stored.tag) === lastCallIn(epoch) ? {} : { isStale: true }),
  } as const
  if (!isMasked) return unset
  return shift > 255n ? undefined : { ...unset, mask: word((mask.value << shift) % TOP) }
}

/** A member of an element that is compared with the present. */
function clockedCondition(fact: Fact, facts: readonly Fact[]): Condition | undefined {
  const sides = ordered(fact) ?? []
  const time = sides.find((side) => !isClock(side))
  if (time === undefined || !sides.some(isClock)) return undefined
  const { whole, mask } = partOf(time)
  const table = whole.kind === 'stored' ? positionOf(whole.args[0] as Term, facts) : undefined
  return table?.type === 'table' ? { type: 'clocked', table, mask: word(mask) } : undefined
}

/** A strict order of two members of one element. */
function aboveCondition({ term, holds }: Fact, facts: readonly Fact[], operation?: Operation): Condition | undefined {
  const [lower, upper] = term.args
  const isOrder = term.kind === 'operation' && term.op === OP.LT && holds
  if (!isOrder || lower?.kind !== 'stored' || upper?.kind !== 'stored') return undefined
  if (operation !== undefined && isCountOfAnother(upper, operation)) return undefined
  const [below, table] = [lower, upper].map((stored) => positionOf(stored.args[0] as Term, facts))
  if (below?.type !== 'table' || table?.type !== 'table' || below.member < 0 || table.member < 0) return undefined
  const isOne = below.base === table.base && JSON.stringify(below.keys) === JSON.stringify(table.keys)
  return isOne && below.member !== table.member ? { type: 'above', table, other: below.member } : undefined
}

export function stateCondition({ term, holds }: Fact): Condition | undefined {
  const expression = expressionOf(term)
  return expression === undefined || typeof expression === 'string'
    ? undefined
    : { type: 'state', expression, isZero: !holds }
}
