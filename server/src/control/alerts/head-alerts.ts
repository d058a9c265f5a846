/**
 * Alerts at head: events of blocks that do not have the required confirmations yet.
 *
 * Such an event is stored only as an alert event, with the id that it gets in the feed once its block is confirmed. If its
 * block leaves the chain and the blocks that replaced it contain the same event, the alert moves there and no message is
 * sent. Otherwise the alert is retracted.
 *
 * An alert is open while it is neither confirmed nor retracted. The event of a confirmed alert is in the feed. Every
 * transaction that moves the cursor, ends a gap or verifies blocks also retracts the alerts that cannot be confirmed any
 * more (`retractOverdue`), so that an open alert is above the cursor, or a job or the second pass still reads its block.
 */

import { severityRank } from '../../../../vocabulary/severities.ts'
import { type Hex, toBytes, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { ALERTS_CHANNEL, MATCH_AT_HEAD, operationEvents, retractEvents } from './alert-matches.ts'

/** An event whose alert was sent, or queued, before its block was confirmed. */
export type UnconfirmedEvent = {
  readonly id: number
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly txHash: Hex
  readonly logIndex: number
  readonly address: Hex
  readonly key: string
  /** The arguments as JSON text. */
  readonly args: string
}

type Row = {
  id: number
  block_number: number
  block_hash: Buffer
  tx_hash: Buffer
  log_index: number
  address: Buffer
  event_key: string
  args: string
}

const unconfirmedOf = (row: Row): UnconfirmedEvent => ({
  id: row.id,
  blockNumber: row.block_number,
  blockHash: toHex(row.block_hash),
  txHash: toHex(row.tx_hash),
  logIndex: row.log_index,
  address: toHex(row.address),
  key: row.event_key,
  args: row.args,
})

const COLUMNS = sql`id, block_number, block_hash, tx_hash, log_index, address, event_key, args::text as args`
const IS_UNCONFIRMED = sql`chain_id = $1 and confirmed_at is null and retracted_at is null`

/**
 * Returns the unconfirmed event that each event is, if any. An event is the same if it has the same position and
 * transaction, or if its transaction is now in another block and emits the same content: equal events of one transaction
 * are paired in order.
 */
export function pairWithUnconfirmed(
  events: readonly EventRecord[],
  unconfirmed: readonly UnconfirmedEvent[],
): ReadonlyMap<EventRecord, UnconfirmedEvent> {
  if (unconfirmed.length === 0) return new Map()
  const pairs = new Map<EventRecord, UnconfirmedEvent>()
  const positionOf = (event: EventRecord | UnconfirmedEvent): string =>
    [event.blockNumber, event.logIndex, event.txHash, event.address].join(' ')
  const atPosition = new Map(unconfirmed.map((event) => [positionOf(event), event]))
  for (const event of events) {
    const known = atPosition.get(positionOf(event))
    if (known !== undefined) pairs.set(event, known)
  }
  const paired = new Set(pairs.values())
  const byLogIndex = (a: { logIndex: number }, b: { logIndex: number }): number => a.logIndex - b.logIndex
  const moved = Map.groupBy(
    unconfirmed.filter((event) => !paired.has(event)).toSorted(byLogIndex),
    ({ txHash, address, key, args }) => [txHash, address, key, args].join(' '),
  )
  if (moved.size === 0) return pairs
  for (const event of events.toSorted(byLogIndex)) {
    if (pairs.has(event)) continue
    const known = moved.get([event.txHash, event.address, event.key, JSON.stringify(event.args)].join(' '))?.shift()
    if (known !== undefined) pairs.set(event, known)
  }
  return pairs
}

/** The blocks above the cursor up to the head, and all their events. */
export type HeadStep = {
  readonly cursor: number
  readonly blocks: readonly { readonly number: number; readonly hash: Hex }[]
  readonly events: readonly EventRecord[]
}

/**
 * Queues the messages of new events, moves those that are in another block now, and retracts those whose block left the
 * chain. Returns how many alerts are open afterwards.
 *
 * A block left the chain if another one has its number and a child: a transaction that lost its block is often in the next.
 */
export async function alertAtHead(
  client: Queryable,
  chainId: number,
  { cursor, blocks, events }: HeadStep,
): Promise<number> {
  // A locked row is being confirmed by a backfill. Waiting for it could deadlock, because the backfill locks the cursor last.
  const { rows } = await client.query<Row>({
    name: 'get_unconfirmed_events',
    text: sql`select ${COLUMNS} from alert_event where ${IS_UNCONFIRMED} for update skip locked`,
    values: [chainId],
  })
  const open = rows.map(unconfirmedOf)
  const pairs = pairWithUnconfirmed(events, open)
  await moveEvents(client, pairs)
  const added = await matchAtHead(
    client,
    chainId,
    events.filter((event) => !pairs.has(event)),
  )
  const kept = new Set([...pairs.values()].map(({ id }) => id))
  const hashes = new Set(blocks.map(({ hash }) => hash))
  const head = Math.max(...blocks.map(({ number }) => number))
  const gone = open.filter(
    ({ id, blockHash, blockNumber }) =>
      !kept.has(id) && blockNumber > cursor && blockNumber < head && !hashes.has(blockHash),
  )
  await retract(client, chainId, gone)
  const overdue = await retractOverdue(client, chainId)
  return open.length - gone.length - overdue + added
}

/**
 * Retracts the open alerts that cannot be confirmed any more, and returns how many. Their number is at or below the cursor,
 * no job has to read their block, and either another block has their number, or the second pass has verified their block
 * without finding the event.
 */
export async function retractOverdue(client: Queryable, chainId: number): Promise<number> {
  // A locked row is being confirmed. If it is not, the next call retracts it.
  const { rows } = await client.query<{ id: number }>({
    name: 'get_overdue_events',
    text: sql`select e.id from alert_event e join chain_cursor c on c.chain_id = e.chain_id
           where e.chain_id = $1 and e.confirmed_at is null and e.retracted_at is null and e.block_number <= c.number
             and not exists (select from backfill_job j where j.chain_id = $1 and j.scope = 'gap'
               and j.phase <> 'done' and e.block_number between j.from_block and j.to_block)
             and (e.block_number <= c.verified_to or not exists (select from chain_block b
               where b.chain_id = $1 and b.number = e.block_number and b.hash = e.block_hash))
           order by e.id for update of e skip locked`,
    values: [chainId],
  })
  await retract(client, chainId, rows)
  return rows.length
}

async function retract(client: Queryable, chainId: number, gone: readonly { readonly id: number }[]): Promise<void> {
  if (gone.length === 0) return
  await retractEvents(
    client,
    chainId,
    -1,
    gone.map(({ id }) => id),
  )
}

/** Whether an alert of one of these blocks is open. */
export async function hasUnconfirmed(client: Queryable, chainId: number, from: number, to: number): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({
    name: 'has_unconfirmed_events',
    text: sql`select exists (select from alert_event where ${IS_UNCONFIRMED} and block_number between $2 and $3) as found`,
    values: [chainId, from, to],
  })
  return rows[0]?.found === true
}

