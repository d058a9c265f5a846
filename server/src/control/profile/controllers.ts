/** Controllers that a contract names by its getters, and whether it has roles or wards. */
import type { Hex } from 'viem'
import type { ControllerName } from '../../../../vocabulary/control-roles.ts'
import { boolOf } from './abi-values.ts'
import type { Facts } from './facts.ts'
import { pendingOwners } from './pending-owner.ts'
import { MalformedSignal } from './read.ts'
import type { RoleMembers } from './state.ts'

/** Controllers with the getter that names them. */
export type Controllers = readonly { readonly name: ControllerName; readonly address: Hex }[]

/** Addresses without a known key: zero, the usual burn addresses, the sentinel of Safe's lists. */
export const BURN_ADDRESSES: ReadonlySet<Hex> = new Set<Hex>([
  '0x0000000000000000000000000000000000000000',
  '0x0000000000000000000000000000000000000001',
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000042069420694206942069',
])

export const isBurnAddress = (address: Hex): boolean => BURN_ADDRESSES.has(address)

const GETTERS = [
  ['owner', 'owner'],
  ['getOwner', 'owner'],
  ['admin', 'admin'],
  ['authority', 'authority'],
  ['governance', 'governance'],
  ['governor', 'governor'],
] as const

/** Every controller a contract names, each address once. A burn address is listed only where there is no other. */
export function controllersOf(facts: Facts): Controllers {
  const named = new Map<Hex, ControllerName>()
  for (const [getter, name] of GETTERS) {
    const address = facts.address(getter)
    if (address !== undefined && !named.has(address)) named.set(address, name)
  }
  for (const { name, address } of pendingOwners(facts)) if (!named.has(address)) named.set(address, name)
  const all = [...named].map(([address, name]) => ({ name, address }))
  const withKey = all.filter(({ address }) => !isBurnAddress(address))
  return withKey.length > 0 ? withKey : all.slice(0, 1)
}

export const hasRoles = (facts: Facts): boolean => {
  const data = facts.result('hasRole')
  return data !== undefined && boolOf(data) !== undefined
}

/** The members of the roles of a contract that has roles. */
export function rolesOf(facts: Facts): RoleMembers {
  const members = facts.members('roles')
  if (members === undefined) throw new MalformedSignal({ code: 'roles_without_members' })
  return members
}

export const hasWards = (facts: Facts): boolean => facts.uint('wards') !== undefined
