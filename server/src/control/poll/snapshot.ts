/**
 * What is kept of a state to notice silent changes, and what changed between two of them.
 *
 * Pure. A field that could not be read is not in the snapshot: it is neither a change now nor forgotten later, because
 * the last value that was read is carried on.
 */
import type { SlotField } from '../catalog/slot-events.ts'
import type { Hex } from '../node/parse.ts'
import type { Read } from '../profile/read.ts'
import type { ContractState } from '../profile/state.ts'
import { addressAt, addressesOf, addressOf, boolOf, uintOf } from '../profile/words.ts'

/** Null: the chain has none. Missing: it could not be read. */
export type Snapshot = Readonly<Partial<Record<SlotField, string | null>>>

/** The beacon's state, where the contract has a beacon and it was read. */
export function snapshotOf(state: ContractState, beacon?: ContractState): Snapshot {
  const { slots, calls, code } = state
  const isSafe = valueOf(calls.getThreshold) !== undefined && valueOf(calls.getOwners) !== undefined
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
    admin: firstOf([slots.admin, slots.zosAdmin, slots.polygonOwner], addressOf),
    beacon: as(slots.beacon, addressOf),
    codeHash: code.type === 'value' ? { type: 'value', value: code.value.hash } : code,
    owner: firstOf([calls.owner, calls.getOwner], addressOf),
    pendingOwner: as(calls.pendingOwner, addressOf),
    authority: as(calls.authority, addressOf),
    paused: as(calls.paused, (data) => boolOf(data)?.toString()),
    minDelay: firstOf([calls.getMinDelay, calls.delay], (data) => uintOf(data)?.toString()),
    facets: as(calls.facetAddresses, (data) => addressesOf(data)?.toSorted().join(',')),
    ...(isSafe && {
      safeThreshold: as(calls.getThreshold, (data) => uintOf(data)?.toString()),
      owners: as(calls.getOwners, (data) => addressesOf(data)?.toSorted().join(',')),
      modules: as(calls.modules, modulesOf),
      singleton: as(slots.slot0, addressOf),
      guard: as(slots.safeGuard, addressOf),
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

/** What is kept next: everything read now, and what was known of the rest. */
export const carriedOn = (before: Snapshot, after: Snapshot): Snapshot => ({ ...before, ...after })

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