/** Returns the unconfirmed events among events of confirmed blocks, locked, and gives their alerts the confirmed position. */
export async function confirmEvents(
  client: Queryable,
  chainId: number,
  events: readonly EventRecord[],
): Promise<ReadonlyMap<EventRecord, number>> {
  const { rows } = await client.query<Row>({
    name: 'lock_unconfirmed_events',
    text: sql`select ${COLUMNS} from alert_event where ${IS_UNCONFIRMED} and tx_hash = any($2) order by id for update`,
    values: [chainId, [...new Set(events.map(({ txHash }) => txHash))].map(toBytes)],
  })
  const pairs = pairWithUnconfirmed(events, rows.map(unconfirmedOf))
  await moveEvents(client, pairs)
  if (pairs.size > 0)
    await client.query(sql`update alert_event set confirmed_at = now() where id = any($1)`, [
      [...pairs.values()].map(({ id }) => id),
    ])
  return new Map([...pairs].map(([event, { id }]) => [event, id]))
}

async function moveEvents(client: Queryable, pairs: ReadonlyMap<EventRecord, UnconfirmedEvent>): Promise<void> {
  const moved = [...pairs].filter(([event, { blockHash }]) => event.blockHash !== blockHash)
  if (moved.length === 0) return
  await client.query(
    sql`update alert_event e set block_number = m.number, block_hash = decode(m.hash, 'hex'), log_index = m.log_index,
       block_time = timestamptz 'epoch' + m.time * interval '1 millisecond'
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::int[], $5::bigint[]) as m (id, number, hash, log_index, time)
     where e.id = m.id`,
    [
      moved.map(([, { id }]) => id),
      moved.map(([event]) => event.blockNumber),
      moved.map(([event]) => toDigits(event.blockHash)),
      moved.map(([event]) => event.logIndex),
      moved.map(([event]) => event.blockTime),
    ],
  )
}

/** Queues messages for the subscriptions that want these events at head. Returns how many events have one. */
async function matchAtHead(client: Queryable, chainId: number, events: readonly EventRecord[]): Promise<number> {
  if (events.length === 0) return 0
  const operations = new Map(operationEvents(events).map(({ event, queued }) => [event, queued.operation]))
  const { rows } = await client.query<{ messages: number; events: number }>({
    name: 'match_at_head',
    text: MATCH_AT_HEAD,
    values: [
      chainId,
      events.map((event) => event.blockNumber),
      events.map((event) => toDigits(event.blockHash)),
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
      events.map((event) => operations.get(event) ?? null),
    ],
  })
  const { messages = 0, events: stored = 0 } = rows[0] ?? {}
  if (messages > 0) await client.query(sql`select pg_notify('${ALERTS_CHANNEL}', '')`)
  return stored
}
