/** SQL of alert messages as a delivery queue: claim, settle, replay, clean up. The caller passes the time. */
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import type { ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { DELIVERIES_NOT_HELD } from '../../platform/deliveries/delivery-hold.ts'
import type { ClaimRequest, Delivery } from '../../platform/deliveries/delivery-queue.ts'
import { sql } from '../../platform/sql.ts'
import { ALERTS_CHANNEL, DUE_NOW, GIVE_UP_AFTER } from './alert-matches.ts'
import { openTarget } from './channels.ts'

/** A message that only the claiming process may send until the claim expires. */
export type ClaimedMessage = Delivery & {
  readonly id: number
  /** The id that recipients see. */
  readonly uid: string
  readonly claim: number
  readonly accountId: string
  /** The channel's id. */
  readonly recipient: number
  readonly channel: ChannelKind
  readonly target: string
  readonly token: string
  /** The message that this one retracts. */
  readonly retracts: number | null
  readonly retractsUid: string | null
  /** Whether it retracts every event of that message. */
  readonly retractsWhole: boolean
  readonly events: readonly number[]
  /** When it stopped to collect transactions; null for a message about one. */
  readonly collectsUntil: Date | null
  readonly attempts: number
  readonly createdAt: Date
  readonly giveUpAt: Date
}

export type MessageClaim = ClaimRequest & {
  readonly channel: ChannelKind
  /** The recipient at which the last scan ended; 0 starts with the first. */
  readonly after: number
}

export type Claimed = {
  readonly messages: readonly ClaimedMessage[]
  /** The recipient at which the scan reached the limit; undefined if it passed the last recipient. */
  readonly last: number | undefined
}

/**
 * Scans recipients in order and claims the messages of each that are due longest, as many as its limit and the limit of
 * its host allow. A recipient at its limit costs one step, however many messages wait for it.
 *
 * Counts the attempt before it is made: one that kills its process must not repeat forever. A claim that expired is
 * recorded as an attempt without a known outcome; it began when the claim was made.
 */
export async function claimMessages(
  database: Queryable,
  { channel, now, until, limit, after, recipients, hosts }: MessageClaim,
): Promise<Claimed> {
  const { rows } = await database.query<ClaimedMessage & { found: number; last: number }>({
    name: 'claim_messages',
    text: CLAIM,
    values: [
      channel,
      new Date(now),
      new Date(until),
      limit,
      after,
      JSON.stringify(Object.fromEntries(recipients.listed)),
      recipients.others,
      JSON.stringify(Object.fromEntries(hosts.listed)),
      hosts.others,
    ],
  })
  const [first] = rows
  const isFull = first !== undefined && first.found >= limit
  return {
    // If nothing was claimed, one row still reports how far the scan came.
    messages: rows
      .filter(({ id }) => id !== null)
      .map((row) => ({
        ...row,
        target: openTarget(database, { accountId: row.accountId, kind: row.channel }, row.target),
      })),
    last: isFull ? first.last : undefined,
  }
}

const STOPPED = sql`'The sending process stopped before it recorded a response.'`

/**
 * `offset 0` keeps the planner from turning the steps into a join, which would read every recipient and every message
 * before it claims the first.
 */
const CLAIM = sql`
  with recursive recipient (channel_id) as (
    (select channel_id from alert_message
     where channel = $1 and channel_id > $5 and next_at is not null and ${DELIVERIES_NOT_HELD}
     order by channel_id limit 1)
    union all
    select (select m.channel_id from alert_message m
      where m.channel = $1 and m.channel_id > recipient.channel_id and m.next_at is not null order by m.channel_id limit 1)
    from recipient where recipient.channel_id is not null
  ), due as materialized (
    select m.id, m.next_at, c.id as channel_id, c.target, c.token, c.host, c.host_allowance
    from recipient
    cross join lateral (
      select k.id, k.target, k.token, k.webhook_host as host, coalesce(($6::jsonb ->> k.id::text)::int, $7) as allowance,
        coalesce(($8::jsonb ->> k.webhook_host)::int, $9) as host_allowance
      from alert_channel k where k.id = recipient.channel_id offset 0) as c
    cross join lateral (
      select w.id, w.next_at from alert_message w
      where w.channel = $1 and w.channel_id = c.id and w.next_at <= $2 order by w.next_at, w.id
      limit greatest(0, least(c.allowance, c.host_allowance))) as m
    limit $4
  ), allowed as (
    select id from (select id, host, host_allowance, row_number() over (partition by host order by next_at, id) as nth
      from due) as ranked
    where host is null or nth <= host_allowance
  ), locked as (
    select id, claim, next_at from alert_message
    where id = any(array(select id from allowed)) and next_at <= $2 for update skip locked
  ), stopped as (
    insert into alert_attempt (message_id, number, started_at, status, error)
    select id, claim, next_at - ($3::timestamptz - $2::timestamptz), 'unknown', ${STOPPED} from locked
    where claim is not null on conflict do nothing
  ), claimed as (
    update alert_message m set attempts = attempts + 1, claim = attempts + 1, next_at = $3,
      status = case when m.claim is null then status else 'retrying' end,
      may_have_arrived = may_have_arrived or m.claim is not null,
      last_error = case when m.claim is null then last_error
        else ${STOPPED} end
    from locked where m.id = locked.id
    returning m.*
  )
  select m.id, m.uid, m.claim, m.account_id as "accountId", m.channel_id as recipient, m.channel, due.target, due.token,
    due.host, m.retracts, (select r.uid from alert_message r where r.id = m.retracts) as "retractsUid",
    coalesce((select r.events <@ m.events from alert_message r where r.id = m.retracts), false) as "retractsWhole",
    to_json(m.events) as events, m.attempts, m.created_at as "createdAt",
    m.give_up_at as "giveUpAt", m.collects_until as "collectsUntil", scanned.found, scanned.last
  from (select count(*)::int as found, max(channel_id) as last from due) as scanned
  left join (claimed m join due on due.id = m.id) on true order by due.next_at, m.id`

type FoundMessage = Pick<ClaimedMessage, 'id' | 'uid' | 'createdAt' | 'collectsUntil' | 'events'>

/** Returns the message of a delivery of this account. */
export async function findMessageOf(
  database: Queryable,
  accountId: string,
  deliveryId: number,
): Promise<FoundMessage | undefined> {
  const { rows } = await database.query<FoundMessage>(
    sql`select m.id, m.uid, m.created_at as "createdAt", m.collects_until as "collectsUntil", to_json(m.events) as events
     from delivery d join alert_message m on m.id = d.message_id where d.account_id = $1 and d.id = $2`,
    [accountId, deliveryId],
  )
  return rows[0]
}

export type SettledMessage = {
  readonly id: number
  readonly claim: number
  readonly status: 'sent' | 'retrying' | 'failed'
  readonly error: string | null
  /** The HTTP status of the response. */
  readonly responseStatus?: number | null
  /** The recipient accepted the message, or its response is not known. */
  readonly mayHaveArrived: boolean
  readonly at: Date
  /** When the attempt began; null if there was nothing to send. */
  readonly startedAt: Date | null
  readonly nextAt: Date | null
  /** The delivery records of the events in the message. */
  readonly deliveryIds: readonly number[]
}

/** Records outcomes whose claims are still held. The later attempt of another process is not overwritten. */
export async function settleMessages(database: Database, outcomes: readonly SettledMessage[]): Promise<void> {
  if (outcomes.length === 0) return
  await inTransaction(database, async (client) => {
    const { rows } = await client.query<{ id: number; status: string }>({
      name: 'settle_messages',
      text: sql`
        with outcome as (
          select * from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
            $7::boolean[], $8::timestamptz[], $9::smallint[])
            as o (id, claim, status, error, at, next_at, may_have_arrived, started_at, response_status)
        ), mine as (
          select m.id from alert_message m join outcome o using (id) where m.claim = o.claim order by m.id for update of m
        ), attempt as (
          insert into alert_attempt (message_id, number, started_at, status, duration_ms, error, response_status)
          select o.id, o.claim, o.started_at,
            case when o.error is null then 'sent' when o.may_have_arrived then 'unknown' else 'failed' end,
            round(extract(epoch from o.at - o.started_at) * 1000), o.error, o.response_status
          from outcome o join mine using (id) where o.started_at is not null
        )
        update alert_message m set claim = null, status = o.status, next_at = o.next_at,
          last_error = coalesce(o.error, m.last_error), may_have_arrived = m.may_have_arrived or o.may_have_arrived,
          sent_at = case when o.status = 'sent' then o.at else m.sent_at end
        from outcome o where m.id = o.id and m.claim = o.claim and m.id in (select id from mine)
        returning m.id, m.status`,
      values: [
        outcomes.map(({ id }) => id),
        outcomes.map(({ claim }) => claim),
        outcomes.map(({ status }) => status),
        outcomes.map(({ error }) => error),
        outcomes.map(({ at }) => at),
        outcomes.map(({ nextAt }) => nextAt),
        outcomes.map(({ mayHaveArrived }) => mayHaveArrived),
        outcomes.map(({ startedAt }) => startedAt),
        outcomes.map(({ responseStatus }) => responseStatus ?? null),
      ],
    })
    const sent = new Set(rows.filter(({ status }) => status === 'sent').map(({ id }) => id))
    await restoreSent(
      client,
      outcomes.filter(({ id }) => sent.has(id)).flatMap(({ deliveryIds }) => deliveryIds),
    )
    await cancelRetracted(
      client,
      rows.map(({ id }) => id).filter((id) => !sent.has(id)),
    )
    await releaseRetractions(client, [...sent])
  })
}

/** Makes retractions due that waited for the message they retract. */
async function releaseRetractions(client: Queryable, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) return
  const { rowCount } = await client.query({
    name: 'release_retractions',
    text: sql`update alert_message set next_at = ${DUE_NOW}
           where retracts = any($1) and status = 'pending' and attempts = 0 and claim is null and next_at > now()`,
    values: [messageIds],
  })
  if (rowCount !== 0) await client.query(sql`select pg_notify('${ALERTS_CHANNEL}', '')`)
}

