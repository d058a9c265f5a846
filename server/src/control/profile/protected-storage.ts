/** Storage that decides about control: which writes a proof must account for. */
import type { Hex } from 'viem'
import type { Effect } from '../code/effects.ts'
import { canonical, mayHit } from '../code/hits.ts'
import type { Position } from '../code/positions.ts'

type Table = Position & { readonly type: 'table' }

/** `times`: entries are times, or where in their keys the times stand that must have come, in bytes. */
type Queued = { readonly table: Position; readonly times: 'entries' | readonly number[] }

/** A count of votes for a proposal, and the count of those against it. */
export type Contest = { readonly support: Table; readonly against: Table }

export class ProtectedStorage {
  /** Pointers to code, accounts that are compared with the caller, lists of accounts. */
  readonly #held = new Map<string, Position>()
  /** Lists that are known from events, and the event that reports a store into each. */
  readonly #reported = new Map<string, { readonly list: Position; readonly event: Hex }>()
  readonly #queues = new Map<string, Queued>()
  /** Slots with the least time that an operation waits. */
  readonly #delaySlots = new Set<Hex>()
  /** Slots with the contracts that weigh votes. */
  readonly #weigherSlots = new Set<Hex>()
  /** Counts of votes: the members for and against a proposal. */
  readonly #tallies = new Map<string, Position>()
  readonly #support = new Map<string, Contest>()
  readonly #against = new Set<string>()

  /** What only a new proposal gets: when votes are weighed, when a vote begins and ends, what is called. */
  readonly #fixed = new Map<string, { readonly table: Table; readonly bits: bigint }>()

  /** Entries that only a proposal gets which has passed. */
  readonly #passed = new Map<string, Table>()

  /** Slots that count proposals: each number is one more than the last. */
  readonly #counters = new Set<Hex>()

  #hasFixedLists = false

  /** Bits that record what was done, such as that an account has voted: then only the account gets such a record. */
  readonly #records = new Map<string, { readonly table: Position; readonly bits: bigint; readonly isVote: boolean }>()

  get size(): number {
    const lists = this.#held.size + this.#reported.size + this.#queues.size
    const votes = this.#tallies.size + this.#records.size + this.#fixed.size + this.#passed.size
    return lists + votes + this.#counters.size
  }

  add(position: Position): void {
    this.#held.set(keyOf(position), position)
  }

  addSlot(slot: Hex): void {
    this.add({ type: 'slot', slot })
  }

  /** A list whose members are known from events. */
  addList(list: Position, event: Hex): void {
    this.add(list)
    this.#reported.set(keyOf(list), { list, event })
  }

