/**
 * The fields of a state that are stored to detect silent changes, and the changes between two snapshots.
 *
 * Pure. A field that could not be read is not in the snapshot. It is not a change, and its last value is carried over.
 */

import type { Hex } from '../../lib/hex.ts'
import type { SlotField } from '../catalog/slot-events.ts'
import { addressAt, addressesOf, addressOf, boolOf, uintOf } from '../profile/abi-values.ts'
import type { CodeFacts } from '../profile/code-facts.ts'
import { PROXY_CODES } from '../profile/safe-account.ts'
import { SLOTS } from '../profile/slots.ts'
import type { ContractState, Read } from '../profile/state.ts'

/** Null: the contract has no such value. Missing: it could not be read. */
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
/** Fields that depend on the logic: other logic may return other values. */
export const LOGIC_DEPENDENT: ReadonlySet<SlotField> = new Set([
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

/** `beacon`: the state of the contract's beacon, if it was read. `before`: the last snapshot. */
export function snapshotOf(state: ContractState, beacon?: ContractState, before: Snapshot = {}): Snapshot {
  const { slots, calls, code } = state
  const hasSafeInterface = valueOf(calls.getThreshold) !== undefined && valueOf(calls.getOwners) !== undefined
  const isSafe = hasSafeInterface || (code.type === 'value' && hasSafeCode(code.value, before))
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
    ...(hasSafeInterface && {
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

/** Fields that were read both times and differ. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly SlotChange[] {
  return (Object.keys(after) as SlotField[]).flatMap((field) => {
    const [previous, current] = [before[field], after[field]]
    return previous === undefined || current === undefined || previous === current ? [] : [{ field, previous, current }]
  })
}

/**
 * The snapshot to store: fields that were read and confirmed, and earlier values of the others. After a change of logic,
 * earlier values of fields that could not be read are dropped, because the next value would count as a change.
 */
export function carryOver(before: Snapshot, seen: Snapshot, doubted: ReadonlySet<SlotField> = new Set()): Snapshot {
  const confirmed = only(seen, (field) => !doubted.has(field))
  const isOtherLogic = changesBetween(before, confirmed).some(({ field }) => LOGIC.has(field))
  const isDropped = (field: SlotField): boolean => isOtherLogic && LOGIC_DEPENDENT.has(field) && !(field in seen)
  return { ...only(before, (field) => !isDropped(field)), ...confirmed }
}

const only = (snapshot: Snapshot, isWanted: (field: SlotField) => boolean): Snapshot =>
  Object.fromEntries(Object.entries(snapshot).filter(([field]) => isWanted(field as SlotField)))

/**
 * A replaced singleton decides what getters return, so a Safe is recognized by its own code too. Other proxies also run
 * the code in slot 0: without the code of a Safe release, the contract must have been a Safe before.
 */
function hasSafeCode({ hash, delegates }: CodeFacts, before: Snapshot): boolean {
  if (PROXY_CODES.has(hash)) return true
  return before.singleton !== undefined && delegates.some((each) => each.from === 'slot' && each.slot === SLOTS.slot0)
}

const valueOf = (read: Read<Hex>): Hex | undefined => (read.type === 'value' ? read.value : undefined)

function as(read: Read<Hex>, parse: (data: Hex) => string | undefined): Read<string> {
  if (read.type !== 'value') return read
  const parsed = parse(read.value)
  return parsed === undefined ? { type: 'absent' } : { type: 'value', value: parsed }
}

/** The first read with a value. A failed read before it makes the result unread. */
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
