/** The clock, sleep and calendar months. Time is passed as an argument, so that tests can set it. */
import { setTimeout as delay } from 'node:timers/promises'

export type Clock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

export const systemClock: Clock = { now: Date.now }

/** A clock and sleep for loops. The simulator passes its own and advances it. */
export type Timing = Clock & {
  /** Resolves after `ms`, or as soon as `signal` aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const systemTiming: Timing = {
  ...systemClock,
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal })
    } catch (error) {
      if (signal?.aborted !== true) throw error
    }
  },
}

/** A calendar month in UTC: its name, such as 2026-03, and its bounds in milliseconds, `end` exclusive. */
export type Month = {
  readonly name: string
  readonly start: number
  readonly end: number
  /** `end` as a timestamp. */
  readonly endsAt: string
}

/** Most instants are in the same month as the one before. */
let latest: Month | undefined

export function monthOf(instant: number): Month {
  if (latest !== undefined && latest.start <= instant && instant < latest.end) return latest
  const date = new Date(instant)
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  latest = { name: new Date(start).toISOString().slice(0, 7), start, end, endsAt: new Date(end).toISOString() }
  return latest
}
