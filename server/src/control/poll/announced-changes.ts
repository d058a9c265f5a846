/**
 * Whether a log announced a change that was found in the state.
 *
 * Pure. An event explains a change if it is about that very field and leaves it at the value that was found: an
 * unrelated event of the same contract, or an announcement of another value, explains nothing. Lists are replayed from
 * their last snapshot. What other logic shows or hides is put down to the logic, told once.
 */

import type { Hex } from '../../lib/hex.ts'
import type { DecodedEvent } from '../catalog/catalog.ts'
import { CONTROLLERS, DELAYS, IMPLEMENTATIONS, nextOf, THRESHOLDS, textOf } from '../catalog/control-arguments.ts'
import type { SlotField } from '../catalog/slot-events.ts'
import { LOGIC, OF_THE_LOGIC, type SlotChange } from './snapshot.ts'

export type Announced = { readonly emitter: Hex; readonly block: number; readonly event: DecodedEvent }

const ZERO = '0x0000000000000000000000000000000000000000'
const DEFAULT_ADMIN = `0x${'0'.repeat(64)}`

/** The value that an event leaves a field at; undefined where it is about something else. */
type Speaks = (event: DecodedEvent) => string | undefined

/** By the key of the event, the argument that holds the new value. */
const named =
  (keys: Readonly<Record<string, string>>): Speaks =>
  (event) =>
    keys[event.key] === undefined ? undefined : textOf(event, keys[event.key] as string)
const first =
  (...all: readonly Speaks[]): Speaks =>
  (event) =>
    all.map((speaks) => speaks(event)).find((value) => value !== undefined)
const constant =
  (keys: Readonly<Record<string, string>>): Speaks =>
  ({ key }) =>
    keys[key]

/** Other code, and not that of the contract's only or first logic. */
const OF_OTHER_FIELDS: ReadonlySet<string> = new Set(['safe.master_copy', 'proxy.secondary_upgraded'])

const implementation = first(
  (event) => (OF_OTHER_FIELDS.has(event.key) ? undefined : nextOf(IMPLEMENTATIONS, event)),
  named({
    'factory.proxy_deployed': 'implementation',
    'proxy.starkware_upgraded': 'implementation',
    'zos.implementation_changed': 'implementation',
    'comet.deployed': 'newComet',
    'aave.pool_updated': 'newAddress',
    'aave.configurator_updated': 'newAddress',
  }),
)

/** `owner()` of AccessControlDefaultAdminRules is the holder of the role above all. */
const defaultAdmin: Speaks = (event) => {
  if (textOf(event, 'role') !== DEFAULT_ADMIN) return undefined
  if (event.key === 'access.role_granted') return textOf(event, 'account')
  return event.key === 'access.role_revoked' ? ZERO : undefined
}

const SPEAKS: Readonly<Partial<Record<SlotField, Speaks>>> = {
  implementation,
  secondaryImplementation: named({ 'proxy.secondary_upgraded': 'implementation' }),
  admin: first(
    (event) => (/^(proxy|factory)\./.test(event.key) ? nextOf(CONTROLLERS, event) : undefined),
    named({ 'factory.proxy_deployed': 'admin' }),
    constant({ 'proxy.ossified': ZERO }),
  ),
  beacon: named({ 'proxy.beacon_upgraded': 'beacon' }),
  owner: first(
    (event) => (/^(proxy|factory)\./.test(event.key) ? undefined : nextOf(CONTROLLERS, event)),
    named({ 'vault.ownership': 'newOwner' }),
    constant({ 'ownable.renounced': ZERO }),
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
    // Whoever takes over, or calls it off, is no longer awaited.
    ({ key }) => (/^ownable\.(transferred|owner_changed|handover_canceled|renounced)/.test(key) ? ZERO : undefined),
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
  /** The first block after the one that a field was last read at. */
  readonly from: (field: SlotField) => number
}

/** Changes that no event since then announced, with that very value. */
export function unexplained(
  changes: readonly SlotChange[],
  announced: readonly Announced[],
  { address, beacon, from }: Contract,
): readonly SlotChange[] {
  const changed = new Set(changes.map(({ field }) => field))
  // Factories and registries speak of others: only what names this contract is about it.
  const ofContract = announced.filter(({ emitter, event }) => emitter === address || names(event, address))
  const ofBeacon = announced.filter(({ emitter }) => emitter === beacon)
  const isSilent = (change: SlotChange): boolean => {
    const { field, previous, current } = change
    const since = (events: readonly Announced[]) => events.filter(({ block }) => block >= from(field))
    if (field === 'beaconImplementation')
      return !changed.has('beacon') && !isLeftAt(implementation, since(ofBeacon), current)
    const own = since(ofContract)
    if (field === 'facets') return !isCut(change, own)
    const list = LISTS[field]
    if (list !== undefined) return replayed(list, previous, own) !== current
    const speaks = SPEAKS[field]
    return speaks === undefined || !isLeftAt(speaks, own, current)
  }
  const logic = changes.filter(({ field }) => LOGIC.has(field))
  const silentLogic = logic.filter(isSilent)
  const others = changes.filter(({ field, previous, current }) => {
    if (LOGIC.has(field)) return false
    if (!OF_THE_LOGIC.has(field) || logic.length === 0) return true
    // Answers of other logic: all of them where it came silently, which is told; new and lost ones where it did not.
    return silentLogic.length === 0 && previous !== null && current !== null
  })
  return [...silentLogic, ...others.filter(isSilent)]
}

/** A change that nobody announced, and whether it is believed: a second endpoint sees it too. */
export type Silent = {
  readonly change: SlotChange
  readonly isConfirmed: boolean
  /** One of several endpoints sees it, and no other could be asked. */
  readonly isAlone?: boolean
}

/**
 * What was put down to other logic is as doubtful as that: kept, it would be told once the logic proves to be the old.
 */
export function withAnswers(changes: readonly SlotChange[], silent: readonly Silent[]): readonly Silent[] {
  const logic = silent.filter(({ change }) => LOGIC.has(change.field))
  if (logic.length === 0 || logic.some(({ isConfirmed }) => isConfirmed)) return silent
  const named = new Set(silent.map(({ change }) => change.field))
  const answers = changes.filter(({ field }) => OF_THE_LOGIC.has(field) && !named.has(field))
  return [...silent, ...answers.map((change) => ({ change, isConfirmed: false }))]
}

/** The last word of one of the ways to announce it is the value that was found. */
function isLeftAt(speaks: Speaks, announced: readonly Announced[], current: string | null): boolean {
  const last = new Map<string, string>()
  for (const { event } of announced) {
    const value = speaks(event)
    if (value !== undefined) last.set(event.key, value.toLowerCase())
  }
  const wanted = current ?? ZERO
  return [...last.values()].some((value) => value === wanted || (current === null && value === '0'))
}

function replayed({ adds, removes, argument }: List, previous: string | null, announced: readonly Announced[]): string {
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

/** Every facet that came was named in a cut. Those that went are told of by their selectors alone. */
function isCut({ previous, current }: SlotChange, announced: readonly Announced[]): boolean {
  const cuts = announced.filter(({ event }) => event.key === 'diamond.cut' || event.key === 'diamond.facet_updated')
  const before = new Set((previous ?? '').split(','))
  const came = (current ?? '').split(',').filter((facet) => facet !== '' && !before.has(facet))
  return cuts.length > 0 && came.every((facet) => cuts.some(({ event }) => names(event, facet)))
}

const names = (event: DecodedEvent, address: string): boolean =>
  event.decode === 'ok' && JSON.stringify(event.args).toLowerCase().includes(address)
