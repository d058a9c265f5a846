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

/** Ends the judgement that needed the value; caught where a judgement can be `unknown`, never shown to anyone else. */
export class UnreadSignal extends Error {
  readonly what: string
  constructor(what: string, reason: string) {
    super(reason)
    this.what = what
  }
}

/** The value, or undefined where the chain has none. */
export function take<T>(read: Read<T>, what: string): T | undefined {
  if (read.type === 'unread') throw new UnreadSignal(what, read.reason)
  return read.type === 'value' ? read.value : undefined
}
