/** Time as an argument, with the power to wait: the simulator hands the loops a clock that it moves itself. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '../../lib/clock.ts'

export type Timing = Clock & {
  /** Resolves after `ms`, or as soon as `signal` aborts: waking early is not a fault. */
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
