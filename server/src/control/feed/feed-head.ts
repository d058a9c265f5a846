/** What changed at the newest end of a feed between two looks at it. Pure; `feed-stream.ts` looks and tells. */
import type { FeedEvent } from './feed.ts'

export type HeadChange = { readonly published: readonly FeedEvent[]; readonly retracted: readonly FeedEvent[] }

/**
 * Both looks are newest first and hold at most `limit` events. Below the oldest event of a full look nothing can be
 * said: what is missing there was pushed out, what is new there was never in view.
 */
export function changeOfHead(before: readonly FeedEvent[], after: readonly FeedEvent[], limit: number): HeadChange {
  const isInView = (event: FeedEvent, look: readonly FeedEvent[]): boolean => {
    const oldest = look.at(-1)
    return look.length < limit || oldest === undefined || isNewer(event, oldest)
  }
  const had = new Set(before.map(({ id }) => id))
  const has = new Set(after.map(({ id }) => id))
  return {
    published: after.filter((event) => !had.has(event.id) && isInView(event, before)),
    retracted: before.filter((event) => !has.has(event.id) && isInView(event, after)),
  }
}

const isNewer = (a: FeedEvent, b: FeedEvent): boolean =>
  a.blockTime.getTime() - b.blockTime.getTime() > 0 || (a.blockTime.getTime() === b.blockTime.getTime() && a.id > b.id)