/** An event that was retracted while its message was being sent was delivered after all. */
async function restoreSent(client: Queryable, deliveryIds: readonly number[]): Promise<void> {
  if (deliveryIds.length === 0) return
  await client.query({
    name: 'restore_sent',
    text: sql`update delivery set cancelled_at = null, cancelled_because = null
           where id = any($1) and cancelled_at is not null`,
    values: [deliveryIds],
  })
}

/** Cancels messages that were not sent and whose events are all retracted, and their retractions if none arrived. */
async function cancelRetracted(client: Queryable, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) return
  await client.query({
    name: 'cancel_retracted',
    text: sql`
      with empty as (
        update alert_message m set status = 'cancelled', next_at = null
        where m.id = any($1) and m.retracts is null
          and not exists (select from delivery d join alert_event e on e.id = d.event_id
            where d.message_id = m.id and d.cancelled_at is null and e.retracted_at is null)
        returning id, may_have_arrived)
      delete from alert_message r using empty
      where r.retracts = empty.id and r.attempts = 0 and not empty.may_have_arrived`,
    values: [messageIds],
  })
}

/**
 * Sends the message of a delivery again, to the current channel of the account. Refused if its event was retracted. The
 * message is locked before the event is read, because a concurrent retraction locks it too.
 */
export async function replayDelivery(
  database: Database,
  accountId: string,
  deliveryId: number,
): Promise<'queued' | 'not_found' | 'retracted' | 'no_channel' | 'in_progress'> {
  return await inTransaction(database, async (client) => {
    const messages = await client.query<{ id: number; status: string }>(
      sql`select id, status from alert_message
       where id = (select message_id from delivery where account_id = $1 and id = $2) for update`,
      [accountId, deliveryId],
    )
    const { rows } = await client.query<{ is_retracted: boolean; channel_id: number | null }>(
      sql`select e.retracted_at is not null as is_retracted, c.id as channel_id
       from delivery d join alert_event e on e.id = d.event_id
       left join alert_channel c on c.account_id = d.account_id and c.kind = d.channel and c.disabled_at is null
       where d.id = $1`,
      [deliveryId],
    )
    const [message] = messages.rows
    const [found] = rows
    if (message === undefined || found === undefined) return 'not_found'
    if (found.is_retracted) return 'retracted'
    if (found.channel_id === null) return 'no_channel'
    if (message.status === 'pending' || message.status === 'retrying') return 'in_progress'
    await client.query(
      sql`update alert_message set status = 'pending', channel_id = $2, next_at = ${DUE_NOW},
         give_up_at = now() + ${GIVE_UP_AFTER} where id = $1`,
      [message.id, found.channel_id],
    )
    await client.query(sql`update delivery set cancelled_at = null, cancelled_because = null where id = $1`, [
      deliveryId,
    ])
    await client.query(sql`select pg_notify('${ALERTS_CHANNEL}', '')`)
    return 'queued'
  })
}

