/** Reads the content of alert messages: events, concerned contracts, previous values, queued operations. */

import { LABEL_TONES, type Label, type Leader, type Tone } from '../../../../vocabulary/labels.ts'
import { type Reason, reasonTexts } from '../../../../vocabulary/reasons.ts'
import { SEVERITIES, type Severity } from '../../../../vocabulary/severities.ts'
import { type Hex, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { EventArgs } from '../catalog/layout.ts'
import type { ContractRef } from '../registry/contracts.ts'
import {
  ALERT_EVENT_COLUMNS,
  ALERT_EVENT_JOINS,
  type AlertEvent,
  type AlertEventRow,
  alertEventOf,
} from './delivery-records.ts'

/** A subscribed contract that an event concerns. */
export type ConcernedContract = {
  readonly deliveryId: number
  readonly messageId: number
  readonly eventId: number
  readonly subscriptionId: number
  readonly chainId: number
  readonly address: Hex
}

type ConcernedRow = {
  deliveryId: number
  messageId: number
  eventId: number
  subscriptionId: number
  chainId: number | null
  address: Buffer | null
}

/** Leaves out canceled deliveries. If the subscription was deleted, the emitter stands in for its contract. */
export async function getConcernedContracts(
  database: Queryable,
  messageIds: readonly number[],
): Promise<readonly ConcernedContract[]> {
  const { rows } = await database.query<ConcernedRow>({
    name: 'get_concerned_contracts',
    text: sql`select d.id as "deliveryId", d.message_id as "messageId", d.event_id as "eventId",
             coalesce(s.parent_id, d.subscription_id) as "subscriptionId",
             coalesce(s.chain_id, e.chain_id) as "chainId", coalesce(s.address, e.address) as address
           from delivery d join alert_event e on e.id = d.event_id left join subscription s on s.id = d.subscription_id
           where d.message_id = any($1) and d.cancelled_at is null order by d.event_id, d.subscription_id`,
    values: [messageIds],
  })
  return rows.flatMap(({ chainId, address, ...row }) =>
    chainId === null || address === null ? [] : [{ ...row, chainId, address: toHex(address) }],
  )
}

export async function getAlertEvents(
  database: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AlertEvent>> {
  const { rows } = await database.query<AlertEventRow>({
    name: 'get_alert_events',
    text: sql`select ${ALERT_EVENT_COLUMNS} from alert_event e ${ALERT_EVENT_JOINS} where e.id = any($1)`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.event_id, alertEventOf(row)]))
}

export type KnownContract = {
  readonly chainId: number
  readonly address: Hex
  readonly name: string | null
  readonly protocol: string | null
  readonly control: {
    readonly label: Label
    readonly tone: Tone
    readonly leader: Leader | null
    readonly reasons: readonly string[]
    readonly blockNumber: number
    /** The last poll could not read everything. */
    readonly stale: boolean
  } | null
}

/** Returns names and profiles by `chain:address`. */
export async function getKnownContracts(
  database: Queryable,
  contracts: readonly ContractRef[],
): Promise<ReadonlyMap<string, KnownContract>> {
  const { rows } = await database.query<{
    chain_id: number
    address: Buffer
    name: string | null
    protocol: string | null
    label: Label | null
    tone: Tone | null
    leader: Leader | null
    reasons: readonly Reason[] | null
    block_number: number | null
    stale: boolean | null
  }>({
    name: 'get_known_contracts',
    text: sql`select k.chain_id, k.address, c.name, p.label as protocol, f.label, f.tone, f.led_by as leader, f.reasons, f.block_number, f.stale
           from (select distinct u.chain_id, decode(u.digits, 'hex') as address
                 from unnest($1::int[], $2::text[]) as u (chain_id, digits)) as k
           left join contract c using (chain_id, address) left join protocol p on p.id = c.protocol_id
           left join control_profile f using (chain_id, address)`,
    values: [contracts.map(({ chainId }) => chainId), contracts.map(({ address }) => toDigits(address))],
  })
  return new Map(
    rows.map(
      ({
        chain_id: chainId,
        address,
        name,
        protocol,
        label,
        tone,
        leader,
        reasons,
        block_number: blockNumber,
        stale,
      }) => {
        const control =
          label === null
            ? null
            : {
                label,
                tone: tone ?? LABEL_TONES[label],
                leader,
                reasons: reasonTexts(reasons ?? []),
                blockNumber: blockNumber ?? 0,
                stale: stale ?? true,
              }
        const contract = { chainId, address: toHex(address), name, protocol, control }
        return [`${chainId}:${contract.address}`, contract]
      },
    ),
  )
}

/** Returns the arguments of the previous event with the same key of the same contract, by event id. */
export async function getArgsBefore(
  database: Queryable,
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, EventArgs>> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await database.query<{ id: number; args: EventArgs }>({
    name: 'get_args_before',
    text: sql`select e.id, b.args from alert_event e
           cross join lateral args_before(e.chain_id, e.address,
             array(select id from event_kind k where k.key = e.event_key), e.block_time, e.block_number, e.log_index) as b (args)
           where e.id = any($1) and b.args is not null`,
    values: [eventIds],
  })
  return new Map(rows.map(({ id, args }) => [id, args]))
}

/** Returns the last snapshot before each event, by event id. */
export async function getFieldsBefore(
  database: Queryable,
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, Readonly<Record<string, string | null>>>> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await database.query<{ id: number; fields: Record<string, string | null> }>({
    name: 'get_fields_before',
    text: sql`select e.id, s.fields from alert_event e
           cross join lateral (
             select fields from control_snapshot s
             where s.chain_id = e.chain_id and s.address = e.address and s.block_number < e.block_number
             order by s.block_number desc, s.id desc limit 1) as s
           where e.id = any($1)`,
    values: [eventIds],
  })
  return new Map(rows.map(({ id, fields }) => [id, fields]))
}

/** The event that queued or proposed the operation of another event. */
export type QueueingEvent = {
  readonly eventId: number
  readonly key: string
  readonly args: EventArgs
  readonly address: Hex
  readonly severity: Severity
  readonly blockTime: number
}

/** Returns the events that queued or proposed the operations of these events, in chain order. */
export async function getQueueingEvents(
  database: Queryable,
  eventIds: readonly number[],
): Promise<readonly QueueingEvent[]> {
  if (eventIds.length === 0) return []
  const { rows } = await database.query<{
    id: number
    event_key: string
    args: EventArgs
    address: Buffer
    severity: number
    block_time: Date
  }>({
    name: 'get_queueing_events',
    text: sql`select e.id, k.key as event_key, b.args, b.address, b.severity, b.block_time
           from alert_event e
           join (select distinct chain_id, address, operation, block_number, log_index from queued_call) as q
             on q.chain_id = e.chain_id and q.address = e.address and q.operation = e.operation
           join control_event b on b.chain_id = q.chain_id and b.block_number = q.block_number
             and b.log_index = q.log_index and not b.is_derived
           join event_kind k on k.id = b.kind_id
           where e.id = any($1) order by e.id, b.block_number, b.log_index`,
    values: [eventIds],
  })
  return rows.map(({ id, event_key: key, args, address, severity, block_time: time }) => ({
    eventId: id,
    key,
    args,
    address: toHex(address),
    severity: SEVERITIES[severity] ?? 'info',
    blockTime: time.getTime(),
  }))
}
