/** SQL of deliveries as people read them: one record for each subscription, event and channel. */

import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import { toHex } from '../../lib/hex.ts'
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { findChain } from '../chains/chains.ts'
import type { FeedEvent } from '../feed/feed.ts'
import { joinContractName } from '../registry/contract-name.ts'
import type { ChannelKind } from './subscriptions.ts'

export type DeliveryStatus = 'pending' | 'retrying' | 'sent' | 'failed' | 'cancelled'

export type Delivery = {
  readonly id: number
  readonly subscriptionId: number
  readonly channel: ChannelKind
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly lastError: string | null
  readonly createdAt: Date
  readonly sentAt: Date | null
  /** The block left the chain after this was made. */
  readonly retractedAt: Date | null
  readonly event: FeedEvent
}

/** An event that somebody is told of: also one whose block is gone. */
export type AlertedEvent = FeedEvent & {
  readonly isDerived: boolean
  readonly operation: string | null
  readonly retractedAt: Date | null
}

export type AlertEventRow = {
  event_id: number
  chain_id: number
  block_number: number
  block_time: Date
  tx_hash: Buffer
  log_index: number
  address: Buffer
  event_key: string
  category: FeedEvent['category']
  severity: number
  args: Record<string, unknown>
  is_init: boolean
  is_derived: boolean
  operation: string | null
  retracted_at: Date | null
  name: string | null
  kind: string | null
  protocol: string | null
}

export const ALERT_EVENT_COLUMNS = sql`e.id as event_id, e.chain_id, e.block_number, e.block_time, e.tx_hash, e.log_index,
  e.address, e.event_key, e.category, e.severity, e.args, e.is_init, e.is_derived, e.operation, e.retracted_at,
  c.name, c.kind, c.protocol`

export const ALERT_EVENT_JOINS = joinContractName(sql`e`)

export function alertedEventOf(row: AlertEventRow): AlertedEvent {
  return {
    id: row.event_id,
    chainId: row.chain_id,
    chainSlug: findChain(row.chain_id)?.slug ?? String(row.chain_id),
    blockNumber: row.block_number,
    blockTime: row.block_time,
    txHash: toHex(row.tx_hash),
    logIndex: row.log_index,
    address: toHex(row.address),
    eventKey: row.event_key,
    category: row.category,
    severity: SEVERITIES[row.severity] ?? 'info',
    args: row.args,
    isInit: row.is_init,
    contract: { name: row.name, protocol: row.protocol, kind: row.kind },
    isDerived: row.is_derived,
    operation: row.operation,
    retractedAt: row.retracted_at,
  }
}

type Row = AlertEventRow & {
  id: number
  subscription_id: number
  channel: ChannelKind
  status: DeliveryStatus
  attempts: number
  last_error: string | null
  created_at: Date
  sent_at: Date | null
}

const SELECT = sql`
  select d.id, d.subscription_id, d.channel, d.created_at, m.attempts,
    case when d.cancelled_at is null then m.sent_at end as sent_at, -- what was taken back was not in it
    case when d.cancelled_at is not null then 'cancelled' else m.status end as status,
    coalesce(d.cancelled_because, m.last_error) as last_error, ${ALERT_EVENT_COLUMNS}
  from delivery d join alert_message m on m.id = d.message_id join alert_event e on e.id = d.event_id
  ${ALERT_EVENT_JOINS}`

function deliveryOf(row: Row): Delivery {
  const { isDerived: _, operation: __, retractedAt, ...event } = alertedEventOf(row)
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    channel: row.channel,
    status: row.status,
    attempts: row.attempts,
    lastError: row.last_error,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    retractedAt,
    event,
  }
}

export async function getDeliveries(
  database: Queryable,
  accountId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly Delivery[]> {
  const { rows } = await database.query<Row>(
    sql`${SELECT} where d.account_id = $1 and d.id < coalesce($2, 9223372036854775807) order by d.id desc limit $3`,
    [accountId, before ?? null, limit],
  )
  return rows.map(deliveryOf)
}

export async function findDelivery(database: Queryable, accountId: string, id: number): Promise<Delivery | undefined> {
  const { rows } = await database.query<Row>(sql`${SELECT} where d.account_id = $1 and d.id = $2`, [accountId, id])
  return rows[0] === undefined ? undefined : deliveryOf(rows[0])
}

const PRUNED_AT_ONCE = 1_000

/**
 * What was settled long ago goes: messages, with the records of them, and then the events nobody was told of any more.
 * What is open stays, whatever its age, and so does what an open message takes back. Ids grow with time, so the oldest
 * are looked at and no others.
 */
export async function pruneDeliveries(database: Database, days: number): Promise<void> {
  let pruned = PRUNED_AT_ONCE
  while (pruned === PRUNED_AT_ONCE) pruned = await inTransaction(database, (client) => pruneSome(client, days))
}

async function pruneSome(client: Queryable, days: number): Promise<number> {
  const { rows } = await client.query<{ events: number[] }>(
    sql`with oldest as (select * from alert_message order by id limit $2)
     delete from alert_message m using oldest o
     where m.id = o.id and o.created_at < now() - $1 * interval '1 day' and m.next_at is null and m.claim is null
       and not exists (select from alert_message r where r.retracts = m.id and r.next_at is not null)
     returning to_json(m.events) as events`,
    [days, PRUNED_AT_ONCE],
  )
  await client.query(
    sql`delete from alert_event e where id = any($1) and not exists (select from delivery d where d.event_id = e.id)`,
    [rows.flatMap(({ events }) => events)],
  )
  return rows.length
}
