/**
 * Matches events with subscriptions and queues their messages, in the transaction that stores the events.
 *
 * An event matches a subscription if the contract emitted it, if it is about the contract, if a controller of the
 * contract emitted it, or if it belongs to an operation that will call the contract. Any contract can log anything, so
 * an event about another contract counts only if its emitter is registered or controls that contract.
 */

import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import { toBytes, toDigits } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { literal, type Sql, sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { type QueuedOperation, queuedOperation } from '../catalog/queued-operations.ts'
import type { ContractRef } from '../registry/contracts.ts'

/** The PostgreSQL notification sent when messages are due. */
export const ALERTS_CHANNEL = sql`alert_due`

/**
 * The time of a message that is due at once. The process that sends it compares it with its own clock, which may be a few
 * seconds behind that of the database.
 */
export const DUE_NOW = sql`now() - interval '5 seconds'`

/** How long a message is retried. */
export const GIVE_UP_AFTER = sql`interval '72 hours'`

/** A message that collects more events than this is full. Further transactions are sent at once. */
const MAX_COLLECTED = sql`500`

export type NewEvent = { readonly id: number; readonly blockTime: Date }

type OperationEvent = { readonly event: EventRecord; readonly queued: QueuedOperation }

export const operationEvents = (events: readonly EventRecord[]): readonly OperationEvent[] =>
  events.flatMap((event) => {
    const queued = queuedOperation(event)
    return queued === undefined ? [] : [{ event, queued }]
  })

/** Stores queued calls, also those of a backfill: the watcher may see their execution later. */
export async function insertQueuedCalls(
  client: Queryable,
  chainId: number,
  events: readonly EventRecord[],
): Promise<void> {
  const rows = operationEvents(events).flatMap(({ event, queued: { operation, phase, calls } }) =>
    phase === 'executed' || phase === 'canceled'
      ? []
      : [...new Set(calls.flatMap(({ affects }) => affects))].map((about) => ({ event, operation, about })),
  )
  if (rows.length === 0) return
  await client.query(
    sql`insert into queued_call (chain_id, address, operation, about, severity, block_number, log_index)
     select $1, decode(q.address, 'hex'), q.operation, decode(q.about, 'hex'), q.severity, q.block_number, q.log_index
     from unnest($2::text[], $3::text[], $4::text[], $5::smallint[], $6::bigint[], $7::int[])
       as q (address, operation, about, severity, block_number, log_index)
     on conflict do nothing`,
    [
      chainId,
      rows.map(({ event }) => toDigits(event.address)),
      rows.map(({ operation }) => operation),
      rows.map(({ about }) => toDigits(about)),
      rows.map(({ event }) => SEVERITIES.indexOf(event.severity)),
      rows.map(({ event }) => event.blockNumber),
      rows.map(({ event }) => event.logIndex),
    ],
  )
}

/** Queues a message for each subscription and channel that the stored events match. */
export async function matchEvents(
  client: Queryable,
  chainId: number,
  inserted: readonly NewEvent[],
  records: readonly EventRecord[] = [],
): Promise<void> {
  if (inserted.length === 0) return
  const operations = operationEvents(records)
  const times = inserted.map(({ blockTime }) => blockTime.getTime())
  const { rows } = await client.query<{ messages: number }>({
    name: 'match_events',
    text: MATCH,
    values: [
      chainId,
      inserted.map(({ id }) => id),
      new Date(times.reduce((first, time) => Math.min(first, time))),
      new Date(times.reduce((last, time) => Math.max(last, time))),
      operations.map(({ event }) => event.blockNumber),
      operations.map(({ event }) => event.logIndex),
      operations.map(({ queued }) => queued.operation),
    ],
  })
  if ((rows[0]?.messages ?? 0) > 0) await client.query(sql`select pg_notify('${ALERTS_CHANNEL}', '')`)
}

/** A weaker label or tone is sent to every subscription of the contract. */
const WEAKENED_KEY = sql`slot.control_weakened`
const CRITICAL = literal(SEVERITIES.indexOf('critical'))

/** Matches events of contracts with subscriptions. */
const matchSql = ({ events, wanted, confirmedAt }: Record<'events' | 'wanted' | 'confirmedAt', Sql>): Sql =>
  queueSql({ matching: matchingSql(events, wanted), confirmedAt, digestDelay: sql`interval '0'` })

const matchingSql = (events: Sql, wanted: Sql): Sql => sql`
  event as materialized (
    ${events}
  ), reached as (
    select id, 'itself' as path, chain_id, address, severity from event
    union all select id, 'about', chain_id, subject, severity from event where subject is not null
    union all select e.id, 'about', q.chain_id, q.about, greatest(e.severity, q.severity)
      from event e join queued_call q
        on q.chain_id = e.chain_id and q.address = e.address and q.operation = e.operation
    union all select e.id, case when k.is_logic then 'itself' else 'controls' end, k.chain_id, k.address, e.severity
      from event e join contract_controller k on k.controller_chain_id = e.chain_id and k.controller = e.address
  ), candidate as (
    select s.id as subscription_id, s.account_id, e.id as event_id, e.tx_hash, c.id as channel_id, c.kind,
      max(r.severity) as severity, coalesce(s.alert_at = 'head', max(r.severity) = ${CRITICAL}) as at_head
    from reached r
    join event e on e.id = r.id
    join subscription s on s.chain_id = r.chain_id and s.address = r.address
    join alert_channel c on c.account_id = s.account_id and c.disabled_at is null
      and c.kind = any(s.channels)
    where s.paused_at is null
      and (r.severity >= s.min_severity and (cardinality(s.categories) + cardinality(s.event_keys) = 0
          or e.category = any(s.categories) or e.event_key = any(s.event_keys))
        or e.event_key = '${WEAKENED_KEY}' or (s.queued_changes and e.operation is not null)
        or (e.is_derived and e.args -> 'effects' is not null
          and s.power_effects && array(select json_array_elements_text(e.args -> 'effects'))))
      and case r.path when 'itself' then true when 'controls' then s.include_controllers
        else exists (select from contract named where named.chain_id = e.chain_id and named.address = e.address
            and named.source in ('seed', 'manual'))
          or exists (select from contract_controller k where k.chain_id = r.chain_id and k.address = r.address
            and k.controller_chain_id = e.chain_id and k.controller = e.address) end
    group by s.id, e.id, e.tx_hash, c.id
  ), matched as (
    select * from candidate x where ${wanted}
  )`

/**
 * Queues the messages of matched events. A subscription gets one message for a transaction, by however many paths the
 * event reaches its contract. Messages are in chain order. They are due five seconds in the past, because the clock of
 * the delivering machine may be behind.
 *
 * A channel with a digest or quiet hours collects the transactions in one message. If that message was sent or canceled
 * early, it is sent again with the new events.
 *
 * `matching` defines the tables `event` and `matched`. Digests with another delay are other messages.
 */
export const queueSql = ({
  matching,
  confirmedAt,
  digestDelay,
}: Record<'matching' | 'confirmedAt' | 'digestDelay', Sql>): Sql => sql`
  with ${matching}, stored_event as (
    insert into alert_event (id, chain_id, block_number, block_time, tx_hash, log_index, address, event_key, category,
      severity, is_init, is_derived, args, operation, block_hash, confirmed_at)
    select id, chain_id, block_number, block_time, tx_hash, log_index, address, event_key, category, severity, is_init,
      is_derived, args, operation, block_hash, ${confirmedAt}
    from event where id in (select event_id from matched)
    on conflict (id) do update set confirmed_at = excluded.confirmed_at
    returning id
  ), transaction as (
    select account_id, channel_id, kind, array_agg(distinct event_id order by event_id) as events,
      max(severity) as severity
    from matched group by account_id, channel_id, kind, tx_hash
  ), timed as (
    select t.*, case when num_nulls(c.digest_minutes, c.quiet_from) = 2 then null
      else collects_until(c, t.severity, clock_timestamp()) + ${digestDelay} end as collects_until
    from transaction t join alert_channel c on c.id = t.channel_id
  ), collecting as (
    select t.account_id, t.channel_id, t.kind, t.collects_until, t.events
    from timed t where t.collects_until is not null
      and not exists (select from alert_message m where m.channel_id = t.channel_id
        and m.collects_until = t.collects_until and cardinality(m.events) >= ${MAX_COLLECTED})
  ), immediate as (
    insert into alert_message (account_id, channel_id, channel, events, next_at, give_up_at)
    select account_id, channel_id, kind, events, ${DUE_NOW}, now() + ${GIVE_UP_AFTER}
    from timed t where not exists (select from collecting c
      where c.channel_id = t.channel_id and c.events = t.events)
    order by events[1], channel_id
    returning id, channel_id, events
  ), collected as (
    insert into alert_message as m (account_id, channel_id, channel, events, next_at, give_up_at, collects_until)
    select account_id, channel_id, kind, array_agg(event order by event), collects_until,
      collects_until + ${GIVE_UP_AFTER}, collects_until
    from collecting, unnest(events) as event group by account_id, channel_id, kind, collects_until order by channel_id
    on conflict (channel_id, collects_until) where collects_until is not null do update
      set events = m.events || excluded.events, status = 'pending', claim = null,
        next_at = case when m.claim is null then coalesce(m.next_at, excluded.next_at) else excluded.next_at end
    returning id, channel_id, events
  ), message as (
    select * from immediate union all select * from collected
  ), record as (
    insert into delivery (account_id, subscription_id, event_id, channel, message_id)
    select x.account_id, x.subscription_id, x.event_id, x.kind, m.id
    from matched x
    join stored_event on stored_event.id = x.event_id
    join message m on m.channel_id = x.channel_id and x.event_id = any(m.events)
    order by x.event_id, x.subscription_id
  )
  select count(*)::int as messages, (select count(*)::int from stored_event) as events from message`

/** Stored events. A channel that got an event at head does not get it again. */
const MATCH = matchSql({
  events: sql`select e.*, k.key as event_key, k.category, null::bytea as block_hash,
      coalesce(o.operation, case when e.is_derived and k.key like 'pending.%' then e.args ->> 'operation' end) as operation
    from events_by_id($1, $2, $3, $4) as e join event_kind k on k.id = e.kind_id
    left join unnest($5::bigint[], $6::int[], $7::text[]) as o (block_number, log_index, operation)
      on o.block_number = e.block_number and o.log_index = e.log_index and not e.is_derived
    where not e.is_init`,
  wanted: sql`not exists (select from delivery d
      where d.event_id = x.event_id and d.account_id = x.account_id and d.channel = x.kind)`,
  confirmedAt: sql`now()`,
})

/**
 * Events of blocks that are not confirmed. A transaction goes whole to a channel if one subscription wants one of its
 * events at head, so that the channel gets one message for it.
 */
export const MATCH_AT_HEAD = matchSql({
  events: sql`select nextval('control_event_id') as id, $1::int as chain_id, e.number as block_number,
      decode(e.hash, 'hex') as block_hash, timestamptz 'epoch' + e.time * interval '1 millisecond' as block_time,
      decode(e.tx, 'hex') as tx_hash, e.log_index, decode(e.address, 'hex') as address,
      decode(e.subject, 'hex') as subject, e.key as event_key, e.category, e.severity, e.is_init, false as is_derived,
      e.args::json as args, e.operation
    from unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[],
      $10::text[], $11::smallint[], $12::boolean[], $13::text[], $14::text[])
      as e (number, hash, time, tx, log_index, address, subject, key, category, severity, is_init, args, operation)
    where not e.is_init`,
  wanted: sql`(x.channel_id, x.tx_hash) in (select channel_id, tx_hash from candidate where at_head)`,
  confirmedAt: sql`null`,
})

/**
 * Retracts the alerts of events above a block. A message that was sent, or may have arrived, gets a retraction; others
 * are canceled. The retraction of a message in flight waits until that message is settled.
 */
export async function retractEvents(
  client: Queryable,
  chainId: number,
  above: number,
  only?: readonly number[],
  because = 'The event was retracted: a reorg removed its block.',
): Promise<void> {
  if (only === undefined)
    await client.query(sql`delete from queued_call where chain_id = $1 and block_number > $2`, [chainId, above])
  // Claims skip locked rows, so the statements below see every claim made before this lock.
  await client.query({
    name: 'lock_messages_of_events',
    text: sql`
      select m.id from alert_message m
      where m.id in (
        select d.message_id from delivery d join alert_event e on e.id = d.event_id
        where e.chain_id = $1 and e.block_number > $2 and e.retracted_at is null
          and ($3::bigint[] is null or e.id = any($3)))
      order by m.id for update`,
    values: [chainId, above, only ?? null],
  })
  const { rows } = await client.query<{ gone: number[]; retractions: number }>({
    name: 'retract_events',
    text: sql`
      with gone as (
        update alert_event set retracted_at = now()
        where chain_id = $1 and block_number > $2 and retracted_at is null
          and ($3::bigint[] is null or id = any($3)) returning id
      ), delivered as (
        select distinct m.id from delivery d join gone on gone.id = d.event_id join alert_message m on m.id = d.message_id
        where m.status = 'sent' or m.may_have_arrived or m.claim is not null
      ), retraction as (
        insert into alert_message (account_id, channel_id, channel, retracts, events, next_at, give_up_at)
        select m.account_id, m.channel_id, m.channel, m.id,
          array(select e from unnest(m.events) as e where e in (select id from gone)),
          coalesce(m.next_at, ${DUE_NOW}), now() + ${GIVE_UP_AFTER}
        from delivered join alert_message m using (id)
        where exists (select from alert_channel c where c.id = m.channel_id and c.disabled_at is null)
        order by m.id returning id
      )
      select to_json(array(select id from gone)) as gone, (select count(*)::int from retraction) as retractions`,
    values: [chainId, above, only ?? null],
  })
  const { gone = [], retractions = 0 } = rows[0] ?? {}
  if (gone.length === 0) return
  await client.query(sql`select cancel_deliveries(array(select id from delivery where event_id = any($1)), $2)`, [
    gone,
    because,
  ])
  if (retractions > 0) await client.query(sql`select pg_notify('${ALERTS_CHANNEL}', '')`)
}

/**
 * Stores the controllers of a contract. A poll that could not read everything only adds: a controller it did not see may
 * still be there.
 */
export async function saveControllers(
  client: Queryable,
  { chainId, address }: ContractRef,
  found: {
    readonly controllers: readonly ContractRef[]
    readonly beacon: Hex | undefined
    readonly isComplete: boolean
  },
): Promise<void> {
  const beacon = found.beacon === undefined ? [] : [{ chainId, address: found.beacon, isLogic: true }]
  const all = [...beacon, ...found.controllers.map((controller) => ({ ...controller, isLogic: false }))]
  // What stays is not written: each written row makes readers read the contract again.
  await client.query(
    sql`with found as materialized (
       select distinct on (k.chain_id, k.controller) k.chain_id, decode(k.controller, 'hex') as controller, k.is_logic
       from unnest($3::int[], $4::text[], $5::boolean[]) as k (chain_id, controller, is_logic)
       order by k.chain_id, k.controller, k.is_logic desc
     ), gone as (
       delete from contract_controller known where known.chain_id = $1 and known.address = $2 and $6::boolean
         and not exists (select from found
           where found.chain_id = known.controller_chain_id and found.controller = known.controller)
     )
     insert into contract_controller as known (chain_id, address, controller_chain_id, controller, is_logic)
     select $1::int, $2::bytea, found.chain_id, found.controller, found.is_logic from found
     order by found.chain_id, found.controller
     on conflict (chain_id, address, controller_chain_id, controller) do update set is_logic = excluded.is_logic
       where $6 and known.is_logic <> excluded.is_logic`,
    [
      chainId,
      toBytes(address),
      all.map((controller) => controller.chainId),
      all.map((controller) => toDigits(controller.address)),
      all.map(({ isLogic }) => isLogic),
      found.isComplete,
    ],
  )
}
