/**
 * What came of asking a chain for one thing.
 *
 * A failed read is never an absence: the difference between "there is no admin" and "nobody could tell" is the
 * difference between a green label and a grey one. Whoever needs the value must say what an absence means, and cannot
 * forget the third case: `take` ends the judgement that asked.
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

/** The contract answered, and nobody can make sense of it: no read failed, so no earlier label stands in for it. */
export type Malformed = { readonly type: 'malformed'; readonly reason: string }

/** Who a contract says holds a part in it, put together from many of its answers and events. */
export type BookRead<T> = Read<T> | Malformed

export function malformed(reason: string): Malformed {
  return { type: 'malformed', reason }
}

/** Ends the judgement that needed the value; caught where a judgement can be `unknown`, never shown to anyone else. */
export class UnreadSignal extends Error {
  readonly what: string
  constructor(what: string, reason: string) {
    super(reason)
    this.what = what
  }
}

/** Something else stands where an address or a number should: packed with another, too large, or not one at all. */
export class MalformedSignal extends Error {}

/** The value, or undefined where the chain has none. */
export function take<T>(read: BookRead<T>, what: string): T | undefined {
  if (read.type === 'malformed') throw new MalformedSignal(read.reason)
  if (read.type === 'unread') throw new UnreadSignal(what, read.reason)
  return read.type === 'value' ? read.value : undefined
}
