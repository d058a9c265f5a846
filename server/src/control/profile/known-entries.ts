/**
 * Entries of tables that events name, and whether a contract's storage holds no others.
 *
 * Code that ran before, such as the code that created the contract, may have filled a table without an event. The root of
 * the storage excludes that.
 */
import type { Hex } from 'viem'
import { keccak256, numberToHex } from 'viem/utils'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import type { Effect } from '../code/effects.ts'
import { originOf } from '../code/named-slots.ts'
import type { Position } from '../code/positions.ts'
import { toWord } from './abi-values.ts'
import { each, type Facts } from './facts.ts'
import { elementOf, slotOf } from './listed-entries.ts'
import type { ProtectedStorage } from './protected-storage.ts'
import { SLOT_NAMES, SLOTS } from './slots.ts'
import { MalformedSignal } from './state.ts'

type Table = Position & { readonly type: 'table' }

/** No hash is this small, so that a slot below it is no element of a table. */
const SMALL = 1n << 64n
const FIRST_SLOTS: readonly Hex[] = Array.from({ length: 32 }, (_, n) => toWord(n))
/** Slots of OpenZeppelin 5: initialized, paused, entered. They hold no member of a table. */
const NAMESPACES: readonly Hex[] = [
  '0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00',
  '0xcd5ed15c6e187e77e9aee88184c21f4f2182ab5827cb3b7e07fbedcd63f03300',
  '0x9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00',
]
const TOP = 1n << 256n
const MAX_POSITIONS = 2_000
const MAX_SETS = 4

type Known = {
  /** Slots that the code uses. */
  readonly slots?: readonly Hex[]
  /** Mappings that decide nothing, such as balances; their entries may be there for what the first events name. */
  readonly tables?: readonly Hex[]
  /** See `setsOfMembers`. */
  readonly sets?: readonly Hex[]
}

/**
 * Whether every entry in the storage of a contract is one that events name. `created`: in the storage that it was created
 * with.
 */
export function hasOnlyKnownEntries(
  facts: Facts,
  storage: ProtectedStorage,
  when: 'now' | 'created',
  { slots = [], tables = [], sets = [] }: Known = {},
): boolean {
  const entries = [
    ...storage.lists.flatMap((list) => members(facts, list)),
    ...operations(facts, storage),
    ...sets.flatMap((base) => setEntries(facts, base)),
  ]
  const small = [...FIRST_SLOTS, ...[...slots, ...storage.slots].filter(isPlain)]
  const positions = [
    ...new Set([
      ...small,
      ...NAMESPACES,
      ...SLOT_NAMES.map((name) => SLOTS[name]),
      ...entries,
      // Names and symbols of tokens.
      ...(when === 'created' ? small.flatMap(textAt) : []),
    ]),
  ]
  if (positions.length > MAX_POSITIONS || facts.holdsOnly(positions, when, tables) !== true) return false
  return !hasEarlyOperation(facts, storage)
}

/** Whether a slot is one that the compiler assigns, or the hash of a known name: no element of a table is there. */
export const isPlain = (slot: Hex): boolean =>
  slot.length === 66 && (BigInt(slot) < SMALL || originOf(BigInt(slot)) !== undefined)

/** Where a text of 32 to 64 bytes is stored. No element of a table is there. */
const textAt = (slot: Hex): readonly Hex[] => {
  const first = keccak256(slot)
  return [first, numberToHex((BigInt(first) + 1n) % TOP, { size: 32 })]
}

/**
 * Entries of a list for every account that an event ever added, and the roles that grant each role. The zero address stands
 * for everyone where a contract reads it as a member, and can do nothing else: Anvil stores also what was only read.
 */
function members(facts: Facts, list: Position): readonly Hex[] {
  if (list.type !== 'table') return []
  const { granted, relied } = historyOf(facts)
  const slot = (table: Table, account: Hex): readonly Hex[] => {
    const found = slotOf(table, account)
    return found === undefined ? [] : [found]
  }
  const [, ...rest] = list.keys
  if (rest.length === 0) return relied.flatMap((account) => slot({ ...list, keys: ['caller'] }, account))
  return rolesKnown(facts).flatMap((role) => [
    ...slot({ ...list, keys: [role], member: 1 }, '0x'),
    ...[...(granted.get(role) ?? []), ZERO_ADDRESS].flatMap((account) =>
      slot({ ...list, keys: [role, ...rest.slice(0, -1), 'caller'] }, account),
    ),
  ])
}