export type ReplayRange = {
  readonly from: Date
  readonly to: Date
  readonly channels: readonly ChannelKind[]
  readonly statuses: readonly ('sent' | 'failed')[]
}

/** The messages that one request replays. */
export const MAX_REPLAYED = 1_000

/**
 * Sends the settled messages of a time range again, oldest first, to the current channels of the account. Returns how
 * many. Messages without an event that still holds are left out, and so are those of channels that are gone.
 */
export async function replayRange(
  database: Database,
  accountId: string,
  { from, to, channels, statuses }: ReplayRange,
): Promise<number> {
  return await inTransaction(database, async (client) => {
    const { rowCount } = await client.query(
      sql`with wanted as (
         select m.id, c.id as channel_id from alert_message m
         join alert_channel c on c.account_id = m.account_id and c.kind = m.channel and c.disabled_at is null
         where m.id in (select d.message_id from delivery d join alert_event e on e.id = d.event_id
             where d.account_id = $1 and d.created_at >= $2 and d.created_at < $3 and d.channel = any($4)
               and d.cancelled_at is null and e.retracted_at is null)
           and m.retracts is null and m.status = any($5) and m.claim is null
         order by m.id limit $6 for update of m)
       update alert_message m set status = 'pending', channel_id = wanted.channel_id, next_at = ${DUE_NOW},
         collects_until = null, give_up_at = now() + ${GIVE_UP_AFTER}
       from wanted where m.id = wanted.id`,
      [accountId, from, to, channels, statuses, MAX_REPLAYED],
    )
    if ((rowCount ?? 0) > 0) await client.query(sql`select pg_notify('${ALERTS_CHANNEL}', '')`)
    return rowCount ?? 0
  })
}

