/**
 * Events for changes that polling finds without a log.
 *
 * Defines key, category and severity per snapshot field. Their `args` are `field`, `previous` and `current`. `poll/`
 * decides when such an event is stored.
 */

import type { Category } from '../../../../vocabulary/categories.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'

export type SlotEvent = { readonly key: `slot.${string}`; readonly category: Category; readonly severity: Severity }

function slot(name: string, category: Category, severity: Severity = 'critical'): SlotEvent {
  return { key: `slot.${name}_changed`, category, severity }
}

/** The events by snapshot field. */
export const SLOT_EVENTS = {
  implementation: slot('implementation', 'upgrade'),
  secondaryImplementation: slot('secondary_implementation', 'upgrade'),
  admin: slot('admin', 'upgrade'),
  beacon: slot('beacon', 'upgrade'),
  beaconImplementation: slot('beacon_implementation', 'upgrade'),
  codeHash: slot('code', 'upgrade'),
  facets: slot('facets', 'upgrade'),
  owner: slot('owner', 'ownership'),
  pendingOwner: slot('pending_owner', 'ownership', 'high'),
  authority: slot('authority', 'access'),
  paused: slot('paused', 'pause', 'high'),
  safeThreshold: slot('safe_threshold', 'multisig'),
  owners: slot('safe_owners', 'multisig'),
  singleton: slot('safe_singleton', 'multisig'),
  modules: slot('safe_modules', 'multisig'),
  guard: slot('safe_guard', 'multisig'),
  moduleGuard: slot('safe_module_guard', 'multisig'),
  fallbackHandler: slot('safe_fallback_handler', 'multisig'),
  minDelay: slot('min_delay', 'timelock'),
} as const satisfies Readonly<Record<string, SlotEvent>>

export type SlotField = keyof typeof SLOT_EVENTS

/** The powers over a contract changed, with or without a change of its label. Its severity depends on the change. */
export const POWERS_CHANGED: SlotEvent = { key: 'slot.powers_changed', category: 'access', severity: 'high' }

/** The label or the tone of a contract got weaker. `cause` names the events and fields that changed. */
export const WEAKENED: SlotEvent = { key: 'slot.control_weakened', category: 'access', severity: 'high' }

/** Code appeared at an account that controls the contract with a key, or its EIP-7702 delegate changed. `account` names it. */
export const DELEGATE_CHANGED: SlotEvent = { key: 'slot.delegate_changed', category: 'ownership', severity: 'critical' }

/** What a change of the running code altered. The upgrade has its own event; `report` is that of `vocabulary/upgrades.ts`. */
export const UPGRADE_REPORTED: SlotEvent = { key: 'slot.upgrade_reported', category: 'upgrade', severity: 'high' }

/** The source of the new implementation is not published. The change has its own event; this one also has a `reason`. */
export const UNPUBLISHED: SlotEvent = {
  key: 'slot.implementation_unpublished',
  category: 'upgrade',
  severity: 'critical',
}

/**
 * The new implementation keeps something else where the one before kept its variables, by the published sources. The change
 * has its own event; `changes` are those of `profile/storage-layouts.ts`.
 */
export const LAYOUT_CHANGED: SlotEvent = { key: 'slot.storage_layout_changed', category: 'upgrade', severity: 'high' }
