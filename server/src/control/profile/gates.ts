/**
 * Rules by which a contract lets calls pass that no check of the caller guards: a passed vote, or an operation that has
 * waited in a queue.
 *
 * The storage that these rules read is protected in turn: votes are counted once for each account, by the answer of another
 * contract, and an operation is queued with its delay by known accounts.
 */
import type { Hex } from 'viem'
import type { Condition, Effect } from '../code/effects.ts'
import { mayHit } from '../code/hits.ts'
import { isHashed, type Key, type Position, positionIn } from '../code/positions.ts'
import type { Target } from '../code/targets.ts'
import { isSameTable, type ProtectedStorage } from './protected-storage.ts'
import { PROPOSER } from './roles.ts'
import type { Running } from './running-code.ts'
import { distinctUpgraders, type Upgrader } from './upgrader.ts'

/**
 * How the rules of a contract decide about its calls. `caller`: only checks of the caller do. `vote`: votes for a proposal
 * that exceed those against it. `queue`: an entry whose time has come.
 */
export type Gate = 'caller' | 'vote' | 'queue'

/**
 * The slots with the least time that an operation waits, the tables of operations, the accounts that may queue one, the contracts that are called if
 * the rules allow it (undefined among them: any contract), those of them that the same proposal may call again, those
 * that answer a part of what they are called with, and the contracts that weigh votes, by a function each.
 */
export type Queue = {
  readonly delaySlots: readonly Hex[]
  readonly queues: ProtectedStorage['queues']
  readonly queuers: readonly Upgrader[]
  readonly calls: readonly (Hex | undefined)[]
  readonly repeated: readonly (Hex | undefined)[]
  readonly asked: readonly (Hex | undefined)[]
  readonly weighers: readonly Weigher[]
}

/** `isAtTime`: it is asked how many votes an account had at a time. */
export type Weigher = { readonly address: Hex; readonly selector: Hex; readonly isAtTime: boolean }

export const NO_QUEUE: Queue = {
  delaySlots: [],
  queues: [],
  queuers: [],
  calls: [],
  repeated: [],
  asked: [],
  weighers: [],
}

/** What the gates need of the proof that they belong to. */
type Prover = {
  readonly storage: ProtectedStorage
  /** The contract that a target is; its slot is protected. */
  readonly contractOf: (target: Target) => Hex | undefined
  /** The accounts that the effect is reserved to; undefined where they are not known. */
  readonly reservedTo: (effect: Effect, conditions: readonly Condition[]) => readonly Upgrader[] | undefined
  /** All effects of the code that an effect belongs to. */
  readonly effectsWith: (effect: Effect) => readonly Effect[]
  /** Whether a function of another contract does nothing but remove entries of a queue. */
  readonly onlyCancels: (address: Hex, selector: Hex) => boolean
}

export class Gates {
  readonly #gate: Gate
  readonly #prover: Prover
  readonly #queuers: Upgrader[] = []
  readonly #calls = new Set<Hex | undefined>()
  readonly #repeated = new Set<Hex | undefined>()
  readonly #asked = new Set<Hex | undefined>()
  readonly #weighers = new Map<string, Weigher>()
  /** Where the accounts stand that may queue an operation, and those one of which must execute it, by a text. */
  readonly #queuersIn = new Map<string, Position>()
  readonly #executorsIn: ReadonlyMap<string, Position>[] = []

  constructor(gate: Gate, prover: Prover) {
    this.#gate = gate
    this.#prover = prover
  }

