/** One page of the feed, for whoever may read it. */
import { z } from 'zod'
import type { Hex } from '../../lib/hex.ts'
import { flag, plainText, wholeNumber } from '../../lib/params.ts'
import type { Queryable } from '../../platform/database.ts'
import { address, category, chain, cursor, severity } from '../http/inputs.ts'
import { type FeedEvent, getEvents } from './feed.ts'
import { readCursor, writeCursor } from './feed-cursor.ts'

export const eventsQuery = z.strictObject({
  chain: chain.optional(),
  address: address.optional(),
  severity: severity.optional().describe('Minimum severity'),
  key: plainText(128).optional().describe('Exact eventKey'),
  category: category.optional(),
  includeInit: flag,
  limit: wholeNumber(1, 200).default(50),
  cursor,
})

export async function getFeedPage({ database }: { readonly database: Queryable }, query: z.infer<typeof eventsQuery>) {
  const { chain, address, severity: minSeverity, key, category, includeInit, limit } = query
  const filter = { chainId: chain?.id, address: address as Hex | undefined, minSeverity, key, category, includeInit }
  // One more than asked for tells whether there is a next page.
  const found = await getEvents(database, filter, { after: readCursor(query.cursor), limit: limit + 1 })
  const events = found.slice(0, limit)
  const last = events.at(-1)
  const nextCursor =
    found.length > limit && last !== undefined
      ? writeCursor({ blockTime: last.blockTime.getTime(), id: last.id })
      : null
  return { data: events.map(shownEvent), nextCursor }
}

export const shownEvent = ({ blockTime, ...event }: FeedEvent) => ({ ...event, blockTime: blockTime.toISOString() })