export type Backlog = {
  readonly channel: ChannelKind
  /** Messages that are due or wait for another attempt. */
  readonly waiting: number
  readonly oldestSeconds: number
  /** How long the oldest due message has waited. Messages that wait for a retry or are held do not count. */
  readonly overdueSeconds: number
}

export async function getBacklog(database: Queryable): Promise<readonly Backlog[]> {
  const { rows } = await database.query<Backlog>(
    sql`select channel, count(*)::int as waiting, extract(epoch from now() - min(created_at))::float8 as "oldestSeconds",
       case when ${DELIVERIES_NOT_HELD} then greatest(0, extract(epoch from now() - min(next_at))) else 0 end::float8
         as "overdueSeconds"
     from alert_message where next_at is not null group by channel`,
  )
  return rows
}

/** Ends the messages that wait for a channel which was removed or switched off. */
export async function endOrphanedMessages(database: Queryable): Promise<void> {
  await database.query(
    sql`update alert_message m set next_at = null,
       status = case when c.id is null then 'cancelled' else 'failed' end,
       last_error = case when c.id is null then 'The channel was removed.'
         else 'The channel is switched off. ' || c.disabled_reason end
     from alert_message w left join alert_channel c on c.id = w.channel_id
     where w.id = m.id and m.next_at is not null and m.claim is null and (c.id is null or c.disabled_at is not null)`,
  )
}

/** Cancels every message that waits, for an operator who resumes deliveries of a restored copy. Returns how many. */
export async function discardMessages(database: Database): Promise<number> {
  return await inTransaction(database, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      sql`update alert_message set status = 'cancelled', next_at = null, last_error = 'discarded by the operator'
       where next_at is not null and claim is null returning id`,
    )
    await client.query(
      sql`update delivery set cancelled_at = now(), cancelled_because = 'discarded by the operator'
       where message_id = any($1) and cancelled_at is null`,
      [rows.map(({ id }) => id)],
    )
    return rows.length
  })
}
