/** SQL of messages as work: who takes which, what became of it, what is to be said. Time is the caller's. */

import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { ALERTS_CHANNEL } from './alert-matches.ts'
import type { ChannelKind } from './subscriptions.ts'

/** A message that its taker alone may send, until its claim ends. */
export type ClaimedMessage = {
  readonly id: number
  readonly claim: number
  readonly accountId: string
  readonly channelId: number
  readonly channel: ChannelKind
  readonly target: string
  readonly token: string
  /** Where it lives, beside others perhaps; null where its kind knows no places. */
  readonly place: string | null
  /** The message it takes back. */
  readonly retracts: number | null
  readonly events: readonly number[]
  readonly attempts: number
  readonly createdAt: Date
  readonly giveUpAt: Date
}

export type Claiming = {
  readonly channel: ChannelKind
  readonly now: Date
  readonly until: Date
  readonly limit: number
  /** The receiver the last walk ended with; 0 begins with the first. */
  readonly after: number
  /** How many more a receiver takes at once: those named, and everyone else. */
  readonly rooms: ReadonlyMap<number, number>
  readonly usualRoom: number
  /** The same of places, where several receivers may live. */
  readonly placeRooms: ReadonlyMap<string, number>
  readonly usualPlaceRoom: number
}

export type Claimed = {
  readonly messages: readonly ClaimedMessage[]
  /** Where the walk ended because there was enough; undefined where it came past the last receiver. */
  readonly last: number | undefined
}

/**
 * Walks from receiver to receiver and takes of each the longest due, no more than it and its place have room for: one
 * that has none costs a step, whatever waits for it. A walk ends when there is enough, and the next goes on from there.
 *
 * Counts the try before it is made, so that one that ends its process is not tried for ever. A try whose end nobody
 * wrote down says so.
 */
export async function claimMessages(database: Queryable, claiming: Claiming): Promise<Claimed> {
  const { channel, now, until, limit, after, rooms, usualRoom, placeRooms, usualPlaceRoom } = claiming
  const { rows } = await database.query<ClaimedMessage & { found: number; last: number }>({
    name: 'claim_messages',
    text: CLAIM,
    values: [
      channel,
      now,
      until,
      limit,
      after,
      JSON.stringify(Object.fromEntries(rooms)),
      usualRoom,
      JSON.stringify(Object.fromEntries(placeRooms)),
      usualPlaceRoom,
    ],
  })
  const [first] = rows
  const hasEnough = first !== undefined && first.found >= limit
  return {
    // Where nothing was taken, one row tells of the walk alone.
    messages: rows.filter(({ id }) => id !== null),
    last: hasEnough ? first.last : undefined,
  }
}

/**
 * `offset 0` keeps the planner from turning the steps into a join: it would read every receiver and every message
 * before the first is taken.
 */
const CLAIM = sql`
  with recursive walk (channel_id) as (
    (select channel_id from alert_message
     where channel = $1 and channel_id > $5 and next_at is not null order by channel_id limit 1)
    union all
    select (select m.channel_id from alert_message m
      where m.channel = $1 and m.channel_id > walk.channel_id and m.next_at is not null order by m.channel_id limit 1)
    from walk where walk.channel_id is not null
  ), due as materialized (
    select m.id, m.next_at, c.id as channel_id, c.target, c.token, c.place, c.place_room
    from walk
    cross join lateral (
      select k.id, k.target, k.token, k.place, coalesce(($6::jsonb ->> k.id::text)::int, $7) as room,
        coalesce(($8::jsonb ->> k.place)::int, $9) as place_room
      from alert_channel k where k.id = walk.channel_id offset 0) as c
    cross join lateral (
      select w.id, w.next_at from alert_message w
      where w.channel = $1 and w.channel_id = c.id and w.next_at <= $2 order by w.next_at, w.id
      limit greatest(0, least(c.room, c.place_room))) as m
    limit $4
  ), fair as (
    select id from (select id, place, place_room, row_number() over (partition by place order by next_at, id) as nth
      from due) as ranked
    where place is null or nth <= place_room
  ), taken as (
    select id from alert_message where id = any(array(select id from fair)) and next_at <= $2 for update skip locked
  ), claimed as (
    update alert_message m set attempts = attempts + 1, claim = attempts + 1, next_at = $3,
      status = case when m.claim is null then status else 'retrying' end,
      may_have_arrived = may_have_arrived or m.claim is not null,
      last_error = case when m.claim is null then last_error
        else 'whoever was sending it ended before the answer was written down' end
    from taken where m.id = taken.id
    returning m.*
  )
  select m.id, m.claim, m.account_id as "accountId", m.channel_id as "channelId", m.channel, due.target, due.token,
    due.place, m.retracts, to_json(m.events) as events, m.attempts, m.created_at as "createdAt",
    m.give_up_at as "giveUpAt", walked.found, walked.last
  from (select count(*)::int as found, max(channel_id) as last from due) as walked
  left join (claimed m join due on due.id = m.id) on true order by due.next_at, m.id`

