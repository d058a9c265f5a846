/**
 * Counting requests exactly: a short window and a calendar month for each subject, over all processes.
 *
 * Owns the words and the rule: as many pass as the window and then the month still hold, and what is refused counts
 * against nothing. Where the counts live is the store's business (PostgreSQL, or Redis).
 */
import type { Month } from '../../lib/clock.ts'

/** What a subject (an API key, an address that signs in) may do; `perMonth` null is unlimited. */
export type Allowance = { readonly perWindow: number; readonly windowMs: number; readonly perMonth: number | null }

/** `count` requests of one subject that arrived together. */
export type Demand = Allowance & { readonly subject: string; readonly count: number }

/** How many of a demand passed (the first ones), how many the window refused, and where the counts stand now. */
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
  /** What each subject used in `month`; a subject never seen is not in the map. */
  readonly usageOf: (subjects: readonly string[], month: Month) => Promise<ReadonlyMap<string, Usage>>
  readonly close: () => Promise<void>
}
