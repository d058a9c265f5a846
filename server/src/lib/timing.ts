/** A clock and sleep for loops. The simulator passes its own and advances it. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from './clock.ts'

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
