/**
 * All that was read of one address at one block: the ground every judgement stands on.
 *
 * Made by `poll/`, judged here. What only some judgements need (role members, calls with arguments) is asked for by
 * name when it is missing; see `Need`.
 */
import type { Hex } from 'viem'
import type { CallName } from './calls.ts'
import type { CodeFacts } from './code-facts.ts'
import type { BookRead, Read } from './read.ts'
import type { SlotName } from './slots.ts'

export type Place = { readonly chainId: number; readonly address: Hex }

/** Who holds which role of an AccessControl, and whose members may grant it. */
export type RoleBook = {
  readonly roles: ReadonlyMap<Hex, { readonly admin: Hex; readonly members: readonly Hex[] }>
  /** Every role ever granted is here; otherwise the well-known ones alone. */
  readonly complete: boolean
  /** Not complete, though its events were read: they tell of no role at all. */
  readonly isUntold?: boolean
}

export type ManagerMember = { readonly account: Hex; readonly delay: number }
/** Who holds which role of an AccessManager, by its number. */
export type ManagerBook = ReadonlyMap<string, readonly ManagerMember[]>

export type ContractState = Place & {
  readonly block: { readonly number: number; readonly hash: Hex }
  /** Absent: an account without code. */
  readonly code: Read<CodeFacts>
  /** Absent: nothing was ever written there, or zero. */
  readonly slots: Readonly<Record<SlotName, Read<Hex>>>
  /** Absent: the contract does not answer. */
  readonly calls: Readonly<Record<CallName, Read<Hex>>>
  /** Calls with arguments or a sender, and slots that only this code uses, by `callKey` and `slotKey`. */
  readonly more: ReadonlyMap<string, Read<Hex>>
  readonly roles?: BookRead<RoleBook>
  readonly manager?: BookRead<ManagerBook>
  /** StarkWare's governors, who are in a mapping. */
  readonly governors?: BookRead<readonly Hex[]>
  /** Maker's wards, of whom events tell. */
  readonly wards?: BookRead<readonly Hex[]>
}

export const placeKey = ({ chainId, address }: Place): string => `${chainId}:${address}`
export const slotKey = (position: Hex): string => `slot|${position}`
export const callKey = (data: Hex, from?: Hex): string => `${from ?? ''}|${data}`

/** What a judgement lacks. */
export type Need = Place &
  (
    | { readonly what: 'state' | 'roles' | 'manager' | 'governors' | 'wards' }
    | { readonly what: 'call'; readonly data: Hex; readonly from?: Hex }
    | { readonly what: 'slot'; readonly position: Hex }
  )

export const needKey = (need: Need): string =>
  `${placeKey(need)}:${need.what}${need.what === 'call' ? callKey(need.data, need.from) : ''}${need.what === 'slot' ? need.position : ''}`

/** Every state read so far, by `placeKey`. */
export type Graph = ReadonlyMap<string, ContractState>
