/**
 * Exact request counts: a sliding window and a calendar month for each subject, over all processes.
 *
 * As many requests are granted as the window and then the month still allow; refused requests are not counted. A granted
 * request occupies the window for its whole length, so no interval of that length holds more than the limit. The store
 * is PostgreSQL or Redis.
 */
import type { Month } from '../../lib/clock.ts'
import type { Fault } from '../../lib/health.ts'

/** The limits of a subject (an API key, a network that signs in); `perMonth` null is unlimited. */
export type RateLimits = { readonly perWindow: number; readonly windowMs: number; readonly perMonth: number | null }

/** `count` requests of one subject that arrived together. */
export type Demand = RateLimits & { readonly subject: string; readonly count: number }

/** The first requests of a demand are granted, the others are refused. */
export type Grant = {
  readonly granted: number
  /** The limit that refused the others; null if there are none. */
  readonly refusedBy: 'window' | 'month' | null
  /** When the window grants another request: now, unless it refused one. */
  readonly windowOpensAt: number
  /** Requests of this month, these included. */
  readonly monthUsed: number
}

/** `count` requests that were granted and failed by our fault. */
export type Return = {
  readonly subject: string
  readonly count: number
  /** The time at which they occupy the window. */
  readonly grantedAt: number
  /** The month they were counted in. */
  readonly month: Month
  /** By less than this the store may have raised their time: see `stepOf`. */
  readonly stepMs: number
}

/** With more than this many requests in a window, the store counts them in steps, each at its latest time. */
const MOST_TIMES = 120

/** The length of a step, 1 if every time is exact. */
export const stepOf = ({ perWindow, windowMs }: RateLimits): number =>
  perWindow <= MOST_TIMES ? 1 : Math.ceil(windowMs / MOST_TIMES)

export type Usage = { readonly monthUsed: number; readonly lastAt: number | undefined }

export type CounterStore = {
  /**
   * One grant for each demand, in order. Subjects in one call are distinct. Resolves when the grants are stored. A store
   * that knows them earlier passes them to `onKnown`; they are void if the call rejects.
   */
  readonly take: (
    demands: readonly Demand[],
    at: number,
    month: Month,
    onKnown?: (grants: readonly Grant[]) => void,
  ) => Promise<readonly Grant[]>
  /**
   * Returns requests, so that they count toward neither window nor month. Subjects in one call are distinct. Resolves to
   * false if the store cannot be reached and nothing was returned. Rejects if it is unknown what was returned.
   */
  readonly giveBack: (returns: readonly Return[]) => Promise<boolean>
  /** What each subject used in `month`; an unknown subject is not in the map. */
  readonly usageOf: (subjects: readonly string[], month: Month) => Promise<ReadonlyMap<string, Usage>>
  /** Why the store cannot count; nothing while it can. A store without it needs the database alone. */
  readonly findFaults?: () => Promise<readonly Fault[]>
  readonly close: () => Promise<void>
}
