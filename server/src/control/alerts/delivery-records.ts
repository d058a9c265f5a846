/** Delivery records: one for each subscription, event and channel. */

import type { CoinEventContent } from '../../../../vocabulary/coin-events.ts'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import type { ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { literal, sql } from '../../platform/sql.ts'
import { joinContractName } from '../registry/contracts.ts'
import { type ControlEvent, type ControlEventRow, controlEventOf } from '../registry/control-event.ts'

export type DeliveryStatus = 'pending' | 'retrying' | 'sent' | 'failed' | 'canceled'

export type DeliveryRecord = {
  readonly id: number
  readonly subscriptionId: number
  readonly channel: ChannelKind
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly lastError: string | null
  readonly createdAt: Date
  readonly sentAt: Date | null
  /** When the block of the event was confirmed. */
  readonly confirmedAt: Date | null
  /** When the event was retracted. */
  readonly retractedAt: Date | null
  readonly acknowledgedAt: Date | null
  /** The name of the person in the chat, or the e-mail address of the account. */
  readonly acknowledgedBy: string | null
  readonly event: ControlEvent
}

/** An event of an alert. It stays after its block was rolled back. */
export type AlertEvent = ControlEvent & {
  readonly isDerived: boolean
  readonly operation: string | null
  /** Null while its block has fewer confirmations than its chain requires. */
  readonly confirmedAt: Date | null
  readonly retractedAt: Date | null
}

export type AlertEventRow = Omit<ControlEventRow, 'id'> & {
  event_id: number
  is_derived: boolean
  operation: string | null
  confirmed_at: Date | null
  retracted_at: Date | null
}

export const ALERT_EVENT_COLUMNS = sql`e.id as event_id, e.chain_id, e.block_number, e.block_time, e.tx_hash, e.log_index,
  e.address, e.event_key, e.category, e.severity, e.args, e.is_init, e.is_derived, e.operation, e.confirmed_at,
  e.retracted_at,
  c.name, c.kind, c.protocol`

export const ALERT_EVENT_JOINS = joinContractName(sql`e`)

export const alertEventOf = (row: AlertEventRow): AlertEvent => ({
  ...controlEventOf({ ...row, id: row.event_id }),
  isDerived: row.is_derived,
  operation: row.operation,
  confirmedAt: row.confirmed_at,
  retractedAt: row.retracted_at,
})

type Row = AlertEventRow & {
  id: number
  subscription_id: number
  channel: ChannelKind
  status: DeliveryStatus
  attempts: number
  last_error: string | null
  created_at: Date
  sent_at: Date | null
  acknowledged_at: Date | null
  acknowledged_by: string | null
}

const SELECT = sql`
  select d.id, coalesce(s.parent_id, d.subscription_id) as subscription_id, d.channel, d.created_at, m.attempts,
    m.acknowledged_at, m.acknowledged_by,
    case when d.cancelled_at is null then m.sent_at end as sent_at,
    case when d.cancelled_at is not null or m.status = 'cancelled' then 'canceled' else m.status end as status,
    coalesce(d.cancelled_because, m.last_error) as last_error, ${ALERT_EVENT_COLUMNS}
  from delivery d join alert_message m on m.id = d.message_id join alert_event e on e.id = d.event_id
  left join subscription s on s.id = d.subscription_id ${ALERT_EVENT_JOINS}`

/** Stands for the chain of coin events in tables of control events. No EVM chain has it. */
export const COIN_CHAIN_ID = 0

/** Responses about contracts leave out the deliveries of coin events. */
const IS_CONTROL = sql`e.chain_id <> ${literal(COIN_CHAIN_ID)}`

function deliveryOf(row: Row): DeliveryRecord {
  const { isDerived: _, operation: __, confirmedAt, retractedAt, ...event } = alertEventOf(row)
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    channel: row.channel,
    status: row.status,
    attempts: row.attempts,
    lastError: row.last_error,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    confirmedAt,
    retractedAt,
    acknowledgedAt: row.acknowledged_at,
    acknowledgedBy: row.acknowledged_by,
    event,
  }
}

