/**
 * Reads events in publication order: the order in which they were stored and retracted.
 *
 * The feed is ordered by block time, so a reader that polls it misses an event that is stored late: from a backfill, from
 * the second pass, or of a slower chain. In publication order nothing is ever inserted before what a reader has read; the
 * migration 0004_events explains why. The position of a reader is a cursor, which also serves as the id of a stream entry.
 */

import { toBytes } from '../../lib/hex.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/http/cursor.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { joinContractName } from '../registry/contracts.ts'
import { type ControlEvent, type ControlEventRow, controlEventOf, eventView } from '../registry/control-event.ts'
import { chainIdsOf, type FeedFilter, feedKeysOf } from './feed.ts'

/** `entry` is the last entry read of the publication at `position`. Without it the whole publication was read. */
export type PublicationPosition = { readonly position: number; readonly entry?: number | undefined }

/** The start of a reader that has no cursor yet. */
export const BEGINNING = 'beginning'
export const NOW = 'now'

export type PublishedEvent = ControlEvent & {
  /** Whether this entry reports that the event was retracted. */
  readonly isRetracted: boolean
  readonly position: PublicationPosition
}

type Publications = {
  readonly events: readonly PublishedEvent[]
  /** Where the next read continues. The position that was passed, if nothing follows it. */
  readonly next: PublicationPosition
}

/** The most events that one read examines, so that a filter that rarely matches stays cheap. */
const MAX_EXAMINED = 2_000

type Row = ControlEventRow & { is_end: boolean; position: number; entry_id: number | null; is_retracted: boolean }

/** Returns the next events that match, oldest publication first: up to `limit`, and possibly none although more follow. */
export async function getPublications(
  database: Queryable,
  filter: FeedFilter,
  { after, limit }: { readonly after: PublicationPosition; readonly limit: number },
): Promise<Publications> {
  const { rows } = await database.query<Row>({
    name: 'feed_after',
    text: FEED_AFTER,
    values: [
      after.entry === undefined ? after.position + 1 : after.position,
      after.entry ?? 0,
      feedKeysOf(filter),
      chainIdsOf(filter),
      filter.key ?? null,
      filter.address === undefined ? null : toBytes(filter.address),
      limit,
      MAX_EXAMINED,
    ],
  })
  const events = rows.filter((row) => !row.is_end).map(publishedEventOf)
  const end = rows.find((row) => row.is_end)
  if (events.length === limit && events.length > 0) return { events, next: events.at(-1)?.position ?? after }
  return { events, next: end === undefined ? after : { position: end.position, entry: end.entry_id ?? undefined } }
}

const FEED_AFTER = sql`
  with page as materialized (
    select * from feed_after($1, $2, $3, $4, $5, $6, $7, $8)
  ), emitter as (
    select e.chain_id, e.address, c.* from (select distinct chain_id, address from page where not is_end) as e
    ${joinContractName(sql`e`)}
  )
  select page.*, k.key as event_key, k.category, name, emitter.kind, protocol
  from page left join emitter using (chain_id, address) left join event_kind k on k.id = page.kind_id
  order by is_end, position, entry_id`

const publishedEventOf = (row: Row): PublishedEvent => ({
  ...controlEventOf(row),
  isRetracted: row.is_retracted,
  position: { position: row.position, entry: row.entry_id ?? undefined },
})

/** The position after everything published so far. */
export async function getLastPosition(database: Queryable): Promise<PublicationPosition> {
  const { rows } = await database.query<{ position: number }>({
    name: 'last_position',
    text: sql`select coalesce(max(position), 0) as position from publication`,
  })
  return { position: rows[0]?.position ?? 0 }
}

export type PublicationPageRequest = {
  readonly filter: FeedFilter
  readonly limit: number
  /** A cursor, `BEGINNING` or `NOW`. */
  readonly after: string
}

/** Reads one page of `GET /v1/events?after=`. `nextCursor` is never null. */
export async function getPublicationPage(
  { database }: { readonly database: Queryable },
  { filter, limit, after }: PublicationPageRequest,
) {
  if (after === NOW) return { data: [], nextCursor: publicationCursor(await getLastPosition(database)) }
  const { events, next } = await getPublications(database, filter, { after: readPosition(after), limit })
  return {
    data: events.map(publishedEventView),
    nextCursor: publicationCursor(next),
  }
}

export function publishedEventView(published: PublishedEvent) {
  const { isRetracted, position: _, ...event } = published
  return { ...eventView(event), retracted: isRetracted }
}

export const publicationCursor = ({ position, entry }: PublicationPosition): string =>
  entry === undefined ? encodeCursor('p', position) : encodeCursor('p', position, entry)

export function readPosition(after: string): PublicationPosition {
  const position = after === BEGINNING ? { position: 0 } : findPosition(after)
  if (position === undefined) throw invalidCursor('invalid_cursor', 'after', [BEGINNING, NOW])
  return position
}

/** The position of a cursor; undefined for any other text. */
export function findPosition(cursor: string): PublicationPosition | undefined {
  const [position, entry] = decodeCursor(cursor, /^p\.(\d{1,15})(?:\.(\d{1,15}))?$/) ?? []
  if (position === undefined) return undefined
  return { position: Number(position), entry: entry === undefined ? undefined : Number(entry) }
}
