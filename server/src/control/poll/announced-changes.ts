/**
 * Whether a log announced a change that was found in the state.
 *
 * Pure. An event announces a change if it is about that field and sets the value that was found. An unrelated event of
 * the contract, or an event with another value, does not. Lists are replayed from their last snapshot. Fields that new
 * logic shows or hides are attributed to the change of the logic, which is reported once.
 */

import type { Hex } from '../../lib/hex.ts'
import type { DecodedEvent } from '../catalog/catalog.ts'
import { CONTROLLERS, DELAYS, IMPLEMENTATIONS, nextOf, THRESHOLDS, textOf } from '../catalog/control-arguments.ts'
import type { SlotField } from '../catalog/slot-events.ts'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import { DEFAULT_ADMIN } from '../profile/roles.ts'
import { LOGIC, LOGIC_DEPENDENT, type SlotChange } from './snapshot.ts'

export type EmittedEvent = { readonly emitter: Hex; readonly block: number; readonly event: DecodedEvent }

/** Returns the value to which an event sets a field; undefined where it is about something else. */
type ValueOf = (event: DecodedEvent) => string | undefined

/** The argument that holds the new value, by event key. */
const named =
  (keys: Readonly<Record<string, string>>): ValueOf =>
  (event) =>
    keys[event.key] === undefined ? undefined : textOf(event, keys[event.key] as string)
const first =
  (...all: readonly ValueOf[]): ValueOf =>
  (event) =>
    all.map((valueOf) => valueOf(event)).find((value) => value !== undefined)
const constant =
  (keys: Readonly<Record<string, string>>): ValueOf =>
  ({ key }) =>
    keys[key]

/** Events about other code than the contract's first logic. */
const OTHER_FIELDS: ReadonlySet<string> = new Set(['safe.master_copy', 'proxy.secondary_upgraded'])

const implementation = first(
  (event) => (OTHER_FIELDS.has(event.key) ? undefined : nextOf(IMPLEMENTATIONS, event)),
  named({
    'factory.proxy_deployed': 'implementation',
    'proxy.starkware_upgraded': 'implementation',
    'zos.implementation_changed': 'implementation',
    'comet.deployed': 'newComet',
    'aave.pool_updated': 'newAddress',
    'aave.configurator_updated': 'newAddress',
  }),
)

/** `owner()` of AccessControlDefaultAdminRules is the default admin. */
const defaultAdmin: ValueOf = (event) => {
  if (textOf(event, 'role') !== DEFAULT_ADMIN) return undefined
  if (event.key === 'access.role_granted') return textOf(event, 'account')
  return event.key === 'access.role_revoked' ? ZERO_ADDRESS : undefined
}

const VALUES: Readonly<Partial<Record<SlotField, ValueOf>>> = {
  implementation,
  secondaryImplementation: named({ 'proxy.secondary_upgraded': 'implementation' }),
  admin: first(
    (event) => (/^(proxy|factory)\./.test(event.key) ? nextOf(CONTROLLERS, event) : undefined),
    named({ 'factory.proxy_deployed': 'admin' }),
    constant({ 'proxy.ossified': ZERO_ADDRESS }),
  ),
  beacon: named({ 'proxy.beacon_upgraded': 'beacon' }),
  owner: first(
    (event) => (/^(proxy|factory)\./.test(event.key) ? undefined : nextOf(CONTROLLERS, event)),
    named({ 'vault.ownership': 'newOwner' }),
    constant({ 'ownable.renounced': ZERO_ADDRESS }),
    defaultAdmin,
  ),
  pendingOwner: first(
    named({
      'ownable.transfer_started': 'newOwner',
      'ownable.transfer_started_single': 'newOwner',
      'ownable.transfer_requested': 'to',
      'ownable.transfer_proposed': 'proposedOwner',
      'ownable.owner_nominated': 'newOwner',
      'ownable.handover_requested': 'pendingOwner',
      'vyper.commit_ownership': 'admin',
    }),
    // An accepted or canceled transfer has no pending owner.
    ({ key }) =>
      /^ownable\.(transferred|owner_changed|handover_canceled|renounced)/.test(key) ? ZERO_ADDRESS : undefined,
  ),
  authority: named({
    'managed.authority_updated': 'authority',
    'dsauth.authority_set': 'authority',
    'auth.authority_updated': 'newAuthority',
  }),
  paused: (event) => {
    if (event.key === 'pause.paused') return 'true'
    if (event.key === 'pause.unpaused') return 'false'
    const state = event.decode === 'ok' && event.key === 'pause.state_changed' ? event.args.paused : undefined
    return typeof state === 'boolean' ? String(state) : undefined
  },
  safeThreshold: first((event) => nextOf(THRESHOLDS, event), named({ 'safe.setup': 'threshold' })),
  singleton: named({ 'safe.master_copy': 'masterCopy' }),
  guard: named({ 'safe.changed_guard': 'guard', 'zodiac.changed_guard': 'guard' }),
  moduleGuard: named({ 'safe.changed_module_guard': 'moduleGuard' }),
  fallbackHandler: named({ 'safe.changed_fallback_handler': 'handler', 'safe.setup': 'fallbackHandler' }),
  minDelay: (event) => nextOf(DELAYS, event),
}

