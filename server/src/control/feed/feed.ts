/** Reads control events for the feed, newest first. */

import { CATEGORIES, type Category } from '../../../../vocabulary/categories.ts'
import { SEVERITIES, type Severity, severityRank } from '../../../../vocabulary/severities.ts'
import { type Hex, toBytes, toDigits } from '../../lib/hex.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/http/cursor.ts'
import type { Queryable, ReadDatabase } from '../../platform/database.ts'
import { literal, type Sql, sql } from '../../platform/sql.ts'
import { CHAINS } from '../chains/chains.ts'
import { type ContractRef, joinContractName } from '../registry/contracts.ts'
import { type ControlEvent, type ControlEventRow, controlEventOf, eventView } from '../registry/control-event.ts'

/** The last event of a page. The next page starts right after it, also if newer events were stored since. */
export type FeedPosition = { readonly blockTime: number; readonly id: number }

export type FeedFilter = {
  readonly chainId?: number | undefined
  readonly address?: Hex | undefined
  readonly minSeverity?: Severity | undefined
  readonly key?: string | undefined
  readonly category?: Category | undefined
  readonly includeInit: boolean
}

export async function getEvents(
  database: Queryable,
  filter: FeedFilter,
  { after, limit }: { readonly after?: FeedPosition | undefined; readonly limit: number },
): Promise<readonly ControlEvent[]> {
  const { rows } = await database.query<ControlEventRow>(feedQuery(filter, after, limit))
  return rows.slice(0, limit).map(controlEventOf)
}

/** Returns the newest events of these contracts at or after `since`, setup events included. */
export async function getEventsOf(
  database: Queryable,
  contracts: readonly ContractRef[],
  { since, limit }: { readonly since: Date | undefined; readonly limit: number },
): Promise<readonly ControlEvent[]> {
  const { rows } = await database.query<ControlEventRow>({
    name: 'events_of_contracts',
    text: withNames(
      sql`newest_events_of($1, array(select decode(digits, 'hex') from unnest($2::text[]) as digits), $3, $4)`,
    ),
    values: [
      contracts.map(({ chainId }) => chainId),
      contracts.map(({ address }) => toDigits(address)),
      since ?? '-infinity',
      limit,
    ],
  })
  return rows.map(controlEventOf)
}

/** Returns the events of a protocol's contracts before a position, newest first, setup events included. */
async function getEventsOfProtocol(
  database: Queryable,
  protocolId: number,
  { after, limit }: { readonly after: FeedPosition | undefined; readonly limit: number },
): Promise<readonly ControlEvent[]> {
  const { rows } = await database.query<ControlEventRow>({
    name: 'events_of_protocol',
    text: withNames(sql`protocol_events($1, $2, $3, $4)`),
    values: [protocolId, after === undefined ? 'infinity' : new Date(after.blockTime), after?.id ?? 0, limit],
  })
  return rows.map(controlEventOf)
}

/** The index of transactions is a filter, which names ranges of pages to read. In a huge table that may take too long. */
const TRANSACTION_TIMEOUT_MS = 1_500
const MAX_EVENTS_OF_TRANSACTION = 500
const QUERY_CANCELED = '57014'

/** Returns the events of a transaction in the order of its logs, or undefined if that took too long. */
export async function getEventsOfTransaction(
  database: ReadDatabase,
  hash: Hex,
): Promise<readonly ControlEvent[] | undefined> {
  const client = await database.connect()
  try {
    await client.query(sql`begin read only; set local statement_timeout = ${literal(TRANSACTION_TIMEOUT_MS)}`)
    const events = sql`(select * from control_event where tx_hash = $1 order by log_index limit $2) as e`
    const { rows } = await client.query<ControlEventRow>(withNames(events), [toBytes(hash), MAX_EVENTS_OF_TRANSACTION])
    return rows.map(controlEventOf).sort((a, b) => a.logIndex - b.logIndex)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED) return undefined
    throw error
  } finally {
    await client.query(sql`rollback`).catch(() => {})
    client.release()
  }
}

/** Adds the names of contracts to events. Each contract is read once. */
const withNames = (events: Sql): Sql => sql`
  with page as materialized (
    select * from ${events}
  ), emitter as (
    select e.chain_id, e.address, c.* from (select distinct chain_id, address from page) as e ${joinContractName(sql`e`)}
  )
  select page.id, chain_id, block_number, block_time, tx_hash, log_index, address, k.key as event_key, k.category, severity,
    args, is_init, name, kind, protocol
  from page join emitter using (chain_id, address) join event_kind k on k.id = page.kind_id
  order by block_time desc, page.id desc`

/** The migration 0005_feed explains the functions. */
function feedQuery(filter: FeedFilter, after: FeedPosition | undefined, limit: number) {
  const { key, address } = filter
  const page = [
    after === undefined ? 'infinity' : new Date(after.blockTime),
    after?.id ?? 0,
    feedKeysOf(filter),
    chainIdsOf(filter),
    Math.max(FIRST_ROWS_PER_KEY, Math.ceil(limit / 20)),
    limit,
  ]
  if (address !== undefined)
    return {
      name: 'feed_of_address',
      text: withNames(sql`feed_page_of_address(feed_upper_bound($1), $2, $3, $4, $5, $6, $7, $8)`),
      values: [...page, key ?? null, toBytes(address)],
    }
  if (key !== undefined)
    return {
      name: 'feed_of_key',
      text: withNames(sql`feed_page_of_key(feed_upper_bound($1), $2, $3, $4, $5, $6, $7)`),
      values: [...page, key],
    }
  return { name: 'feed', text: withNames(sql`feed_page(feed_upper_bound($1), $2, $3, $4, $5, $6)`), values: page }
}

/** Rows read first of each feed key, when there are more than a dozen of them. */
const FIRST_ROWS_PER_KEY = 4

export const chainIdsOf = ({ chainId }: Pick<FeedFilter, 'chainId'>): readonly number[] =>
  chainId === undefined ? CHAINS.map(({ id }) => id) : [chainId]

/** Returns the feed keys that match a filter: category, setup flag and severity as one number, as the table stores it. */
export function feedKeysOf({ category, includeInit, minSeverity = 'info' }: FeedFilter): readonly number[] {
  const severities = SEVERITIES.map((_, rank) => rank).filter((rank) => rank >= severityRank(minSeverity))
  return (category === undefined ? CATEGORIES : [category]).flatMap((name) =>
    (includeInit ? [0, 1] : [0]).flatMap((init) =>
      severities.map((severity) => SEVERITIES.length * (2 * CATEGORIES.indexOf(name) + init) + severity),
    ),
  )
}

export type FeedPageRequest = {
  readonly filter: FeedFilter
  readonly limit: number
  readonly cursor: string | undefined
}

/** Reads one page of the feed and the cursor of the next one. */
export async function getFeedPage(
  { database }: { readonly database: Queryable },
  { filter, limit, cursor }: FeedPageRequest,
) {
  // One more than requested shows whether there is a next page.
  return pageOf(await getEvents(database, filter, { after: readCursor(cursor), limit: limit + 1 }), limit)
}

/** Reads one page of the events of a protocol, setup events included. */
export async function getProtocolEventsPage(
  { database }: { readonly database: Queryable },
  { protocolId, limit, cursor }: Omit<FeedPageRequest, 'filter'> & { readonly protocolId: number },
) {
  const after = readCursor(cursor)
  return pageOf(await getEventsOfProtocol(database, protocolId, { after, limit: limit + 1 }), limit)
}

function pageOf(found: readonly ControlEvent[], limit: number) {
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
