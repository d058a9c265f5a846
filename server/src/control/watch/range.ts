/**
 * How many blocks to ask for at once: learned from each endpoint, never believed from its advertising.
 *
 * Grows slowly, shrinks at once. A hint is followed only if it asks for less than what just failed: some providers
 * suggest the very range they refused. Pure.
 */
import type { RangeHint } from '../rpc/faults.ts'
import type { LearnedLimit } from './watch-store.ts'

export const FIRST_LIMIT: LearnedLimit = { size: 500, ceiling: undefined }

const GROWTH = 1.05
/** Answers of this many logs are a good mouthful: two megabytes, parsed in tens of milliseconds. */
export const LOGS_AIMED_AT = 4_000

export type RangeEvent =
  | { readonly type: 'read'; readonly blocks: number; readonly logs: number }
  | { readonly type: 'refused'; readonly blocks: number; readonly hint: RangeHint | undefined }
  /** It failed for another reason: perhaps the range was too much for it after all. */
  | { readonly type: 'failed'; readonly blocks: number }

export function blocksToAsk({ size, ceiling }: LearnedLimit): number {
  return Math.max(1, Math.floor(Math.min(size, ceiling ?? size)))
}

export function onRangeEvent(limit: LearnedLimit, event: RangeEvent): LearnedLimit {
  if (event.type === 'read') {
    if (event.logs > LOGS_AIMED_AT) {
      const fitting = Math.max(1, Math.floor((event.blocks * LOGS_AIMED_AT) / event.logs))
      return { ...limit, size: Math.min(limit.size, fitting) }
    }
    // A part of a range at the end of the chain says nothing about whole ones.
    return event.blocks < blocksToAsk(limit)
      ? limit
      : { ...limit, size: Math.min(limit.size * GROWTH + 0.1, 1_000_000) }
  }
  const half = Math.max(1, Math.floor(event.blocks / 2))
  if (event.type === 'failed') return { ...limit, size: Math.min(limit.size, half) }
  const { hint } = event
  if (hint === undefined || hint.blocks >= event.blocks) return { ...limit, size: Math.min(limit.size, half) }
  // What fits where the chain is crowded says nothing about the rest of it.
  if (!hint.isLimit) return { ...limit, size: hint.blocks }
  return { size: hint.blocks, ceiling: Math.min(limit.ceiling ?? hint.blocks, hint.blocks) }
}