type List = { readonly adds: ReadonlySet<string>; readonly removes: ReadonlySet<string>; readonly argument: string }
const LISTS: Readonly<Partial<Record<SlotField, List>>> = {
  owners: {
    adds: new Set(['safe.added_owner', 'gnosis.owner_addition']),
    removes: new Set(['safe.removed_owner', 'gnosis.owner_removal', 'op.liveness_removed_owner']),
    argument: 'owner',
  },
  modules: {
    adds: new Set(['safe.enabled_module', 'zodiac.enabled_module']),
    removes: new Set(['safe.disabled_module', 'zodiac.disabled_module']),
    argument: 'module',
  },
}

export type Contract = {
  readonly address: Hex
  readonly beacon: Hex | undefined
  /** The first block whose logs may announce a change of a field. */
  readonly from: (field: SlotField) => number
}

/** Returns the changes that no event announced with the value that was found. */
export function unannounced(
  changes: readonly SlotChange[],
  announced: readonly EmittedEvent[],
  { address, beacon, from }: Contract,
): readonly SlotChange[] {
  const changed = new Set(changes.map(({ field }) => field))
  // Events of factories and registries count only if they name this contract.
  const ofContract = announced.filter(({ emitter, event }) => emitter === address || names(event, address))
  const ofBeacon = announced.filter(({ emitter }) => emitter === beacon)
  const isSilent = (change: SlotChange): boolean => {
    const { field, previous, current } = change
    const since = (events: readonly EmittedEvent[]) => events.filter(({ block }) => block >= from(field))
    if (field === 'beaconImplementation')
      return !changed.has('beacon') && !isSetTo(implementation, since(ofBeacon), current)
    const own = since(ofContract)
    if (field === 'facets') return !isCut(change, own)
    const list = LISTS[field]
    if (list !== undefined) return replayed(list, previous, own) !== current
    const valueOf = VALUES[field]
    return valueOf === undefined || !isSetTo(valueOf, own, current)
  }
  const logic = changes.filter(({ field }) => LOGIC.has(field))
  const silentLogic = logic.filter(isSilent)
  const others = changes.filter(({ field, previous, current }) => {
    if (LOGIC.has(field)) return false
    if (!LOGIC_DEPENDENT.has(field) || logic.length === 0) return true
    // A silent change of logic covers all its fields; an announced one covers only fields that appear or disappear.
    return silentLogic.length === 0 && previous !== null && current !== null
  })
  return [...silentLogic, ...others.filter(isSilent)]
}

/** The value of a field at one endpoint, named by its host; null where the contract has none. */
export type EndpointValue = { readonly endpoint: string; readonly value: string | null }

/** A change that no log announced. `isConfirmed`: a second endpoint shows it too. */
export type SilentChange = {
  readonly change: SlotChange
  readonly isConfirmed: boolean
  /** One of several endpoints shows it, and no other responded. */
  readonly isSingle?: boolean
  /** What two endpoints return, where they disagree. */
  readonly disagreement?: readonly EndpointValue[]
}

/**
 * Adds the changes that were attributed to an unconfirmed change of logic, as unconfirmed. If they were stored, they
 * would be reported as silent once the logic turns out to be unchanged.
 */
export function withLogicFields(
  changes: readonly SlotChange[],
  silent: readonly SilentChange[],
): readonly SilentChange[] {
  const logic = silent.filter(({ change }) => LOGIC.has(change.field))
  if (logic.length === 0 || logic.some(({ isConfirmed }) => isConfirmed)) return silent
  const named = new Set(silent.map(({ change }) => change.field))
  const attributed = changes.filter(({ field }) => LOGIC_DEPENDENT.has(field) && !named.has(field))
  return [...silent, ...attributed.map((change) => ({ change, isConfirmed: false }))]
}

/** Whether the last event of some kind sets the value that was found. */
function isSetTo(valueOf: ValueOf, announced: readonly EmittedEvent[], current: string | null): boolean {
  const last = new Map<string, string>()
  for (const { event } of announced) {
    const value = valueOf(event)
    if (value !== undefined) last.set(event.key, value.toLowerCase())
  }
  const wanted = current ?? ZERO_ADDRESS
  return [...last.values()].some((value) => value === wanted || (current === null && value === '0'))
}

function replayed(
  { adds, removes, argument }: List,
  previous: string | null,
  announced: readonly EmittedEvent[],
): string {
  let members = new Set((previous ?? '').split(',').filter((member) => member !== ''))
  for (const { event } of announced) {
    if (event.decode !== 'ok') continue
    const member = textOf(event, argument)?.toLowerCase()
    if (member !== undefined && adds.has(event.key)) members.add(member)
    if (member !== undefined && removes.has(event.key)) members.delete(member)
    if (event.key === 'safe.setup' && argument === 'owner' && Array.isArray(event.args.owners))
      members = new Set(event.args.owners.map((owner) => String(owner).toLowerCase()))
  }
  return [...members].toSorted().join(',')
}

/** Whether every added facet is named in a cut. Removed facets appear there only by their selectors. */
function isCut({ previous, current }: SlotChange, announced: readonly EmittedEvent[]): boolean {
  const cuts = announced.filter(({ event }) => event.key === 'diamond.cut' || event.key === 'diamond.facet_updated')
  const before = new Set((previous ?? '').split(','))
  const added = (current ?? '').split(',').filter((facet) => facet !== '' && !before.has(facet))
  return cuts.length > 0 && added.every((facet) => cuts.some(({ event }) => names(event, facet)))
}

const names = (event: DecodedEvent, address: string): boolean =>
  event.decode === 'ok' && JSON.stringify(event.args).toLowerCase().includes(address)
