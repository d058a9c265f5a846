/**
 * Rules by which a contract lets calls pass that no check of the caller guards: a passed vote, or an operation that has
 * waited in a queue.
 *
 * The storage that these rules read is protected in turn: votes are counted once for each account, by the answer of another
 * contract, and an operation is queued with its delay by known accounts.
 */
import type { Hex } from 'viem'
import type { Condition, Effect } from '../code/effects.ts'
import type { Key, Position } from '../code/positions.ts'
import type { Target } from '../code/targets.ts'
import { isSameTable, type ProtectedStorage } from './protected-storage.ts'
import { distinctUpgraders, type Upgrader } from './upgrader.ts'

/**
 * How the rules of a contract decide about its calls. `caller`: only checks of the caller do. `vote`: votes for a proposal
 * that exceed those against it. `queue`: an entry whose time has come.
 */
export type Gate = 'caller' | 'vote' | 'queue'

/**
 * The slots with the least time that an operation waits, the accounts that may queue one, the contracts that are called if
 * the rules allow it (undefined among them: any contract), and the contracts that weigh votes, by a function each.
 */
export type Queue = {
  readonly delaySlots: readonly Hex[]
  readonly queuers: readonly Upgrader[]
  readonly calls: readonly (Hex | undefined)[]
  readonly weighers: readonly Weigher[]
}

/** `isAtTime`: it is asked how many votes an account had at a time. */
export type Weigher = { readonly address: Hex; readonly selector: Hex; readonly isAtTime: boolean }

export const NO_QUEUE: Queue = { delaySlots: [], queuers: [], calls: [], weighers: [] }

/** What the gates need of the proof that they belong to. */
type Prover = {
  readonly storage: ProtectedStorage
  /** The contract that a target is; its slot is protected. */
  readonly contractOf: (target: Target) => Hex | undefined
  /** The accounts that the effect is reserved to; undefined where they are not known. */
  readonly reservedTo: (effect: Effect, conditions: readonly Condition[]) => readonly Upgrader[] | undefined
  /** All effects of the code that an effect belongs to. */
  readonly effectsWith: (effect: Effect) => readonly Effect[]
}

export class Gates {
  readonly #gate: Gate
  readonly #prover: Prover
  readonly #queuers: Upgrader[] = []
  readonly #calls = new Set<Hex | undefined>()
  readonly #weighers = new Map<string, Weigher>()

  constructor(gate: Gate, prover: Prover) {
    this.#gate = gate
    this.#prover = prover
  }