  /** Lists that are known from events. */
  get lists(): readonly Position[] {
    return [...this.#reported.values()].map(({ list }) => list)
  }

  /** Some rule depends on entries of a table. */
  get hasEntries(): boolean {
    return this.#reported.size + this.#queues.size + this.#tallies.size > 0
  }

  get queues(): readonly { readonly table: Position; readonly isTime: boolean }[] {
    return [...this.#queues.values()].map(({ table, times }) => ({ table, isTime: times === 'entries' }))
  }

  /** Slots that decide about control. */
  get slots(): readonly Hex[] {
    return [...this.#held.values()].flatMap((held) => (held.type === 'slot' ? [held.slot] : []))
  }

  addQueue(table: Position, times: Queued['times']): void {
    this.#queues.set(keyOf(table) + JSON.stringify(times), { table, times })
  }

  /** Whether every call that an entry lets pass waits for the time that the entry was stored with. `timeAt`: in its key. */
  isTimed(position: Position, timeAt: number | undefined): boolean {
    return [...this.#queues.values()].every(({ table, times }) => {
      if (!mayHit(position, table)) return true
      if (times === 'entries') return timeAt === undefined
      return timeAt !== undefined && timeAt >= 0 && times.includes(timeAt)
    })
  }

  addDelay(slot: Hex): void {
    this.addSlot(slot)
    this.#delaySlots.add(slot)
  }

  addWeigher(slot: Hex): void {
    this.#weigherSlots.add(slot)
  }

  /** Whether a store may change a slot that says how entries are made. */
  changesRule({ kind, position }: Effect): boolean {
    if (kind !== 'store' || position === undefined) return false
    return [...this.#delaySlots, ...this.#weigherSlots].some((slot) => mayHit(position, { type: 'slot', slot }))
  }

  get delaySlots(): readonly Hex[] {
    return [...this.#delaySlots]
  }

  /** Protects the votes for a proposal and those against it. Returns false if one of these counts is on both sides. */
  addTally(table: Table, other: number): boolean {
    const [support, against] = [table, { ...table, member: other }]
    const [won, lost] = [support, against].map((count) => keyOf(withAnyKeys(count))) as [string, string]
    if (this.#against.has(won) || this.#support.has(lost)) return false
    this.#support.set(won, { support, against })
    this.#against.add(lost)
    for (const count of [support, against]) this.#tallies.set(keyOf(count), count)
    return true
  }

  /** The counts of votes for proposals, each with one that it must exceed. */
  get contests(): readonly Contest[] {
    return [...this.#support.values()]
  }

  /** A record that stays as it is once it is set. */
  addRecord(element: Table, bits: bigint, isVote: boolean): void {
    const table = withAnyKeys(element)
    this.#records.set(`${keyOf(table)}${bits}${isVote}`, { table, bits, isVote })
  }

  addFixed(element: Table, bits: bigint): void {
    const table = withAnyKeys(element)
    this.#fixed.set(`${keyOf(table)}${bits}`, { table, bits })
  }

  /** A list of a proposal, whose elements only a new proposal gets too. */
  addFixedList(head: Table): void {
    this.addFixed(head, ALL_BITS)
    this.#hasFixedLists = true
  }

  addCounter(slot: Hex): void {
    this.#counters.add(slot)
  }

  /** Whether a store may give a counter another value than one more. */
  rewinds({ kind, position, isNext = false }: Effect): boolean {
    if (kind !== 'store' || position === undefined || isNext) return false
    return [...this.#counters].some((slot) => mayHit(position, { type: 'slot', slot }))
  }

  addPassed(element: Table): void {
    const table = withAnyKeys(element)
    this.#passed.set(keyOf(table), table)
  }

  isPassed(position: Position): boolean {
    return [...this.#passed.values()].some((table) => mayHit(position, table))
  }

  /** The bits that only a new proposal gets, and that a store may change. */
  fixedBitsChangedBy({ position, keeps = '0x0' }: Effect): bigint {
    if (position === undefined) return 0n
    if (this.#hasFixedLists && position.type === 'hashed' && LIST_BYTES.has(position.bytes)) return ALL_BITS
    const hit = [...this.#fixed.values()].filter(({ table }) => mayHit(position, table))
    return hit.reduce((sum, { bits }) => sum | bits, 0n) & ~BigInt(keeps)
  }

  /** In a queue of times one means done; in a queue of flags it means queued. */
  get hasOnlyTimes(): boolean {
    return [...this.#queues.values()].every(({ times }) => times === 'entries')
  }

  /** Whether a store may change what is protected. To remove an entry from a list gives no account a power. */
  isChangedBy(effect: Effect): boolean {
    const { position, isClear = false, isCast = false, sets = '0x0', keeps = '0x0' } = effect
    if (position === undefined) return false
    if (this.fixedBitsChangedBy(effect) !== 0n || this.rewinds(effect)) return true
    const [kept, left] = [BigInt(keeps), BigInt(sets) | BigInt(keeps)]
    for (const { table, bits, isVote } of this.#records.values())
      if (((isVote && !isCast ? kept : left) & bits) !== bits && mayHit(position, table)) return true
    for (const { table } of this.#queues.values()) if (mayHit(position, table)) return true
    for (const tally of this.#tallies.values()) if (mayHit(position, tally)) return true
    if (!isClear && this.isPassed(position)) return true
    for (const held of this.#held.values()) if (!(isClear && isList(held)) && mayHit(position, held)) return true
    return false
  }

  /** Whether a write reaches a queue and, as a write of an entry, nothing else that is protected. */
  isQueueOnly(position: Position): boolean {
    const isHeld = [...this.#held.values()].some(
      (held) =>
        isSameTable(position, held) || (held.type === 'slot' && position.type !== 'table' && mayHit(position, held)),
    )
    return !isHeld && [...this.#queues.values()].some(({ table }) => mayHit(position, table))
  }

  /** Whether a write reaches counts of votes at most. */
  isTallyOnly(position: Position): boolean {
    return [...this.#held.values()].every((held) => !mayHit(position, held))
  }

  /** Whether a store may add an entry to a queue or a count of votes. */
  addsEntry({ kind, position, isClear }: Effect): boolean {
    if (kind !== 'store' || position === undefined || isClear === true) return false
    const tables = [...this.queues.map(({ table }) => table), ...this.#tallies.values(), ...this.#passed.values()]
    return tables.some((table) => mayHit(position, table))
  }

  /** Whether a store adds to a list that is known from events, without the event. */
  isSilent({ kind, position, isClear, reportedBy }: Effect): boolean {
    if (kind !== 'store' || position === undefined || isClear === true) return false
    return [...this.#reported.values()].some(({ list, event }) => event !== reportedBy && mayHit(position, list))
  }
}

const ALL_BITS = (1n << 256n) - 1n
/** Elements of a list are found by the hash of its position, or of a number of bytes that is not known. */
const LIST_BYTES: ReadonlySet<number> = new Set([0, 32])

const withAnyKeys = (element: Table): Table => ({
  ...element,
  keys: element.keys.map((key) => (key.startsWith('0x') ? key : '?0')),
})

const keyOf = (position: Position): string => JSON.stringify(canonical(position))

/** A list of accounts: an entry that is removed gives no account a power. */
const isList = (position: Position): boolean =>
  position.type === 'table' && position.member === 0 && position.keys.at(-1) === '?0'

export const isSameTable = (a: Position, b: Position): boolean =>
  a.type === 'table' && b.type === 'table' && a.base === b.base && a.keys.length === b.keys.length
