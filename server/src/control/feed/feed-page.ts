/** Reads one page of the feed. */
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/http/cursor.ts'
import type { Queryable } from '../../platform/database.ts'
import { eventView } from '../registry/control-event.ts'
import { type FeedFilter, type FeedPosition, getEvents } from './feed.ts'

export type FeedPageRequest = {
  readonly filter: FeedFilter
  readonly limit: number
  readonly cursor: string | undefined
}

export async function getFeedPage(
  { database }: { readonly database: Queryable },
  { filter, limit, cursor }: FeedPageRequest,
) {
  // One more than requested shows whether there is a next page.
  const found = await getEvents(database, filter, { after: readCursor(cursor), limit: limit + 1 })
  const events = found.slice(0, limit)
  const last = events.at(-1)
  const nextCursor =
    found.length > limit && last !== undefined ? feedCursor({ blockTime: last.blockTime.getTime(), id: last.id }) : null
  return { data: events.map(eventView), nextCursor }
}

export const feedCursor = ({ blockTime, id }: FeedPosition): string => encodeCursor(blockTime, id)

function readCursor(cursor: string | undefined): FeedPosition | undefined {
  if (cursor === undefined) return undefined
  const fields = decodeCursor(cursor, /^(\d{1,15})\.(\d{1,15})$/)
  if (fields === undefined) throw invalidCursor('invalid_cursor')
  return { blockTime: Number(fields[0]), id: Number(fields[1]) }
}