  get queue(): Queue {
    return {
      delaySlots: this.#prover.storage.delaySlots,
      queuers: distinctUpgraders(this.#queuers),
      calls: [...this.#calls],
      weighers: [...this.#weighers.values()],
    }
  }

  get size(): number {
    return this.#calls.size
  }

  /** Whether the contract's own rules decide about an effect. */
  lets(effect: Effect, conditions: readonly Condition[]): boolean {
    if (this.#gate === 'caller') return false
    const isCall = effect.kind === 'call'
    if (this.#gate === 'vote') return isCall ? this.#isVoted(effect, conditions) : this.#isCounted(effect, conditions)
    return isCall ? this.#isDue(effect, conditions) : this.#isQueued(effect, conditions)
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
    // Who may queue an operation must be known too, though what they queue waits.
    const queuers = reservedTo(effect, conditions)
    this.#queuers.push(...(queuers ?? []))
    return queuers !== undefined
  }

  /**
   * Whether a call needs more votes for a proposal than against it. A governor also calls its timelock to cancel what is
   * queued; that a call with an entry of a proposal does no more is believed.
   */
  #isVoted({ target }: Effect, conditions: readonly Condition[]): boolean {
    const votes = conditions.find((condition) => condition.type === 'above')
    const address = target === undefined ? undefined : this.#prover.contractOf(target)
    if (votes !== undefined) {
      if (target !== undefined && isOfAnother(target, votes.table)) return false
      this.#prover.storage.addTally(votes.table, votes.other)
      this.#calls.add(address)
      return true
    }
    const isOfProposal = conditions.some((condition) => condition.type === 'entry' && isHashed(condition.table))
    return isOfProposal && address !== undefined && this.#calls.has(address)
  }

  /** Whether a store adds the votes of an account to a count, or begins the count of a new proposal. */
  #isCounted(effect: Effect, conditions: readonly Condition[]): boolean {
    const { kind, position, weighed, isClear } = effect
    const { storage, contractOf } = this.#prover
    if (kind !== 'store' || position?.type !== 'table' || !storage.isTallyOnly(position)) return false
    if (weighed === undefined) return isClear === true && this.#isNew(effect, position, conditions)
    const { by, selector, time } = weighed
    const address = contractOf(by)
    if (address === undefined || !this.#votesOnce(effect, conditions)) return false
    if (time !== undefined && !isOfProposal(time, position)) return false
    const isAtTime = time !== undefined
    this.#weighers.set(`${address}${selector}${isAtTime}`, { address, selector, isAtTime })
    return true
  }

  /**
   * Whether a proposal did not exist before the call, and does after each call of the function that succeeds. What shows it is
   * protected.
   */
  #isNew(effect: Effect, position: Table, conditions: readonly Condition[]): boolean {
    for (const condition of conditions) {
      if (condition.type !== 'unset' || condition.mask !== undefined || condition.isStale === true) continue
      const { table } = condition
      if (!isSameElement(table, position)) continue
      const set = this.#prover
        .effectsWith(effect)
        .filter(
          ({ kind, selector, isCertain }) => kind === 'store' && selector === effect.selector && isCertain === true,
        )
        .find(
          (other) => other.sets !== undefined && other.position !== undefined && isSameMember(other.position, table),
        )
      if (set?.sets === undefined) continue
      this.#prover.storage.addRecord(table, BigInt(set.sets))
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
      const { table, mask } = condition
      // Another key that the caller gives would make a record of its own for each vote.
      const isOneForAll = table.keys
        .slice(1, -1)
        .every((key, n) => key.startsWith('0x') || key === position.keys[n + 1])
      const isOfVote = table.keys.length > position.keys.length && table.keys[0] === position.keys[0] && isOneForAll
      if (!isOfVote || table.keys.at(-1) !== weighed.account) continue
      const tested = mask === undefined ? ALL_BITS : BigInt(mask)
      const recorded = this.#prover
        .effectsWith(effect)
        .filter((other) => other.selector === selector && other.isCertain === true && isRecord(other, condition))
        .map(({ sets = '0x0' }) => BigInt(sets) & tested)
        .find((bits) => bits !== 0n)
      if (recorded === undefined) continue
      this.#prover.storage.addRecord(table, recorded)
      return true
    }
    return false
  }
}

const ALL_BITS = (1n << 256n) - 1n

/** Whether a store records what a condition tests, before other code may have run. */
const isRecord = ({ kind, position, conditions }: Effect, { table, mask }: Condition & { type: 'unset' }): boolean =>
  kind === 'store' &&
  position?.type === 'table' &&
  isSameMember(position, table) &&
  conditions.some(
    (tested) =>
      tested.type === 'unset' && tested.isStale !== true && tested.mask === mask && isSameMember(tested.table, table),
  )

type Table = Position & { readonly type: 'table' }

/** Whether a call goes to an account that is stored for another proposal than the one whose votes are compared. */
const isOfAnother = (target: Target, { keys }: Table): boolean =>
  target.type === 'table' && (target.position.type !== 'table' || target.position.keys[0] !== keys[0])

/** Whether a time is stored for the proposal that votes are counted for, and is not one that the caller gives, or now. */
function isOfProposal(time: Key, { keys }: Table): boolean {
  const stored = time.startsWith('@') ? (JSON.parse(time.slice(1)) as Position) : undefined
  return stored?.type === 'table' && stored.keys[0] === keys[0]
}

const isSameElement = (a: Table, b: Table): boolean =>
  isSameTable(a, b) && JSON.stringify(a.keys) === JSON.stringify(b.keys)

const isSameMember = (a: Position, b: Position): boolean =>
  a.type === 'table' && b.type === 'table' && isSameElement(a, b) && a.member === b.member && a.member >= 0

const isBound = ({ boundBy = [] }: Effect, table: Position): boolean =>
  table.type === 'table' && boundBy.includes(table.base)

const isHashed = (position: Position): boolean =>
  position.type === 'table' && position.keys.at(-1)?.startsWith('#') === true
