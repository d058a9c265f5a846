/** Accounts that may upgrade because of a role, a ward entry or a getter that names them. */
import type { Hex } from 'viem'
import type { UpgradePath } from '../../../../vocabulary/control-roles.ts'
import { controllersOf, hasRoles, hasWards } from './controllers.ts'
import type { Facts } from './facts.ts'
import { MalformedSignal } from './read.ts'
import { accessRole, DEFAULT_ADMIN, grantersOf, incomplete, roleNamed } from './roles.ts'
import type { RoleMembers } from './state.ts'
import { distinctUpgraders, type Upgrader, upgrader } from './upgrader.ts'

/** Controllers, members of upgrading roles, and wards that a contract names. */
export function namedUpgraders(facts: Facts, path: UpgradePath): readonly Upgrader[] {
  return [
    ...controllersOf(facts).map(({ name, address }) => upgrader(address, { code: 'upgrade_controller', name, path })),
    ...(hasRoles(facts) ? roleUpgraders(facts, path) : []),
    ...wardUpgraders(facts, path),
  ]
}

/** Members of UPGRADER_ROLE and of the required roles, of every role that may grant those, and of the default admin. */
export function roleUpgraders(
  facts: Facts,
  path: UpgradePath,
  {
    needsAllRoles = false,
    required = [],
  }: { readonly needsAllRoles?: boolean; readonly required?: readonly Hex[] } = {},
): readonly Upgrader[] {
  const members = facts.members('roles')
  if (members === undefined) return []
  if (needsAllRoles && !members.complete) throw incomplete(members)
  const roles = [roleNamed('UPGRADER_ROLE'), ...required]
  const wanted = new Set<Hex>([...roles, ...roles.flatMap((role) => grantersOf(members, role)), DEFAULT_ADMIN])
  return distinctUpgraders(membersOf(members, [...wanted], path))
}

/** The accounts that are allowed show which role is required; its granters can give themselves that role. */
export function withGranters(
  facts: Facts,
  upgraders: readonly Upgrader[],
  allowed: readonly Upgrader[],
  path: UpgradePath,
): readonly Upgrader[] {
  const members = hasRoles(facts) ? facts.members('roles') : undefined
  if (members === undefined) return upgraders
  const held = [...members.roles].filter(([, role]) => allowed.some(({ address }) => role.members.includes(address)))
  return distinctUpgraders([
    ...upgraders,
    ...held.flatMap(([role]) => membersOf(members, grantersOf(members, role), path)),
  ])
}

const membersOf = (members: RoleMembers, roles: readonly Hex[], path: UpgradePath): readonly Upgrader[] =>
  roles.flatMap((role) =>
    (members.roles.get(role)?.members ?? []).map((address) =>
      upgrader(address, { code: 'upgrade_role_member', role: accessRole(role), path }),
    ),
  )

/** Maker's wards: each may do everything and appoint other wards. */
export function wardsOf(facts: Facts): readonly Hex[] {
  if (!hasWards(facts)) return []
  const wards = facts.members('wards')
  if (wards === undefined) throw new MalformedSignal({ code: 'wards_without_events' })
  return wards
}

export const wardUpgraders = (facts: Facts, path: UpgradePath): readonly Upgrader[] =>
  wardsOf(facts).map((address) => upgrader(address, { code: 'upgrade_ward', path }))
