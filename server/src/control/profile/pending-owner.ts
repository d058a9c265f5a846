/** Pending owners and admins: each can accept control alone at any moment, so it counts as an owner. */
import type { Hex } from 'viem'
import type { ControllerName } from '../../../../vocabulary/control-roles.ts'
import { addressAt } from './abi-values.ts'
import type { Facts } from './facts.ts'
import { isAllowed } from './simulated-calls.ts'

const TRANSFERS = [
  // acceptOwnership(), claimOwnership()
  { getter: 'pendingOwner', name: 'pending_owner', accept: ['0x79ba5097', '0x4e71e0c8'] },
  // acceptAdmin(), _acceptAdmin()
  { getter: 'pendingAdmin', name: 'pending_admin', accept: ['0x0e18b681', '0xe9c714f2'] },
  // acceptDefaultAdminTransfer()
  { getter: 'pendingDefaultAdmin', name: 'pending_default_admin', accept: ['0xcefc1429'] },
] as const

/** Only those whose acceptance would succeed now. */
export function pendingOwners(facts: Facts): readonly { readonly name: ControllerName; readonly address: Hex }[] {
  return TRANSFERS.flatMap(({ getter, name, accept }) => {
    const data = facts.result(getter)
    const address = data === undefined ? undefined : addressAt(data, 0)
    if (address === undefined || BigInt(address) === 0n) return []
    return isAllowed(facts, accept, address) ? [{ name, address }] : []
  })
}