  get queue(): Queue {
    return {
      delaySlots: this.#prover.storage.delaySlots,
      queues: this.#prover.storage.queues,
      queuers: distinctUpgraders(this.#queuers),
      calls: [...this.#calls],
      repeated: [...this.#repeated],
      asked: [...this.#asked],
      weighers: [...this.#weighers.values()],
    }
  }

  get size(): number {
    return this.#calls.size
  }

  /** Where accounts stand that may queue what others execute: what they queued stays when other accounts take their place. */
  get leaving(): readonly Position[] {
    const isOther = (key: string): boolean => this.#executorsIn.some((executors) => !executors.has(key))
    return [...this.#queuersIn].flatMap(([key, position]) => (isOther(key) ? [position] : []))
  }

  /** Whether the contract's own rules decide about an effect. */
  lets(effect: Effect, conditions: readonly Condition[]): boolean {
    if (this.#gate === 'caller') return false
    const isCall = effect.kind === 'call'
    if (this.#gate === 'vote') return isCall ? this.#isVoted(effect, conditions) : this.#isCounted(effect, conditions)
    return isCall ? this.#isDue(effect, conditions) : this.#isQueued(effect, conditions)
  }

  /** Votes for a proposal that voters could not cast against it. */
  unopposed(running: readonly Running[]): readonly { readonly address: Hex; readonly effect: Effect }[] {
    const votes = running.flatMap(({ address, conditions, code }) =>
      code.effects.effects
        .filter((effect) => effect.weighed !== undefined && this.lets(effect, [...conditions, ...effect.conditions]))
        .map((effect) => ({ address, effect })),
    )
    return this.#prover.storage.contests.flatMap(({ support, against }) =>
      votes.filter(
        ({ effect: { position, selector, at } }) =>
          isCountIn(position, support) &&
          !votes.some(
            ({ effect: other }) =>
              isCountIn(other.position, against) && other.selector === selector && other.openAs?.includes(at) === true,
          ),
      ),
    )
  }

  #isDue(effect: Effect, conditions: readonly Condition[]): boolean {
    for (const condition of conditions) {
      if (condition.type !== 'due' && condition.type !== 'entry') continue
      const times = condition.type === 'due' ? 'entries' : condition.comeAt
      if (times === undefined) continue
      // The entry must belong to the operation: its key is a hash of what is called.
      if (!isHashed(condition.table) || !isBound(effect, condition.table)) continue
      // A target in a slot is the same for all operations, as long as it stays there.
      if (effect.target !== undefined) this.#prover.contractOf(effect.target)
      this.#prover.storage.addQueue(condition.table, times)
      this.#executorsIn.push(callersIn(conditions))
      return true
    }
    return false
  }

  /** Whether an operation is queued with its delay, marked as done, or removed. */
  #isQueued(effect: Effect, conditions: readonly Condition[]): boolean {
    const { kind, position, isClear, constant, delaySlot, timeAt } = effect
    const { storage, reservedTo } = this.#prover
    if (kind !== 'store' || position === undefined || !storage.isQueueOnly(position)) return false
    if (delaySlot === undefined)
      return isClear === true || (constant !== undefined && BigInt(constant) <= 1n && storage.hasOnlyTimes)
    if (!storage.isTimed(position, timeAt)) return false
    storage.addDelay(delaySlot)
    for (const [key, position] of callersIn(conditions)) this.#queuersIn.set(key, position)
    // Who may queue an operation must be known too, though what they queue waits.
    const queuers = reservedTo(effect, conditions)
    this.#queuers.push(...(queuers ?? []))
    return queuers !== undefined
  }

  /**
   * Whether a call needs more votes for a proposal than against it. A governor also calls its timelock to cancel what is
   * queued.
   */
  #isVoted(effect: Effect, conditions: readonly Condition[]): boolean {
    const { target } = effect
    const votes = conditions.find((condition) => condition.type === 'above')
    const address = target === undefined ? undefined : this.#prover.contractOf(target)
    if (votes !== undefined && this.#isOfProposal(effect, votes.table)) {
      if (!this.#prover.storage.addTally(votes.table, votes.other)) return false
      this.#protectTimes(votes.table, conditions)
      this.#calls.add(address)
      if (!this.#isExecutedOnce(effect, votes.table, conditions)) this.#repeated.add(address)
      if (effect.isAsking === true) this.#asked.add(address)
      return true
    }
    if (address === undefined || !this.#calls.has(address)) return false
    return conditions.some(
      (condition) =>
        condition.type === 'entry' &&
        isHashed(condition.table) &&
        (this.#isCanceling(effect, address) || this.#isOfPassed(effect, condition.table)),
    )
  }

  #isCanceling({ passes }: Effect, address: Hex): boolean {
    return passes !== undefined && this.#prover.onlyCancels(address, passes)
  }

  /** Whether a call is determined by a proposal with an entry that only proposals get which have passed. The entry is protected. */
  #isOfPassed(effect: Effect, table: Position): boolean {
    if (table.type !== 'table' || !isNamed(effect, table)) return false
    const isOther = ({ kind, position, isClear }: Effect): boolean =>
      kind !== 'store' || isClear === true || position === undefined || !mayHit(position, table)
    const isPassed = this.#prover
      .effectsWith(effect)
      .every((each) => isOther(each) || this.#hasPassed(each.position, each.conditions))
    if (isPassed) this.#prover.storage.addPassed(table)
    return isPassed
  }

  /** Whether what is called is stored for the proposal whose votes are compared, if it is stored. It is protected. */
  #isOfProposal(effect: Effect, table: Table): boolean {
    const { target, readsOf, readsLists = [], readsInput = [], readsSlots = [] } = effect
    const { storage } = this.#prover
    const [key] = table.keys
    // The number of the proposal is a hash: it must be one of the call.
    if (isHashed(table)) return isNamed(effect, table)
    // Otherwise the caller must give nothing but this number.
    if (readsOf === undefined || readsInput.some((word) => word !== key)) return false
    if (target?.type === 'table') {
      const { position, shift } = target
      if (position.type !== 'table' || position.keys[0] !== key) return false
      storage.addFixed(position, ADDRESS_BITS << BigInt(shift))
    }
    for (const list of readsLists) if (list.type === 'table') storage.addFixedList(list)
    // What it calls may come from any slot that it reads.
    for (const slot of readsSlots) this.#protectSlot(effect, slot)
    return readsOf.every((other) => other === key)
  }

  /** Protects a slot; one that numbers proposals may only count. */
  #protectSlot(effect: Effect, slot: Hex): void {
    const { storage, effectsWith } = this.#prover
    const isCounter = effectsWith(effect).some(
      ({ position, isNext }) => isNext === true && position?.type === 'slot' && position.slot === slot,
    )
    if (isCounter) storage.addCounter(slot)
    else storage.addSlot(slot)
  }

  /** Whether only accounts that are named may vote. Storage that may prevent a vote, other than of the proposal, is protected. */
  #isPrevented(effect: Effect, { keys }: Table, conditions: readonly Condition[]): boolean {
    for (const position of effect.needs ?? []) {
      if (position.type === 'slot') this.#protectSlot(effect, position.slot)
      else if (position.type !== 'table' || position.keys[0] !== keys[0]) this.#prover.storage.add(position)
    }
    return conditions.some(isOfFew)
  }

  /** Times of the proposal that the present is compared with are protected. */
  #protectTimes({ keys }: Table, conditions: readonly Condition[]): void {
    for (const condition of conditions)
      if (condition.type === 'clocked' && condition.table.keys[0] === keys[0])
        this.#prover.storage.addFixed(condition.table, BigInt(condition.mask))
  }

  /** Whether a proposal was not executed before, and every call of the function records that it is, before other code runs. */
  #isExecutedOnce(effect: Effect, { keys }: Table, conditions: readonly Condition[]): boolean {
    return conditions.some(
      (condition) =>
        condition.type === 'unset' &&
        condition.table.keys[0] === keys[0] &&
        condition.table.keys.slice(1).every((key) => key.startsWith('0x')) &&
        this.#isRecorded(effect, condition, (other) => isRecord(other, condition)),
    )
  }

  /** Whether a store adds the votes of an account to a count, or begins the count or the time of a new proposal. */
  #isCounted(effect: Effect, conditions: readonly Condition[]): boolean {
    const { kind, position, weighed } = effect
    const { storage, contractOf } = this.#prover
    if (position?.type === 'hashed') return kind === 'store' && this.#isFresh(effect)
    if (kind !== 'store' || position?.type !== 'table' || !storage.isTallyOnly(position)) return false
    if (storage.isPassed(position)) return this.#hasPassed(position, conditions)
    if (weighed === undefined) {
      // A new proposal has no votes; what else it gets is its own.
      const bits = storage.fixedBitsChangedBy(effect)
      const isFirst = this.#isNew(effect, position, conditions) || (bits !== 0n && isUnset(position, bits, conditions))
      return isFirst && !storage.addsEntry(effect) && this.#isOfPresent(effect)
    }
    const { by, selector, time, timeMask } = weighed
    const address = contractOf(by)
    if (address === undefined || effect.isCast !== true || !this.#votesOnce(effect, conditions)) return false
    const timeOf = time === undefined ? undefined : storedTime(time, position)
    if (time !== undefined && timeOf === undefined) return false
    if (timeOf !== undefined) storage.addFixed(timeOf, timeMask === undefined ? ALL_BITS : BigInt(timeMask))
    this.#protectTimes(position, conditions)
    if (this.#isPrevented(effect, position, conditions)) return false
    if (by.type === 'slot') storage.addWeigher(by.slot)
    const isAtTime = time !== undefined
    this.#weighers.set(`${address}${selector}${isAtTime}`, { address, selector, isAtTime })
    return true
  }

  /** Whether the time as of which votes count, where it is stored, is not an earlier one. What is added to it is protected. */
  #isOfPresent({ time, takes = [] }: Effect): boolean {
    if (time === 'present') for (const from of takes) if (from.type === 'slot') this.#prover.storage.add(from)
    return time !== 'other'
  }

  /** Whether the votes for the proposal that gets an entry exceed those against it. */
  #hasPassed(position: Position | undefined, conditions: readonly Condition[]): boolean {
    const votes = conditions.find((condition) => condition.type === 'above')
    if (votes === undefined || position?.type !== 'table' || votes.table.keys[0] !== position.keys[0]) return false
    if (!this.#prover.storage.addTally(votes.table, votes.other)) return false
    this.#protectTimes(votes.table, conditions)
    return true
  }

  /** Whether an element is of a number that no call used before. The counter is protected. */
  #isFresh({ freshBy }: Effect): boolean {
    if (freshBy !== undefined) this.#prover.storage.addCounter(freshBy)
    return freshBy !== undefined
  }

  /**
   * Whether a proposal did not exist before the call, and does after each call of the function that succeeds. What shows it is
   * protected.
   */
  #isNew(effect: Effect, position: Table, conditions: readonly Condition[]): boolean {
    if (this.#isFresh(effect)) return true
    for (const condition of conditions) {
      if (condition.type !== 'unset' || condition.isStale === true) continue
      const { table } = condition
      if (!isSameElement(table, position)) continue
      if (this.#isRecorded(effect, condition, ({ position: at }) => at !== undefined && isSameMember(at, table)))
        return true
    }
    return false
  }

  /**
   * Whether an account has not voted on the proposal before, and every call of the function records that it has voted. What
   * is recorded is protected.
   */
  #votesOnce(effect: Effect, conditions: readonly Condition[]): boolean {
    const { position, weighed, selector } = effect
    if (position?.type !== 'table' || weighed === undefined || selector === undefined) return false
    for (const condition of conditions) {
      if (condition.type !== 'unset') continue
      const { table } = condition
      // Another key that the caller gives would make a record of its own for each vote.
      const isOneForAll = table.keys
        .slice(1, -1)
        .every((key, n) => key.startsWith('0x') || key === position.keys[n + 1])
      const isOfVote = table.keys.length > position.keys.length && table.keys[0] === position.keys[0] && isOneForAll
      if (!isOfVote || table.keys.at(-1) !== weighed.account) continue
      if (this.#isRecorded(effect, condition, (other) => isRecord(other, condition), true)) return true
    }
    return false
  }

  /** Whether every call of the function sets bits that a condition requires to be unset. They are protected. */
  #isRecorded(
    effect: Effect,
    { table, mask }: Condition & { type: 'unset' },
    isSetting: (other: Effect) => boolean,
    isVote = false,
  ): boolean {
    const tested = mask === undefined ? ALL_BITS : BigInt(mask)
    const recorded = this.#prover
      .effectsWith(effect)
      .filter(({ kind, selector, isCertain }) => kind === 'store' && selector === effect.selector && isCertain === true)
      .filter(isSetting)
      .map(({ sets = '0x0' }) => BigInt(sets) & tested)
      .find((bits) => bits !== 0n)
    if (recorded !== undefined) this.#prover.storage.addRecord(table, recorded, isVote)
    return recorded !== undefined
  }
}

/** Where the accounts stand one of which the caller must be. Former proposers of OpenZeppelin's timelock are read from its events. */
function callersIn(conditions: readonly Condition[]): ReadonlyMap<string, Position> {
  const found = conditions.flatMap((each): readonly Position[] => {
    if (each.type === 'listed') return each.table.keys[0] === PROPOSER ? [] : [each.table]
    return each.type === 'caller' && each.is.type === 'slot' ? [{ type: 'slot', slot: each.is.slot }] : []
  })
  return new Map(found.map((position) => [JSON.stringify(position), position]))
}

const ALL_BITS = (1n << 256n) - 1n
const ADDRESS_BITS = (1n << 160n) - 1n

/** Whether a store records what a condition tests, before other code may have run. */
const isRecord = ({ kind, position, conditions }: Effect, { table, mask }: Condition & { type: 'unset' }): boolean =>
  kind === 'store' &&
  position?.type === 'table' &&
  isSameMember(position, table) &&
  conditions.some(
    (tested) =>
      tested.type === 'unset' && tested.isStale !== true && tested.mask === mask && isSameMember(tested.table, table),
  )

/** Whether the caller must be an account that the code or the storage names. */
const isOfFew = (condition: Condition): boolean => condition.type === 'caller' && FEW.has(condition.is.type)
const FEW: ReadonlySet<Target['type']> = new Set(['constant', 'slot', 'table'])

type Table = Position & { readonly type: 'table' }

/** Where a time is stored for the proposal that votes are counted for; undefined if the caller gives it, or it is now. */
function storedTime(time: Key, { keys }: Table): Table | undefined {
  const stored = positionIn(time)
  return stored?.type === 'table' && stored.keys[0] === keys[0] ? stored : undefined
}

/** Whether conditions require that bits of a member are still zero. */
const isUnset = (position: Table, bits: bigint, conditions: readonly Condition[]): boolean =>
  conditions.some(
    (condition) =>
      condition.type === 'unset' &&
      condition.isStale !== true &&
      isSameMember(condition.table, position) &&
      (bits & ~(condition.mask === undefined ? ALL_BITS : BigInt(condition.mask))) === 0n,
  )

const isSameElement = (a: Table, b: Table): boolean =>
  isSameTable(a, b) && JSON.stringify(a.keys) === JSON.stringify(b.keys)

const isSameMember = (a: Position, b: Position): boolean =>
  a.type === 'table' && b.type === 'table' && isSameElement(a, b) && a.member === b.member && a.member >= 0

const isCountIn = (position: Position | undefined, count: Table): boolean =>
  position?.type === 'table' && isSameTable(position, count) && position.member === count.member

const isBound = ({ boundBy = [] }: Effect, table: Position): boolean =>
  table.type === 'table' && boundBy.includes(table.base)

const isNamed = ({ namedBy = [] }: Effect, table: Position): boolean =>
  table.type === 'table' && namedBy.includes(table.base)
