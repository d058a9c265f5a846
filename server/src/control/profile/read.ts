/**
 * The result of one read of a chain.
 *
 * A failed read is never an absence: "there is no admin" allows a green label, "the admin could not be read" does not.
 * `take` ends the judgment that needs a value which could not be read, so no caller can forget that case.
 */
import type { Defect, ReadItem } from '../../../../vocabulary/reasons.ts'

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
