/**
 * Events nobody emitted: what a change found by reading state is called.
 *
 * Owns key, category and severity by the field that changed; their `args` are always `field`, `previous` and
 * `current`. When such an event is due, and what confirms it, is `poll/`'s decision.
 */

import type { Category } from '../../../../vocabulary/categories.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'

export type SlotEvent = { readonly key: `slot.${string}`; readonly category: Category; readonly severity: Severity }

function slot(name: string, category: Category, severity: Severity = 'critical'): SlotEvent {
  return { key: `slot.${name}_changed`, category, severity }
}

/** By the field of a snapshot. */
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

/** Other code runs, and its source is not published. The change itself is told by its own event; this one has a `reason` too. */
export const UNPUBLISHED: SlotEvent = {
  key: 'slot.implementation_unpublished',
  category: 'upgrade',
  severity: 'critical',
}
