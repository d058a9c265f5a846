/**
 * Learns from each endpoint's responses how many blocks to request at once.
 *
 * Grows slowly, shrinks at once. A hint counts only if it is narrower than the range that just failed: some providers
 * suggest the range they refused. Pure.
 */
import type { RangeHint } from './rpc-error.ts'

/** How many blocks an endpoint takes in one `eth_getLogs` request: learned, and stored for the next start. */
export type RangeLimit = { readonly size: number; readonly ceiling: number | undefined }

/** Endpoints limit requests with and without an address filter differently. */
export type RangeLimitKey = { readonly host: string; readonly filter: 'addresses' | 'chainwide' }

export type RangeLimitStore = {
  readonly findLimit: (key: RangeLimitKey) => Promise<RangeLimit | undefined>
  readonly saveLimit: (key: RangeLimitKey, limit: RangeLimit) => Promise<void>
}

export const FIRST_LIMIT: RangeLimit = { size: 500, ceiling: undefined }

const GROWTH = 1.05
/** Target size of a response: about two megabytes, parsed in tens of milliseconds. */
export const TARGET_LOGS = 4_000

export type RangeEvent =
  | { readonly type: 'read'; readonly blocks: number; readonly logs: number }
  | { readonly type: 'refused'; readonly blocks: number; readonly hint: RangeHint | undefined }
  /** The request failed for a reason that does not name the range, which may still have been too wide. */
  | { readonly type: 'failed'; readonly blocks: number }

export function blocksToRequest({ size, ceiling }: RangeLimit): number {
  return Math.max(1, Math.floor(Math.min(size, ceiling ?? size)))
}

export function onRangeEvent(limit: RangeLimit, event: RangeEvent): RangeLimit {
  if (event.type === 'read') {
    if (event.logs > TARGET_LOGS) {
      const fitting = Math.max(1, Math.floor((event.blocks * TARGET_LOGS) / event.logs))
      return { ...limit, size: Math.min(limit.size, fitting) }
    }
    // A partial range at the end of the chain does not show what the endpoint accepts.
    return event.blocks < blocksToRequest(limit)
      ? limit
      : { ...limit, size: Math.min(limit.size * GROWTH + 0.1, 1_000_000) }
  }
  const half = Math.max(1, Math.floor(event.blocks / 2))
  if (event.type === 'failed') return { ...limit, size: Math.min(limit.size, half) }
  const { hint } = event
  if (hint === undefined || hint.blocks >= event.blocks) return { ...limit, size: Math.min(limit.size, half) }
  // A suggestion for dense blocks does not apply to the rest of the chain.
  if (!hint.isLimit) return { ...limit, size: hint.blocks }
  return { size: hint.blocks, ceiling: Math.min(limit.ceiling ?? hint.blocks, hint.blocks) }
}
