/** Roles of AccessControl and AccessManager. */
import type { Hex } from 'viem'
import { keccak256, stringToHex } from 'viem/utils'
import type { AccessRole } from '../../../../vocabulary/control-roles.ts'
import { MalformedSignal, type RoleMembers, UnreadSignal } from './state.ts'

/** AccessManager's role that every account has. It is also the highest role number. */
export const PUBLIC_ROLE = 2n ** 64n - 1n
/** The longest delay of an AccessManager: the maximum of its type. */
export const MAX_MANAGER_DELAY = 2n ** 32n - 1n

export const DEFAULT_ADMIN: Hex = `0x${'0'.repeat(64)}`

export const roleNamed = (name: string): Hex => keccak256(stringToHex(name))

export const PROPOSER = roleNamed('PROPOSER_ROLE')
export const EXECUTOR = roleNamed('EXECUTOR_ROLE')

const NAMES = [
  'UPGRADER_ROLE',
  'PROPOSER_ROLE',
  'EXECUTOR_ROLE',
  'CANCELLER_ROLE',
  'TIMELOCK_ADMIN_ROLE',
  'ADMIN_ROLE',
  'MINTER_ROLE',
  'PAUSER_ROLE',
  'BYPASSER_ROLE',
]

const ROLE_NAMES: ReadonlyMap<Hex, string> = new Map([
  [DEFAULT_ADMIN, 'DEFAULT_ADMIN_ROLE'],
  ...NAMES.map((name): [Hex, string] => [roleNamed(name), name]),
])

/** The name of a well-known role, or its hash. */
export const accessRole = (role: Hex): AccessRole => ROLE_NAMES.get(role) ?? role

/** Roles whose members may grant `role`, or may grant a role that may, and so on. */
export function grantersOf(members: RoleMembers, role: Hex): readonly Hex[] {
  const found = new Set<Hex>()
  for (
    let next: Hex | undefined = adminOf(members, role);
    next !== undefined && !found.has(next);
    next = adminOf(members, next)
  )
    found.add(next)
  return [...found]
}

/** A role that was never granted has the default admin. */
const adminOf = (members: RoleMembers, role: Hex): Hex => members.roles.get(role)?.admin ?? DEFAULT_ADMIN

/** The signal for a judgment that needs roles which were not found. Only a failed read keeps the last label. */
export function incomplete(members: RoleMembers): Error {
  return members.hasNoGrants === true
    ? new MalformedSignal({ code: 'roles_without_events' })
    : new UnreadSignal({ item: 'all_roles' }, 'its events could not be read')
}
