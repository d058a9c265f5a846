/**
 * Exact request counts: a short window and a calendar month for each subject, over all processes.
 *
 * As many requests are granted as the window and then the month still allow; refused requests are not counted. The
 * store is PostgreSQL or Redis.
 */
import type { Month } from '../../lib/clock.ts'

/** The limits of a subject (an API key, a network that signs in); `perMonth` null is unlimited. */
export type RateLimits = { readonly perWindow: number; readonly windowMs: number; readonly perMonth: number | null }

/** `count` requests of one subject that arrived together. */
export type Demand = RateLimits & { readonly subject: string; readonly count: number }

/** How many of a demand are granted (the first ones), how many the window refused, and the counts afterwards. */
export type Grant = {
  readonly granted: number
  readonly refusedByWindow: number
  readonly windowEndsAt: number
  readonly monthUsed: number
}

export type Usage = { readonly monthUsed: number; readonly lastAt: number | undefined }

export type CounterStore = {
  /** One grant for each demand, in order. Subjects in one call are distinct. */
  readonly take: (demands: readonly Demand[], at: number, month: Month) => Promise<readonly Grant[]>
  /** What each subject used in `month`; an unknown subject is not in the map. */
  readonly usageOf: (subjects: readonly string[], month: Month) => Promise<ReadonlyMap<string, Usage>>
  readonly close: () => Promise<void>
}
