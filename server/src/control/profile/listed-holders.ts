/**
 * Members of the lists that a guard looks the caller up in: roles of AccessControl, and Maker's wards.
 *
 * Events name the candidates, getters name members; the table that the code reads decides who else is one. The roles
 * that grant a role are found in the same table.
 */
import type { Hex } from 'viem'
import type { Effect } from '../code/effects.ts'
import { type Key, type Position, positionIn } from '../code/positions.ts'
import { hasRoles, hasWards } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { entryOf, isListed } from './listed-entries.ts'
import type { ProtectedStorage } from './protected-storage.ts'
import { accessRole } from './roles.ts'
import { roleUpgraders, type Upgrader, upgrader, wardUpgraders } from './upgrader.ts'

type Table = Position & { readonly type: 'table' }

/** `Rely(address)`, `RoleGranted(bytes32,address,address)`. */
export const RELY: Hex = '0xdd0e34038ac38b2a1ce960229778ac48a8719bc900b6c4f8d0475c6e8b385a60'
export const ROLE_GRANTED: Hex = '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d'
/** A bound against chains of roles that are built to be long. */
const MAX_ROLES = 16

/** The accounts that pass a lookup of the caller in a table, which is protected; undefined where they are not known. */
export function listedHolders(
  facts: Facts,
  storage: ProtectedStorage,
  table: Table,
  effect: Effect,
): readonly Upgrader[] | undefined {
  const [role, caller, ...more] = table.keys
  if (role === 'caller' && caller === undefined) return hasWards(facts) ? wards(facts, storage, table) : undefined
  if (role === undefined || caller !== 'caller' || more.length > 0 || !hasRoles(facts)) return undefined
  if (role.startsWith('0x')) return members(facts, storage, table, role as Hex)
  // A grant needs the admin of the very role that is granted; members of that role are holders already.
  const isGrant =
    effect.position?.type === 'table' && effect.position.base === table.base && effect.position.keys.length === 2
  return isGrant && isAdminOf(role, table.base, effect.position.keys[0]) ? [] : undefined
}

/** Whether a key is what is stored as the admin of a role. */
export function isAdminOf(key: Key | undefined, base: Hex, role: Key | undefined): boolean {
  const admin = key === undefined ? undefined : positionIn(key)
  const isAdmin = admin?.type === 'table' && admin.base === base && admin.member === 1
  return isAdmin && admin.keys.length === 1 && admin.keys[0] === role
}

function wards(facts: Facts, storage: ProtectedStorage, table: Table): readonly Upgrader[] {
  storage.addList({ ...table, keys: ['?0'] }, RELY)
  const relied = facts.members('history')?.relied ?? []
  const found = each(relied, (account) => (isListed(facts, table, account) ? [account] : [])).flat()
  return [
    ...wardUpgraders(facts, 'uups'),
    ...found.map((ward) => upgrader(ward, { code: 'upgrade_ward', path: 'uups' })),
  ]
}

/** Members of a role and of every role that grants it, directly or through others. */
function members(facts: Facts, storage: ProtectedStorage, table: Table, role: Hex): readonly Upgrader[] | undefined {
  const known = roleUpgraders(facts, 'uups', { needsAllRoles: true, required: [role] })
  const granted = facts.members('history')?.granted
  const chain = granting(facts, table, role)
  if (chain === undefined) return undefined
  for (const held of chain) {
    storage.addList({ ...table, keys: [held, '?0'] }, ROLE_GRANTED)
    storage.add(adminEntry(table, held))
  }
  const candidates = chain.flatMap((held) => (granted?.get(held) ?? []).map((account) => ({ held, account })))
  const found = each(candidates, ({ held, account }) =>
    isListed(facts, { ...table, keys: [held, 'caller'] }, account)
      ? [upgrader(account, { code: 'upgrade_role_member', role: accessRole(held), path: 'uups' })]
      : [],
  )
  return [...known, ...found.flat()]
}

const adminEntry = (table: Table, role: Hex): Table => ({ ...table, keys: [role], member: 1 })

/** A role and those that grant it, as the table names them; undefined where there are too many. */
function granting(facts: Facts, table: Table, role: Hex): readonly Hex[] | undefined {
  const chain: Hex[] = []
  for (let next: Hex | undefined = role; next !== undefined && !chain.includes(next); ) {
    if (chain.length === MAX_ROLES) return undefined
    chain.push(next)
    next = entryOf(facts, adminEntry(table, next))
  }
  return chain
}