const rolesKnown = (facts: Facts): readonly Hex[] => [
  ...new Set([...historyOf(facts).granted.keys(), ...rolesNamed(facts)]),
]

/**
 * Mappings of roles to sets of their members, as in AccessControlEnumerable: behind the array of a role is the mapping of
 * accounts to their places in it.
 */
export function setsOfMembers(
  effects: readonly Pick<Effect, 'position'>[],
  { lists }: ProtectedStorage,
): readonly Hex[] {
  const sets = new Set<Hex>()
  for (const { position } of effects) {
    if (position?.type !== 'table' || position.keys.length !== 3 || position.keys[1] !== '0x1') continue
    const isList = lists.some((list) => list.type === 'table' && list.base === position.base)
    if (!isList && isPlain(position.base) && sets.size < MAX_SETS) sets.add(position.base)
  }
  return [...sets]
}

/** Sets of accounts by role: an array, and the place of each account in it. */
function setEntries(facts: Facts, base: Hex): readonly Hex[] {
  const { granted } = historyOf(facts)
  return rolesKnown(facts).flatMap((role) => {
    const accounts = granted.get(role) ?? []
    const array = elementOf(base, role)
    const first = BigInt(keccak256(array))
    const places = numberToHex((BigInt(array) + 1n) % TOP, { size: 32 })
    return [
      array,
      ...accounts.flatMap((account, at) => [
        numberToHex((first + BigInt(at)) % TOP, { size: 32 }),
        elementOf(places, account),
      ]),
    ]
  })
}

const rolesNamed = (facts: Facts): readonly Hex[] => {
  try {
    return [...(facts.members('roles')?.roles.keys() ?? [])]
  } catch (signal) {
    // Its events name the roles too.
    if (signal instanceof MalformedSignal) return []
    throw signal
  }
}

const operations = (facts: Facts, storage: ProtectedStorage): readonly Hex[] =>
  storage.queues.flatMap(({ table }) => historyOf(facts).operations.flatMap(({ id }) => entryAt(table, id) ?? []))

const entryAt = (table: Position, id: Hex): Hex | undefined =>
  table.type === 'table' && table.keys.length === 1 ? slotOf({ ...table, keys: [id] }, '0x') : undefined

/** Whether a queued operation comes before the delay of the queue is over, as if the code that queued it were other code. */
function hasEarlyOperation(facts: Facts, storage: ProtectedStorage): boolean {
  const delays = each(storage.delaySlots, (slot) => Number(BigInt(facts.storage(slot) ?? 0)))
  const delay = Math.max(0, ...delays)
  return pendingOperations(facts, storage).some(
    ({ time, queuedAt }) => time === undefined || queuedAt === undefined || time - queuedAt < delay,
  )
}

/** Whether an operation that events name waits in a queue, or is due. */
export const hasPendingOperation = (facts: Facts, storage: ProtectedStorage): boolean =>
  pendingOperations(facts, storage).length > 0

/** Whether an operation waits in one of the queues, or is due. */
export const isPendingIn = (facts: Facts, queues: ProtectedStorage['queues'], id: Hex): boolean =>
  each(queues, (queue) => waitingWord(facts, queue, id)).some((word) => word !== undefined)

/** The word of an operation in a queue that is not done. In a queue of times one means done. */
function waitingWord(facts: Facts, { table, isTime }: ProtectedStorage['queues'][number], id: Hex): Hex | undefined {
  const slot = entryAt(table, id)
  const word = slot === undefined ? undefined : facts.storage(slot)
  return word === undefined || (isTime && BigInt(word) <= 1n) ? undefined : word
}

type Pending = { readonly time: number | undefined; readonly queuedAt: number | undefined }

function pendingOperations(facts: Facts, storage: ProtectedStorage): readonly Pending[] {
  const queued = storage.queues.flatMap((queue) =>
    historyOf(facts).operations.map((operation) => ({ queue, operation })),
  )
  return each(queued, ({ queue, operation: { id, queuedAt, due } }): readonly Pending[] => {
    const word = waitingWord(facts, queue, id)
    return word === undefined ? [] : [{ time: queue.isTime ? Number(BigInt(word)) : due, queuedAt }]
  }).flat()
}

function historyOf(facts: Facts) {
  return facts.members('history') ?? { granted: new Map<Hex, readonly Hex[]>(), relied: [], operations: [] }
}