export async function getDeliveries(
  database: Queryable,
  accountId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly DeliveryRecord[]> {
  const { rows } = await database.query<Row>(
    sql`${SELECT} where d.account_id = $1 and ${IS_CONTROL} and d.id < coalesce($2, 9223372036854775807) order by d.id desc limit $3`,
    [accountId, before ?? null, limit],
  )
  return rows.map(deliveryOf)
}

export async function findDelivery(
  database: Queryable,
  accountId: string,
  id: number,
): Promise<DeliveryRecord | undefined> {
  const { rows } = await database.query<Row>(sql`${SELECT} where d.account_id = $1 and ${IS_CONTROL} and d.id = $2`, [
    accountId,
    id,
  ])
  return rows[0] === undefined ? undefined : deliveryOf(rows[0])
}

/** The delivery of an event of a coin subscription. */
export type CoinDeliveryRecord = Omit<DeliveryRecord, 'event' | 'confirmedAt'> & {
  readonly event: CoinEventContent & { readonly id: number }
}

export async function getCoinDeliveries(
  database: Queryable,
  accountId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly CoinDeliveryRecord[]> {
  const { rows } = await database.query<Row>(
    sql`${SELECT} where d.account_id = $1 and not (${IS_CONTROL}) and d.id < coalesce($2, 9223372036854775807)
     order by d.id desc limit $3`,
    [accountId, before ?? null, limit],
  )
  return rows.map(coinDeliveryOf)
}

export async function findCoinDelivery(
  database: Queryable,
  accountId: string,
  id: number,
): Promise<CoinDeliveryRecord | undefined> {
  const { rows } = await database.query<Row>(
    sql`${SELECT} where d.account_id = $1 and not (${IS_CONTROL}) and d.id = $2`,
    [accountId, id],
  )
  return rows[0] === undefined ? undefined : coinDeliveryOf(rows[0])
}

function coinDeliveryOf(row: Row): CoinDeliveryRecord {
  const { confirmedAt: _, event, ...record } = deliveryOf(row)
  const { retractedBecause: __, ...coin } = event.args as CoinEventContent
  return { ...record, event: { id: event.id, ...coin } }
}

/** An attempt to send the message of a delivery. */
export type DeliveryAttempt = {
  readonly number: number
  readonly startedAt: Date
  /** `unknown`: the recipient may have received the message, but no response is known. */
  readonly status: 'sent' | 'failed' | 'unknown'
  /** Null if the sending process stopped before it recorded a response. */
  readonly durationMs: number | null
  /** The HTTP status of the response; null if there was none, or the channel does not use HTTP. */
  readonly responseStatus: number | null
  readonly error: string | null
}

const MAX_ATTEMPTS = 500

/** Returns the last attempts of a delivery, newest first; undefined if the account has no delivery with this id. */
export async function getAttempts(
  database: Queryable,
  accountId: string,
  id: number,
): Promise<readonly DeliveryAttempt[] | undefined> {
  const { rows } = await database.query<DeliveryAttempt | { readonly number: null }>(
    sql`select a.number, a.started_at as "startedAt", a.status, a.duration_ms as "durationMs", a.response_status as "responseStatus", a.error
     from delivery d left join alert_attempt a on a.message_id = d.message_id
     where d.account_id = $1 and d.id = $2 order by a.number desc limit $3`,
    [accountId, id, MAX_ATTEMPTS],
  )
  return rows.length === 0 ? undefined : rows.filter((row) => row.number !== null)
}

const PRUNE_BATCH = 1_000

/**
 * Deletes settled messages older than `days` with their records, then events without records. Open messages stay, and so
 * do messages that an open one retracts. Ids grow with time, so only the oldest rows are read.
 */
export async function pruneDeliveries(database: Database, days: number): Promise<void> {
  let pruned = PRUNE_BATCH
  while (pruned === PRUNE_BATCH) pruned = await inTransaction(database, (client) => pruneBatch(client, days))
}

async function pruneBatch(client: Queryable, days: number): Promise<number> {
  const { rows } = await client.query<{ events: number[] }>(
    sql`with oldest as (select * from alert_message order by id limit $2)
     delete from alert_message m using oldest o
     where m.id = o.id and o.created_at < now() - $1 * interval '1 day' and m.next_at is null and m.claim is null
       and not exists (select from alert_message r where r.retracts = m.id and r.next_at is not null)
     returning to_json(m.events) as events`,
    [days, PRUNE_BATCH],
  )
  await client.query(
    sql`delete from alert_event e where id = any($1) and not exists (select from delivery d where d.event_id = e.id)`,
    [rows.flatMap(({ events }) => events)],
  )
  return rows.length
}
