/** The clock. It is passed as an argument, so that tests can set the time. */

export type Clock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

export const systemClock: Clock = { now: Date.now }

/** A calendar month in UTC: its name, such as 2026-03, and its bounds in milliseconds, `end` exclusive. */
export type Month = { readonly name: string; readonly start: number; readonly end: number }

export function monthOf(instant: number): Month {
  const date = new Date(instant)
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  return { name: new Date(start).toISOString().slice(0, 7), start, end }
}
