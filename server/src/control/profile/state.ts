/**
 * Everything that was read of one address at one block. Every judgment is based on it.
 *
 * `poll/` reads it. What only some judgments need (role members, calls with arguments) is requested when it is missing:
 * see `Need`.
 */
import { hash } from 'node:crypto'
import type { Hex } from 'viem'
import type { Defect, ReadItem } from '../../../../vocabulary/reasons.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { CallName } from './calls.ts'
import type { CodeFacts } from './code-facts.ts'
import type { SlotName } from './slots.ts'

/**
 * The result of one read of a chain.
 *
 * A failed read is never an absence: "there is no admin" allows a green label, "the admin could not be read" does not.
 * `take` ends the judgment that needs a value which could not be read, so no caller can forget that case.
 */
export type Read<T> =
  | { readonly type: 'value'; readonly value: T }
  | { readonly type: 'absent' }
  | { readonly type: 'unread'; readonly reason: string }

export const ABSENT = { type: 'absent' } as const

export function value<T>(of: T): Read<T> {
  return { type: 'value', value: of }
}

export function unread(reason: string): { readonly type: 'unread'; readonly reason: string } {
  return { type: 'unread', reason }
}

/** The contract returned something invalid. No read failed, so an earlier label does not stand in for it. */
export type Malformed = { readonly type: 'malformed'; readonly defect: Defect }

/** Members of roles, combined from many calls and events of a contract. */
export type MembersRead<T> = Read<T> | Malformed

export function malformed(defect: Defect): Malformed {
  return { type: 'malformed', defect }
}

/** Thrown by a judgment that needs a value which could not be read. `guarded` turns it into an unknown label. */
export class UnreadSignal extends Error {
  readonly read: ReadItem
  constructor(read: ReadItem, reason: string) {
    super(reason)
    this.read = read
  }
}

/** Thrown by a judgment that meets data which contradicts itself or has an unexpected form. */
export class MalformedSignal extends Error {
  readonly defect: Defect
  constructor(defect: Defect) {
    super(defect.code)
    this.defect = defect
  }
}

/** The value, or undefined where the chain has none. */
export function take<T>(read: MembersRead<T>, item: ReadItem): T | undefined {
  if (read.type === 'malformed') throw new MalformedSignal(read.defect)
  if (read.type === 'unread') throw new UnreadSignal(item, read.reason)
  return read.type === 'value' ? read.value : undefined
}

/** Members of the roles of an AccessControl, and the role whose members may grant each. */
export type RoleMembers = {
  readonly roles: ReadonlyMap<Hex, { readonly admin: Hex; readonly members: readonly Hex[] }>
  /** Holds every role ever granted; otherwise the well-known roles only. */
  readonly complete: boolean
  /** Incomplete although the events were read: they contain no grant. */
  readonly hasNoGrants?: boolean
}

/**
 * A transaction that an owner of a Safe approved on chain, by an event. `nonce`: of that transaction, by its hash. `isSent`:
 * the owner sent a transaction that approves it.
 */
export type Approval = {
  readonly hash: Hex
  readonly owner: Hex
  readonly nonce?: number
  readonly isSent?: boolean
}

/** What the events of a contract name: accounts that were ever added to a list, and logic that it ever ran. */
export type History = {
  readonly granted: ReadonlyMap<Hex, readonly Hex[]>
  readonly relied: readonly Hex[]
  /** Accounts that were ever an administrator of an AccessManager. */
  readonly administrators: readonly Hex[]
  /** Accounts that were ever added to a list of another kind, newest first, not all of them. */
  readonly listed: readonly Hex[]
  /** Oldest first. */
  readonly logics: readonly Hex[]
  /** The block in which each of them was named first. */
  readonly logicBlocks: ReadonlyMap<Hex, number>
  /** Approvals by owners of a Safe, messages it signed, and former owners and modules of it. */
  readonly approvals: readonly Approval[]
  readonly messages: readonly Hex[]
  readonly removed: readonly Hex[]
  /** Operations that were queued: their keys, when in seconds, and the time in the key where the key is known to hold it. */
  readonly operations: readonly {
    readonly id: Hex
    readonly block: number
    readonly queuedAt?: number
    readonly due?: number
    /** What it calls the contract itself with; empty where that is not known. */
    readonly own?: readonly Hex[]
  }[]
  /** Accounts that were removed from a role. */
  readonly revoked: readonly Revoked[]
}

