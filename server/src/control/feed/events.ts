/**
 * Stores control events, retracts them after a reorg, and notifies the processes that read the feed.
 *
 * The SQL functions of the migration 0014_event_functions store and delete events. Triggers of the table then count the
 * events and publish what is stored and deleted, see the migration 0004_events.
 */

import { severityRank } from '../../../../vocabulary/severities.ts'
import { type Hex, toBytes, toDigits } from '../../lib/hex.ts'
import { copyIn } from '../../platform/copy.ts'
import type { DatabaseClient, Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { insertQueuedCalls, matchEvents, type NewEvent, retractEvents } from '../alerts/alert-matches.ts'
import { confirmEvents } from '../alerts/head-alerts.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import type { EventNames, NamedEvent } from '../catalog/event-names.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { requestPolls } from '../registry/poll-requests.ts'
import { type EventKind, getEventKinds } from './event-kinds.ts'

/** The PostgreSQL notification sent after events were stored or retracted. Its payload is the chain id. */
export const CONTROL_EVENT_CHANNEL = sql`control_event`

/**
 * Stores the events that are not stored yet. If they are announced, also queues their alert messages and the polls they
 * request, and notifies readers of the feed. Returns the number of events stored.
 *
 * `copyEvents` is faster for thousands of events in blocks without stored events.
 */
export async function insertEvents(
  client: Queryable,
  chainId: number,
  events: readonly EventRecord[],
  announce: boolean,
): Promise<number> {
  if (events.length === 0) return 0
  const alerted = await confirmEvents(client, chainId, events)
  const stored = await storeEvents(client, chainId, events, { announce, alerted })
  await insertQueuedCalls(client, chainId, events)
  if (announce && stored.length > 0) {
    await matchEvents(client, chainId, stored, events)
    await requestPolls(client, chainId, events)
    await notifyEvents(client, chainId)
  }
  return stored.length
}

/**
 * Inserts all events with one statement: one array for each column. An event that was alerted at head keeps its id, and is
 * announced.
 */
async function storeEvents(
  client: Queryable,
  chainId: number,
  events: readonly EventRecord[],
  { announce, alerted }: { readonly announce: boolean; readonly alerted: ReadonlyMap<EventRecord, number> },
): Promise<readonly NewEvent[]> {
  const kindOf = await getEventKinds(client, events)
  const kinds = events.map(kindOf)
  const { rows } = await client.query<NewEvent>({
    name: 'insert_events',
    text: sql`select id, block_time as "blockTime"
           from store_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    values: [
      chainId,
      announce,
      events.map((event) => event.blockNumber),
      events.map((event) => event.blockTime),
      events.map((event) => toDigits(event.txHash)),
      events.map((event) => event.logIndex),
      events.map((event) => toDigits(event.address)),
      events.map((event) => (event.subject === undefined ? null : toDigits(event.subject))),
      kinds.map(({ id }) => id),
      kinds.map(({ categoryId }) => categoryId),
      events.map((event) => severityRank(event.severity)),
      events.map((event) => event.isInit),
      events.map((event) => JSON.stringify(event.args)),
      events.map((event) => alerted.get(event) ?? null),
    ],
  })
  return rows
}

export async function notifyEvents(client: Queryable, chainId: number): Promise<void> {
  await client.query(sql`select pg_notify('${CONTROL_EVENT_CHANNEL}', $1)`, [String(chainId)])
}

/**
 * Stores the events of a backfill with COPY. Only for blocks without stored events (`hasEvents`): COPY has no
 * `on conflict`, so a duplicate fails the transaction, and the caller retries with `insertEvents`.
 */
export async function copyEvents(
  client: DatabaseClient,
  chainId: number,
  events: readonly EventRecord[],
): Promise<number> {
  await insertQueuedCalls(client, chainId, events)
  const kindOf = await getEventKinds(client, events)
  const { rows } = await client.query<{ id: number }>(sql`select nextval('publication_id') as id`)
  const publicationId = rows[0]?.id ?? 0
  const copied = await copyIn(
    client,
    sql`copy control_event (publication_id, chain_id, announced, block_number, block_time, tx_hash, log_index, address, subject, kind_id,
       category_id, severity, is_init, args) from stdin`,
    events.map((event) => copyRow(publicationId, chainId, event, kindOf(event))),
  )
  await client.query(sql`select record_copied_events($1, $2)`, [chainId, publicationId])
  return copied
}

/** COPY text format: tabs between fields, backslashes doubled, `\\N` for null. JSON text has no raw tab or newline. */
function copyRow(publicationId: number, chainId: number, event: EventRecord, kind: EventKind): string {
  const subject = event.subject === undefined ? '\\N' : `\\\\x${toDigits(event.subject)}`
  const args = JSON.stringify(event.args)
  return `${publicationId}\t${chainId}\tf\t${event.blockNumber}\t${instantOf(event.blockTime)}\t\\\\x${toDigits(event.txHash)}\t${event.logIndex}\t\\\\x${toDigits(event.address)}\t${subject}\t${kind.id}\t${kind.categoryId}\t${severityRank(event.severity)}\t${event.isInit ? 't' : 'f'}\t${args.includes('\\') ? args.replaceAll('\\', '\\\\') : args}\n`
}

let lastTime = Number.NaN
let lastInstant = ''

/** Formats a block time. Events of one block are adjacent, so the last result is reused. */
function instantOf(time: number): string {
  if (time !== lastTime) [lastTime, lastInstant] = [time, new Date(time).toISOString()]
  return lastInstant
}

export async function hasEvents(client: Queryable, chainId: number, from: number, to: number): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({
    name: 'has_events',
    text: sql`select exists (
             select from control_event where chain_id = $1 and block_number between $2 and $3 and not is_derived) as found`,
    values: [chainId, from, to],
  })
  return rows[0]?.found === true
}

/** Retracts every event above block `to`. The time of that block excludes the partitions before it. */
export async function deleteEventsAbove(
  client: Queryable,
  chainId: number,
  to: { readonly number: number; readonly time: number },
): Promise<void> {
  const { rows } = await client.query({
    name: 'delete_events_above',
    text: sql`select retract_events_above($1, $2, $3)`,
    values: [chainId, to.number, new Date(to.time)],
  })
  await retractEvents(client, chainId, to.number)
  if (rows.length > 0) await notifyEvents(client, chainId)
}

/** Retracts the events that polls of one contract derived above a block. */
export async function deleteDerivedAbove(
  client: Queryable,
  { chainId, address }: { readonly chainId: number; readonly address: Hex },
  number: number,
): Promise<void> {
  const { rows } = await client.query<{ id: number }>(sql`select id from retract_derived_events($1, $2, $3) as id`, [
    chainId,
    toBytes(address),
    number,
  ])
  if (rows.length === 0) return
  await retractEvents(
    client,
    chainId,
    number,
    rows.map(({ id }) => id),
  )
  await notifyEvents(client, chainId)
}

/** Returns `number:logIndex` of each event stored in these blocks. */
export async function getIdentities(
  database: Queryable,
  chainId: number,
  from: number,
  to: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ identity: string }>({
    name: 'get_identities',
    text: sql`select block_number || ':' || log_index as identity from control_event
           where chain_id = $1 and block_number between $2 and $3 and not is_derived`,
    values: [chainId, from, to],
  })
  return new Set(rows.map((row) => row.identity))
}

type NamedRow = NamedEvent & { readonly id: number; readonly blockTime: Date }

/**
 * Gives the stored events of a contract the names that its kind has. Each is retracted and published again with the same
 * id, because readers in publication order must learn the new name. Alerts that were sent stay.
 */
export async function renameEvents(
  client: Queryable,
  { chainId, address }: ContractRef,
  kind: string,
  names: EventNames,
): Promise<void> {
  const { rows } = await client.query<NamedRow>(
    sql`select e.id, e.block_time as "blockTime", k.key, e.args from control_event e join event_kind k on k.id = e.kind_id
     where e.chain_id = $1 and e.address = $2 and k.key = any($3) and not e.is_derived`,
    [chainId, toBytes(address), names.wrongKeysOf(kind)],
  )
  const renamed = rows.flatMap((row) => {
    const event = names.rename(row, kind)
    return event === undefined ? [] : { ...row, ...event }
  })
  if (renamed.length === 0) return
  const kindOf = await getEventKinds(client, renamed)
  const kinds = renamed.map(kindOf)
  await client.query(sql`select rename_events($1, $2, $3, $4, $5, $6, $7)`, [
    chainId,
    toBytes(address),
    renamed.map(({ id }) => id),
    renamed.map(({ blockTime }) => blockTime),
    kinds.map(({ id }) => id),
    kinds.map(({ categoryId }) => categoryId),
    renamed.map(({ args }) => JSON.stringify(args)),
  ])
  await notifyEvents(client, chainId)
}
