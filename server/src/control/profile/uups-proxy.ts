/**
 * Who may use an upgrade function that is part of the logic (UUPS, https://eips.ethereum.org/EIPS/eip-1822).
 *
 * The guard of the function may check an owner, a role, wards or a manager, and the code does not show which. So every
 * account that could be meant is a candidate, and simulated upgrades show which are allowed. Where none that the
 * contract names is allowed, the guard is something else and the upgraders are not known.
 */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import { managedUpgraders, UPGRADE_SELECTORS } from './access-manager.ts'
import { classify } from './account.ts'
import type { CodeFacts } from './code-facts.ts'
import { controllersOf, hasRoles, hasWards, isBurnAddress, pendingOwners } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { isAllowed, roleRequired, upgradeCalls } from './simulated-calls.ts'
import { MalformedSignal } from './state.ts'
import {
  distinctUpgraders,
  othersAllowed,
  roleUpgraders,
  runningCode,
  thoseAllowed,
  type Upgrader,
  unnamedCallers,
  upgrader,
  wardUpgraders,
  withGranters,
} from './upgrader.ts'

/** With a doubt, there may be other upgraders. `isRefused`: the chain allows none of them, nor an unprivileged caller. */
export type UupsUpgraders = {
  readonly upgraders: readonly Upgrader[]
  readonly doubt?: Reason
  readonly isRefused?: boolean
}

/** `upgradeTo(address)`, `upgradeToAndCall(address,bytes)`, `proxiableUUID()`. */
const UUPS_SELECTORS: readonly Hex[] = ['0x3659cfe6', '0x4f1ef286', '0x52d1902d']

/** Undefined where the logic has no upgrade function; no upgraders where the contract names none. */
export function uupsUpgraders(facts: Facts, implementation: Hex): UupsUpgraders | undefined {
  const logic = runningCode(facts, implementation)
  const isUups = logic !== undefined && UUPS_SELECTORS.some((selector) => logic.selectors.has(selector))
  return isUups ? upgradersOf(facts, implementation, logic) : undefined
}

/**
 * Whether the logic only mentions upgrade functions of other contracts, as factories do: it allows no upgrade, and has
 * no `proxiableUUID()`, which EIP-1822 requires of logic.
 */
export const isMentionOnly = (facts: Facts, implementation: Hex, { isRefused = false }: UupsUpgraders): boolean =>
  isRefused && facts.sameChain(implementation).result('proxiableUUID') === undefined

function upgradersOf(facts: Facts, implementation: Hex, logic: CodeFacts): UupsUpgraders {
  const owner = ownerOf(facts)
  const authority = facts.address('authority')
  const hasAuthority = authority !== undefined && !isBurnAddress(authority)
  const isManaged = hasAuthority && classify(facts.sameChain(authority)).kind === 'access_manager'
  const calls = upgradeCalls(logic.selectors, implementation)
  const allows = (from: Hex): boolean => isAllowed(facts, calls, from)
  const named = controllersOf(facts).map(({ name, address }) =>
    upgrader(address, { code: 'upgrade_controller', name, path: 'uups' }),
  )
  const required = hasRoles(facts) ? requiredRoles(facts, calls) : []
  const managed = isManaged ? managedUpgraders(facts, authority, UPGRADE_SELECTORS) : []
  const sure: Upgrader[] = [
    // The walk finds whom a manager permits. Another authority decides freely, so its controllers can permit themselves.
    ...(hasAuthority && (!isManaged || managed.length > 0)
      ? [upgrader(authority, { code: 'upgrade_controller', name: 'authority', path: 'uups' })]
      : []),
    ...(hasRoles(facts) ? roleUpgraders(facts, 'uups', { needsAllRoles: true, required }) : []),
    ...wardUpgraders(facts, 'uups'),
    ...pendingOwners(facts).map(({ name, address }) =>
      upgrader(address, { code: 'upgrade_controller', name, path: 'uups' }),
    ),
  ]
  const isPlain = !isManaged && !hasRoles(facts) && !hasWards(facts)
  if (sure.length === 0 || isPlain) {
    const owners =
      owner === undefined ? named : [upgrader(owner, { code: 'upgrade_controller', name: 'owner', path: 'uups' })]
    sure.push(...owners.filter(({ address }) => !sure.some((known) => known.address === address)))
  }
  const unnamed = [...named, ...unnamedCallers(facts, logic, 'uups')]
  const upgraders = distinctUpgraders([...sure, ...othersAllowed([...sure, ...managed], unnamed, allows)])
  if (upgraders.length === 0) {
    const isRenounced = required.length > 0 && facts.members('roles')?.complete === true
    return isRenounced
      ? { upgraders: [upgrader(ZERO_ADDRESS, { code: 'upgrade_role_holder' })] }
      : { upgraders, isRefused: true }
  }
  // A revert that names a role shows the guard; a manager refuses now what it permits after a delay.
  if (required.length > 0 || (isManaged && !hasRoles(facts))) return { upgraders }
  const allowed = thoseAllowed([...upgraders, ...managed], allows)
  return allowed.length === 0
    ? { upgraders, doubt: { code: 'upgrade_refused' }, isRefused: true }
    : { upgraders: withGranters(facts, upgraders, allowed, 'uups') }
}

const requiredRoles = (facts: Facts, calls: readonly Hex[]): readonly Hex[] =>
  each(calls, (call) => roleRequired(facts, call)).filter((role) => role !== undefined)

/** What the getter returns, compared with the slot where OpenZeppelin 5 keeps the owner. */
function ownerOf(facts: Facts): Hex | undefined {
  const owner = facts.address('owner') ?? facts.address('getOwner')
  const stored = facts.slot('ownable5')
  if (stored !== undefined && owner !== undefined && stored !== owner)
    throw new MalformedSignal({ code: 'owner_slot_differs' })
  return owner
}