/** `from`, `to`: the blocks in which the account was first added and last removed. */
export type Revoked = { readonly role: Hex; readonly account: Hex; readonly from: number; readonly to: number }

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
  /** Transactions that an account without code sent. */
  readonly nonce?: Read<number>
  /**
   * Calls with arguments or a sender, trials, what modules can be made to execute, slots that only this code uses, and whether the
   * storage holds nothing outside of some positions: by `callKey`, `trialKey`, `driveKey`, `slotKey`, `firstSlotKey`
   * and `contentsKey`.
   */
  readonly more: ReadonlyMap<string, Read<Hex>>
  readonly roles?: MembersRead<RoleMembers>
  readonly manager?: MembersRead<ManagerMembers>
  /** StarkWare's governors, which are in a mapping. */
  readonly governors?: MembersRead<readonly Hex[]>
  /** Maker's wards, which only events list. */
  readonly wards?: MembersRead<readonly Hex[]>
  readonly history?: MembersRead<History>
}

export const refKey = ({ chainId, address }: ContractRef): string => `${chainId}:${address}`
export const slotKey = (position: Hex): string => `slot|${position}`
export const firstSlotKey = (position: Hex): string => `first|${position}`
export const contentsKey = ({ positions, tables, when }: Contents): string =>
  `contents|${when}|${hash('sha256', [...positions, '|', ...tables].join(''))}`
export const sameCodeKey = ({ on, named }: Run): string => `same|${on}|${named}`
export const callKey = (data: Hex, from?: Hex): string => `${from ?? ''}|${data}`
export const trialKey = (data: Hex, from?: Hex): string => `trial|${callKey(data, from)}`
export const driveKey = (safe: Hex, calls: readonly Hex[]): string => `drive|${safe}|${hash('sha256', calls.join(''))}`

/** Positions that the storage may hold, and slots of mappings whose entries it may hold for what its first events name. */
export type Contents = {
  readonly positions: readonly Hex[]
  readonly tables: readonly Hex[]
  readonly when: 'now' | 'created'
}

/** When code may have run on the storage of another contract first: in the block after its creation, or in which it was named. */
export type Run = { readonly on: Hex; readonly named: number }

/** A read that a judgment lacks. */
export type Need = ContractRef &
  (
    | { readonly what: 'state' | 'roles' | 'manager' | 'governors' | 'wards' | 'history' | 'nonce' }
    | { readonly what: 'call'; readonly data: Hex; readonly from?: Hex }
    /** The same with funds and a gas price, from this account or from accounts without any privilege. */
    | { readonly what: 'trial'; readonly data: Hex; readonly from?: Hex }
    /** What these calls of a module by an unprivileged caller make it execute for the Safe. */
    | { readonly what: 'drive'; readonly safe: Hex; readonly calls: readonly Hex[] }
    | { readonly what: 'slot'; readonly position: Hex }
    /** The same in the block in which the contract was created. */
    | { readonly what: 'first'; readonly position: Hex }
    | ({ readonly what: 'contents' } & Contents)
    | ({ readonly what: 'same_code' } & Run)
  )

export const needKey = (need: Need): string => `${refKey(need)}:${need.what}${detailOf(need)}`

function detailOf(need: Need): string {
  if (need.what === 'call' || need.what === 'trial') return callKey(need.data, need.from)
  if (need.what === 'drive') return driveKey(need.safe, need.calls)
  if (need.what === 'contents') return contentsKey(need)
  if (need.what === 'same_code') return sameCodeKey(need)
  return need.what === 'slot' || need.what === 'first' ? need.position : ''
}

/** Every state read so far, by `refKey`. */
export type Graph = ReadonlyMap<string, ContractState>