export type Settled = {
  readonly id: number
  readonly claim: number
  readonly status: 'sent' | 'retrying' | 'failed'
  readonly error: string | null
  /** Accepted, or nobody knows. */
  readonly mayHaveArrived: boolean
  readonly at: Date
  /** When it is tried again. */
  readonly nextAt: Date | null
  /** The deliveries that were in it. */
  readonly told: readonly number[]
}

/** What became of tries that are still ours; another's later try is not overwritten. */
export async function settleMessages(database: Database, outcomes: readonly Settled[]): Promise<void> {
  if (outcomes.length === 0) return
  await inTransaction(database, async (client) => {
    const { rows } = await client.query<{ id: number; status: string }>({
      name: 'settle_messages',
      text: sql`
        with outcome as (
          select * from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
            $7::boolean[]) as o (id, claim, status, error, at, next_at, may_have_arrived)
        ), mine as (
          select m.id from alert_message m join outcome o using (id) where m.claim = o.claim order by m.id for update of m
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
      ],
    })
    const sent = new Set(rows.filter(({ status }) => status === 'sent').map(({ id }) => id))
    await settleTold(
      client,
      outcomes.filter(({ id }) => sent.has(id)).flatMap(({ told }) => told),
    )
    await settleUntold(
      client,
      rows.map(({ id }) => id).filter((id) => !sent.has(id)),
    )
    await hastenRetractions(client, [...sent])
  })
}

/** What waited for them to be settled, not to be sent before what it takes back. */
async function hastenRetractions(client: Queryable, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) return
  const { rowCount } = await client.query({
    name: 'hasten_retractions',
    text: sql`update alert_message set next_at = now()
           where retracts = any($1) and status = 'pending' and attempts = 0 and claim is null and next_at > now()`,
    values: [messageIds],
  })
  if (rowCount !== 0) await client.query(sql`select pg_notify('${ALERTS_CHANNEL}', '')`)
}

/** What was taken back while it was being sent was told after all. */
async function settleTold(client: Queryable, deliveryIds: readonly number[]): Promise<void> {
  if (deliveryIds.length === 0) return
  await client.query({
    name: 'settle_told',
    text: sql`update delivery set cancelled_at = null, cancelled_because = null
           where id = any($1) and cancelled_at is not null`,
    values: [deliveryIds],
  })
}

/** What was taken back and could not be sent is not told any more; then there is nothing to retract, if that is certain. */
async function settleUntold(client: Queryable, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) return
  await client.query({
    name: 'settle_untold',
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
 * The message that told of a delivery goes out once more, to wherever the account is reached now. What left the chain is
 * no news again. The message is locked before the event is read: a rewind of this moment locks it too.
 */
export async function replayDelivery(
  database: Database,
  accountId: string,
  deliveryId: number,
): Promise<'queued' | 'not_found' | 'retracted' | 'no_channel' | 'under_way'> {
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
    if (message.status === 'pending' || message.status === 'retrying') return 'under_way'
    await client.query(
      sql`update alert_message set status = 'pending', channel_id = $2, next_at = now() - interval '5 seconds',
         give_up_at = now() + interval '24 hours' where id = $1`,
      [message.id, found.channel_id],
    )
    await client.query(sql`update delivery set cancelled_at = null, cancelled_because = null where id = $1`, [
      deliveryId,
    ])
    await client.query(sql`select pg_notify('${ALERTS_CHANNEL}', '')`)
    return 'queued'
  })
}

export type Backlog = {
  readonly channel: ChannelKind
  /** Messages that are due or wait for another try. */
  readonly waiting: number
  readonly oldestSeconds: number
  /** How long the longest due has waited for somebody to send it: what a dead receiver holds up is not in it. */
  readonly overdueSeconds: number
}

export async function getBacklog(database: Queryable): Promise<readonly Backlog[]> {
  const { rows } = await database.query<Backlog>(
    sql`select channel, count(*)::int as waiting, extract(epoch from now() - min(created_at))::float8 as "oldestSeconds",
       greatest(0, extract(epoch from now() - min(next_at)))::float8 as "overdueSeconds"
     from alert_message where next_at is not null group by channel`,
  )
  return rows
}

/** Ends the messages that wait for a channel which was removed or switched off. */
export async function sweepMessages(database: Queryable): Promise<void> {
  await database.query(
    sql`update alert_message m set next_at = null,
       status = case when c.id is null then 'cancelled' else 'failed' end,
       last_error = case when c.id is null then 'the channel was removed'
         else 'the channel is switched off: ' || c.disabled_reason end
     from alert_message w left join alert_channel c on c.id = w.channel_id
     where w.id = m.id and m.next_at is not null and m.claim is null and (c.id is null or c.disabled_at is not null)`,
  )
}
