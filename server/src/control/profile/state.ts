/**
 * Everything that was read of one address at one block. Every judgment is based on it.
 *
 * `poll/` reads it. What only some judgments need (role members, calls with arguments) is requested when it is missing:
 * see `Need`.
 */
import type { Hex } from 'viem'
import type { ContractRef } from '../registry/contracts.ts'
import type { CallName } from './calls.ts'
import type { CodeFacts } from './code-facts.ts'
import type { MembersRead, Read } from './read.ts'
import type { SlotName } from './slots.ts'

/** Members of the roles of an AccessControl, and the role whose members may grant each. */
export type RoleMembers = {
  readonly roles: ReadonlyMap<Hex, { readonly admin: Hex; readonly members: readonly Hex[] }>
  /** Holds every role ever granted; otherwise the well-known roles only. */
  readonly complete: boolean
  /** Incomplete although the events were read: they contain no grant. */
  readonly hasNoGrants?: boolean
}

export type ManagerMember = { readonly account: Hex; readonly delay: number }
/** Members of the roles of an AccessManager, by role number. */
export type ManagerMembers = ReadonlyMap<string, readonly ManagerMember[]>

export type ContractState = ContractRef & {
  readonly block: { readonly number: number; readonly hash: Hex }
  /** Absent: an account without code. */
  readonly code: Read<CodeFacts>
  /** Absent: never written, or zero. */
  readonly slots: Readonly<Record<SlotName, Read<Hex>>>
  /** Absent: the call reverts or returns nothing. */
  readonly calls: Readonly<Record<CallName, Read<Hex>>>
  /** Calls with arguments or a sender, and slots that only this code uses, by `callKey` and `slotKey`. */
  readonly more: ReadonlyMap<string, Read<Hex>>
  readonly roles?: MembersRead<RoleMembers>
  readonly manager?: MembersRead<ManagerMembers>
  /** StarkWare's governors, which are in a mapping. */
  readonly governors?: MembersRead<readonly Hex[]>
  /** Maker's wards, which only events list. */
  readonly wards?: MembersRead<readonly Hex[]>
}

export const refKey = ({ chainId, address }: ContractRef): string => `${chainId}:${address}`
export const slotKey = (position: Hex): string => `slot|${position}`
export const callKey = (data: Hex, from?: Hex): string => `${from ?? ''}|${data}`

/** A read that a judgment lacks. */
export type Need = ContractRef &
  (
    | { readonly what: 'state' | 'roles' | 'manager' | 'governors' | 'wards' }
    | { readonly what: 'call'; readonly data: Hex; readonly from?: Hex }
    | { readonly what: 'slot'; readonly position: Hex }
  )

export const needKey = (need: Need): string =>
  `${refKey(need)}:${need.what}${need.what === 'call' ? callKey(need.data, need.from) : ''}${need.what === 'slot' ? need.position : ''}`

/** Every state read so far, by `refKey`. */
export type Graph = ReadonlyMap<string, ContractState>
