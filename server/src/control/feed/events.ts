/** SQL of control events and their outbox: the writing side. */

import type { PoolClient } from 'pg'
import { type Hex, toBytes, toDigits } from '../../lib/hex.ts'
import { copyIn } from '../../platform/copy.ts'
import type { Queryable } from '../../platform/database.ts'
import { insertQueuedCalls, matchEvents, type NewEvent, retractEvents } from '../alerts/alert-matches.ts'
import { severityRank } from '../catalog/event-row.ts'
import { insertDue } from '../registry/profile-due.ts'
import type { EventRecord } from '../watch/watch-store.ts'

/** Whoever delivers listens here; the payload is the chain's id. */
export const OUTBOX_CHANNEL = 'event_outbox'

/**
 * Inserts what is not there yet, in the order given, and tells the outbox if it is news. The number inserted.
 *
 * One array a column: a round trip and a plan for all rows. For thousands of rows of blocks that hold none yet there
 * is `copyEvents`.
 */
export async function insertEvents(
  client: Queryable,
  chainId: number,
  events: readonly EventRecord[],
  announce: boolean,
): Promise<number> {
  if (events.length === 0) return 0
  const { rowCount, rows } = await client.query<NewEvent>({
    name: announce ? 'insert_events_announced' : 'insert_events',
    text: announce ? ANNOUNCED : INSERT,
    values: [
      chainId,
      announce,
      events.map((event) => event.blockNumber),
      events.map((event) => event.blockTime),
      events.map((event) => toDigits(event.txHash)),
      events.map((event) => event.logIndex),
      events.map((event) => toDigits(event.address)),
      events.map((event) => (event.subject === undefined ? null : toDigits(event.subject))),
      events.map((event) => event.key),
      events.map((event) => event.category),
      events.map((event) => severityRank(event.severity)),
      events.map((event) => event.isInit),
      events.map((event) => JSON.stringify(event.args)),
    ],
  })
  await insertQueuedCalls(client, chainId, events)
  if (announce && (rowCount ?? 0) > 0) {
    await matchEvents(client, chainId, rows, events)
    await insertDue(client, chainId, events)
    await client.query(`select pg_notify('${OUTBOX_CHANNEL}', $1)`, [String(chainId)])
  }
  return rowCount ?? 0
}

const INSERT = `
  insert into control_event (chain_id, announced, block_number, block_time, tx_hash, log_index, address, subject,
    event_key, category, severity, is_init, args)
  select $1, $2, e.number, timestamptz 'epoch' + e.time * interval '1 millisecond', decode(e.tx, 'hex'), e.log_index,
    decode(e.address, 'hex'), decode(e.subject, 'hex'), e.key, e.category, e.severity, e.is_init, e.args::json
  from unnest($3::bigint[], $4::bigint[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[], $10::text[],
    $11::smallint[], $12::boolean[], $13::text[])
    as e (number, time, tx, log_index, address, subject, key, category, severity, is_init, args)
  on conflict do nothing`

/**
 * The fast way for history: straight into the table. Only for blocks of which nothing is stored (`hasEvents`), because
 * COPY knows no `on conflict`; a row that came in meanwhile fails the transaction, and it is tried again the slow way.
 */
export async function copyEvents(client: PoolClient, chainId: number, events: readonly EventRecord[]): Promise<number> {
  await insertQueuedCalls(client, chainId, events)
  return await copyIn(
    client,
    `copy control_event (chain_id, announced, block_number, block_time, tx_hash, log_index, address, subject, event_key,
       category, severity, is_init, args) from stdin`,
    events.map((event) => lineOf(chainId, event)),
  )
}

