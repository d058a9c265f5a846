/**
 * What is kept of a state to notice silent changes, and what changed between two of them.
 *
 * Pure. A field that could not be read is not in the snapshot: it is neither a change now nor forgotten later, because
 * the last value that was read is carried on.
 */

import type { Hex } from '../../lib/hex.ts'
import type { SlotField } from '../catalog/slot-events.ts'
import { addressAt, addressesOf, addressOf, boolOf, uintOf } from '../profile/abi-values.ts'
import type { CodeFacts } from '../profile/code-facts.ts'
import type { Read } from '../profile/read.ts'
import { PROXY_CODES } from '../profile/safe-releases.ts'
import { SLOTS } from '../profile/slots.ts'
import type { ContractState } from '../profile/state.ts'

/** Null: the chain has none. Missing: it could not be read. */
export type Snapshot = Readonly<Partial<Record<SlotField, string | null>>>

/** Fields that name the code that runs. */
export const LOGIC: ReadonlySet<SlotField> = new Set([
  'implementation',
  'secondaryImplementation',
  'beacon',
  'beaconImplementation',
  'codeHash',
  'singleton',
])
/** Fields that other logic answers otherwise. */
export const OF_THE_LOGIC: ReadonlySet<SlotField> = new Set([
  'owner',
  'pendingOwner',
  'authority',
  'paused',
  'minDelay',
  'safeThreshold',
  'owners',
  'modules',
  'facets',
])

/** The beacon's state, where the contract has a beacon and it was read; and what was known of the contract before. */
export function snapshotOf(state: ContractState, beacon?: ContractState, before: Snapshot = {}): Snapshot {
  const { slots, calls, code } = state
  const answersAsSafe = valueOf(calls.getThreshold) !== undefined && valueOf(calls.getOwners) !== undefined
  const isSafe = answersAsSafe || (code.type === 'value' && isBuiltAsSafe(code.value, before))
  const fields: Partial<Record<SlotField, Read<string>>> = {
    implementation: firstOf(
      [
        slots.implementation,
        slots.zosImplementation,
        slots.proxiable,
        slots.polygonImplementation,
        slots.starkwareImplementation,
        slots.implementationOffByOne,
        calls.comptrollerImplementation,
      ],
      addressOf,
    ),
    secondaryImplementation: as(slots.secondaryImplementation, addressOf),
    admin: firstOf([slots.admin, slots.zosAdmin, slots.polygonOwner], addressOf),
    beacon: as(slots.beacon, addressOf),
    codeHash: code.type === 'value' ? { type: 'value', value: code.value.hash } : code,
    owner: firstOf([calls.owner, calls.getOwner], addressOf),
    pendingOwner: as(calls.pendingOwner, addressOf),
    authority: as(calls.authority, addressOf),
    paused: as(calls.paused, (data) => boolOf(data)?.toString()),
    minDelay: firstOf([calls.getMinDelay, calls.delay], (data) => uintOf(data)?.toString()),
    facets: as(calls.facetAddresses, (data) => addressesOf(data)?.toSorted().join(',')),
    ...(answersAsSafe && {
      safeThreshold: as(calls.getThreshold, (data) => uintOf(data)?.toString()),
      owners: as(calls.getOwners, (data) => addressesOf(data)?.toSorted().join(',')),
      modules: as(calls.modules, modulesOf),
    }),
    ...(isSafe && {
      singleton: as(slots.slot0, addressOf),
      guard: as(slots.safeGuard, addressOf),
      moduleGuard: as(slots.safeModuleGuard, addressOf),
      fallbackHandler: as(slots.safeFallbackHandler, addressOf),
    }),
    ...(beacon === undefined ? {} : { beaconImplementation: as(beacon.calls.implementation, addressOf) }),
  }
  const known = Object.entries(fields).flatMap(([field, read]): [string, string | null][] =>
    read.type === 'unread' ? [] : [[field, read.type === 'value' ? read.value : null]],
  )
  return Object.fromEntries(known)
}

export type SlotChange = {
  readonly field: SlotField
  readonly previous: string | null
  readonly current: string | null
}

/** Fields read both times, with another value: a field that was missing before is not news. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly SlotChange[] {
  return (Object.keys(after) as SlotField[]).flatMap((field) => {
    const [previous, current] = [before[field], after[field]]
    return previous === undefined || current === undefined || previous === current ? [] : [{ field, previous, current }]
  })
}

/**
 * What is kept next: everything read now and believed, and what was known of the rest. What could not be read is
 * forgotten where it is former logic that answered it: the next answer would pass for a change.
 */
export function carriedOn(before: Snapshot, seen: Snapshot, doubted: ReadonlySet<SlotField> = new Set()): Snapshot {
  const believed = only(seen, (field) => !doubted.has(field))
  const isOtherLogic = changesBetween(before, believed).some(({ field }) => LOGIC.has(field))
  const isForgotten = (field: SlotField): boolean => isOtherLogic && OF_THE_LOGIC.has(field) && !(field in seen)
  return { ...only(before, (field) => !isForgotten(field)), ...believed }
}

const only = (snapshot: Snapshot, isWanted: (field: SlotField) => boolean): Snapshot =>
  Object.fromEntries(Object.entries(snapshot).filter(([field]) => isWanted(field as SlotField)))

/**
 * Whoever replaces the singleton decides what is answered: a Safe is told by its own code too. Others run what stands
 * in slot 0 as well, and announce another in their own ways: without a release's code it must have been a Safe before.
 */
function isBuiltAsSafe({ hash, delegates }: CodeFacts, before: Snapshot): boolean {
  if (PROXY_CODES.has(hash)) return true
  return before.singleton !== undefined && delegates.some((each) => each.from === 'slot' && each.slot === SLOTS.slot0)
}

const valueOf = (read: Read<Hex>): Hex | undefined => (read.type === 'value' ? read.value : undefined)

function as(read: Read<Hex>, parse: (data: Hex) => string | undefined): Read<string> {
  if (read.type !== 'value') return read
  const parsed = parse(read.value)
  return parsed === undefined ? { type: 'absent' } : { type: 'value', value: parsed }
}

/** The first that is there; one that could not be read might have been it. */
function firstOf(reads: readonly Read<Hex>[], parse: (data: Hex) => string | undefined): Read<string> {
  for (const read of reads) {
    const known = as(read, parse)
    if (known.type !== 'absent') return known
  }
  return { type: 'absent' }
}

function modulesOf(data: Hex): string | undefined {
  const list = addressesOf(data)
  const next = addressAt(data, 1)
  return list === undefined || next === undefined ? undefined : list.toSorted().join(',')
}
