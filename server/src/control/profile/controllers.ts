/** Controllers that a contract names by its getters, and whether it has roles or wards. */
import type { Hex } from 'viem'
import type { ControllerName } from '../../../../vocabulary/control-roles.ts'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import { addressAt, boolOf } from './abi-values.ts'
import type { Facts } from './facts.ts'
import { isAllowed } from './simulated-calls.ts'
import { MalformedSignal, type RoleMembers } from './state.ts'

/** Controllers with the getter that names them. */
export type Controllers = readonly { readonly name: ControllerName; readonly address: Hex }[]

/** Addresses without a known key: zero, the usual burn addresses, the sentinel of Safe's lists. */
export const BURN_ADDRESSES: ReadonlySet<Hex> = new Set<Hex>([
  ZERO_ADDRESS,
  '0x0000000000000000000000000000000000000001',
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000042069420694206942069',
])

export const isBurnAddress = (address: Hex): boolean => BURN_ADDRESSES.has(address)

/** Whether no key and no code can act from an address. Some chains have code at small addresses. */
export const isUnusable = (facts: Facts, address: Hex): boolean =>
  isBurnAddress(address) && (address === ZERO_ADDRESS || facts.sameChain(address).code() === undefined)

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

const TRANSFERS = [
  // acceptOwnership(), claimOwnership()
  { getter: 'pendingOwner', name: 'pending_owner', accept: ['0x79ba5097', '0x4e71e0c8'] },
  // acceptAdmin(), _acceptAdmin()
  { getter: 'pendingAdmin', name: 'pending_admin', accept: ['0x0e18b681', '0xe9c714f2'] },
  // acceptDefaultAdminTransfer()
  { getter: 'pendingDefaultAdmin', name: 'pending_default_admin', accept: ['0xcefc1429'] },
] as const

/**
 * Pending owners and admins whose acceptance would succeed now: each can accept control alone at any moment, so it counts
 * as an owner.
 */
export function pendingOwners(facts: Facts): readonly { readonly name: ControllerName; readonly address: Hex }[] {
  return TRANSFERS.flatMap(({ getter, name, accept }) => {
    const data = facts.result(getter)
    const address = data === undefined ? undefined : addressAt(data, 0)
    if (address === undefined || BigInt(address) === 0n) return []
    return isAllowed(facts, accept, address) ? [{ name, address }] : []
  })
}