/** The text format: fields between tabs, backslashes doubled, `\\N` for null. JSON text holds no raw tab or line end. */
function lineOf(chainId: number, event: EventRecord): string {
  const subject = event.subject === undefined ? '\\N' : `\\\\x${toDigits(event.subject)}`
  const args = JSON.stringify(event.args)
  return `${chainId}\tf\t${event.blockNumber}\t${instantOf(event.blockTime)}\t\\\\x${toDigits(event.txHash)}\t${event.logIndex}\t\\\\x${toDigits(event.address)}\t${subject}\t${event.key}\t${event.category}\t${severityRank(event.severity)}\t${event.isInit ? 't' : 'f'}\t${args.includes('\\') ? args.replaceAll('\\', '\\\\') : args}\n`
}

let lastTime = Number.NaN
let lastInstant = ''

/** Events of one block follow each other. */
function instantOf(time: number): string {
  if (time !== lastTime) [lastTime, lastInstant] = [time, new Date(time).toISOString()]
  return lastInstant
}

export async function hasEvents(client: Queryable, chainId: number, from: number, to: number): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({
    name: 'has_events',
    text: `select exists (
             select from control_event where chain_id = $1 and block_number between $2 and $3 and not is_derived) as found`,
    values: [chainId, from, to],
  })
  return rows[0]?.found === true
}

const ANNOUNCED = `
  with inserted as (${INSERT} returning chain_id, id, block_time)
  insert into event_outbox (kind, chain_id, event_id, event_time)
  select 'published', chain_id, id, block_time from inserted order by id
  returning event_id as id, event_time as "blockTime"`

/** Events leave the table; those the outbox has told of are retracted there, as they were. */
const retracted = (where: string): string => `
  with gone as (delete from control_event where ${where} returning *)
  insert into event_outbox (kind, chain_id, event_id, event_time, event)
  select 'retracted', chain_id, id, block_time, jsonb_build_object(
    'id', id, 'chainId', chain_id, 'blockNumber', block_number, 'blockTime', block_time,
    'txHash', '0x' || encode(tx_hash, 'hex'), 'logIndex', log_index, 'address', '0x' || encode(address, 'hex'),
    'subject', '0x' || encode(subject, 'hex'), 'eventKey', event_key, 'category', category,
    'severity', severity, 'args', args, 'isInit', is_init)
  from gone where announced order by id`

/**
 * Takes back every event above block `to`, whose time is `toTime`.
 * Time never runs backwards on a chain, which spares the partitions before it.
 */
export async function deleteEventsAbove(
  client: Queryable,
  chainId: number,
  to: { readonly number: number; readonly time: number },
): Promise<void> {
  const { rowCount } = await client.query({
    name: 'delete_events_above',
    text: retracted(
      `chain_id = $1 and block_number > $2 and block_time >= timestamptz 'epoch' + $3 * interval '1 millisecond'`,
    ),
    values: [chainId, to.number, to.time],
  })
  await retractEvents(client, chainId, to.number)
  if ((rowCount ?? 0) > 0) await client.query(`select pg_notify('${OUTBOX_CHANNEL}', $1)`, [String(chainId)])
}

/** Takes back what looks at one contract found above a block. */
export async function deleteDerivedAbove(
  client: Queryable,
  { chainId, address }: { readonly chainId: number; readonly address: Hex },
  number: number,
): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `${retracted('chain_id = $1 and address = $2 and is_derived and block_number > $3')} returning event_id as id`,
    [chainId, toBytes(address), number],
  )
  if (rows.length === 0) return
  await retractEvents(
    client,
    chainId,
    number,
    rows.map(({ id }) => id),
  )
  await client.query(`select pg_notify('${OUTBOX_CHANNEL}', $1)`, [String(chainId)])
}

/** `number:logIndex` of what is stored in these blocks. */
export async function getIdentities(
  database: Queryable,
  chainId: number,
  from: number,
  to: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ identity: string }>({
    name: 'get_identities',
    text: `select block_number || ':' || log_index as identity from control_event
           where chain_id = $1 and block_number between $2 and $3 and not is_derived`,
    values: [chainId, from, to],
  })
  return new Set(rows.map((row) => row.identity))
}
