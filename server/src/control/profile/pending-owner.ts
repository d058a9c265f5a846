/** Who was offered a contract and can take it at any moment, alone: as good as its owner. */
import type { Hex } from 'viem'
import { addressAt } from './abi-values.ts'
import type { Facts } from './facts.ts'
import { maySend } from './simulated-calls.ts'

const OFFERS = [
  // acceptOwnership(), claimOwnership()
  { call: 'pendingOwner', role: 'pending owner', accept: ['0x79ba5097', '0x4e71e0c8'] },
  // acceptAdmin(), _acceptAdmin()
  { call: 'pendingAdmin', role: 'pending admin', accept: ['0x0e18b681', '0xe9c714f2'] },
  // acceptDefaultAdminTransfer()
  { call: 'pendingDefaultAdmin', role: 'pending default admin', accept: ['0xcefc1429'] },
] as const

/** Only those whom the chain would let accept now. */
export function takersOf(facts: Facts): readonly { readonly role: string; readonly address: Hex }[] {
  return OFFERS.flatMap(({ call, role, accept }) => {
    const answer = facts.answer(call)
    const address = answer === undefined ? undefined : addressAt(answer, 0)
    if (address === undefined || BigInt(address) === 0n) return []
    return maySend(facts, accept, address) ? [{ role, address }] : []
  })
}
