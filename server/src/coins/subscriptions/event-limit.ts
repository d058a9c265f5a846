/**
 * Limits the events of one subscription in an hour: an exchange's address must fill neither the table nor an inbox.
 *
 * Events beyond the limit are counted. When the hour is over, one event has their number.
 */
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { ChainId } from '../networks/network.ts'
import { type ActivityChange, lockPositions, notify } from './event-store.ts'
import { mute } from './transitions.ts'

/** Events of a subscription that are reported in one hour (UTC). Retractions are not counted. */
export const MAX_EVENTS_PER_HOUR = 200

/** What a subscription reported in the current hour, and how many events it did not report. */
export type HourCount = { readonly reported: number; readonly more: number }

export type LimitedChanges = {
  readonly changes: readonly ActivityChange[]
  /** The new counts of the subscriptions with new events. */
  readonly counts: ReadonlyMap<number, HourCount>
}

/** Leaves out new events beyond the limit, in order. */
export function limitEvents(
  changes: readonly ActivityChange[],
  before: ReadonlyMap<number, HourCount>,
  limit = MAX_EVENTS_PER_HOUR,
): LimitedChanges {
  const counts = new Map<number, HourCount>()
  const limited = changes.map((change) => {
    const { subscription, added, next } = change
    if (added.length === 0) return change
    const { reported, more } = counts.get(subscription.id) ?? before.get(subscription.id) ?? { reported: 0, more: 0 }
    const kept = added.slice(0, Math.max(0, limit - reported))
    const muted = added.slice(kept.length)
    counts.set(subscription.id, { reported: reported + kept.length, more: more + muted.length })
    if (muted.length === 0) return change
    return { ...change, added: kept, next: next === undefined ? undefined : mute(subscription, next, muted) }
  })
  return { changes: limited, counts }
}

/** Reads the counts of the current hour. Earlier hours are over: `reportEndedHours` comes first. */
export async function getHourCounts(client: Queryable, ids: readonly number[]): Promise<Map<number, HourCount>> {
  const { rows } = await client.query<HourCount & { id: number }>(
    sql`select subscription_id as id, reported, more from coin_event_hour where subscription_id = any($1)`,
    [ids],
  )
  return new Map(rows.map(({ id, reported, more }) => [id, { reported, more }]))
}

const THIS_HOUR = sql`date_trunc('hour', now(), 'UTC')`

export async function saveHourCounts(client: Queryable, counts: ReadonlyMap<number, HourCount>): Promise<void> {
  if (counts.size === 0) return
  const values = [...counts.values()]
  await client.query(
    sql`insert into coin_event_hour (subscription_id, hour, reported, more)
     select n.id, ${THIS_HOUR}, n.reported, n.more from unnest($1::bigint[], $2::int[], $3::int[]) as n (id, reported, more)
     on conflict (subscription_id) do update set reported = excluded.reported, more = excluded.more`,
    [[...counts.keys()], values.map(({ reported }) => reported), values.map(({ more }) => more)],
  )
}

/** Stores an event `more` for each subscription that had too many events in an hour that is over. Returns their ids. */
export async function reportEndedHours(client: Queryable, chain: ChainId): Promise<number[]> {
  const { rows: ended } = await client.query<{ id: number; hour: Date; more: number }>(
    sql`delete from coin_event_hour h using coin_subscription s
     where h.hour < ${THIS_HOUR} and s.id = h.subscription_id and s.chain = $1
     returning h.subscription_id as id, h.hour, h.more`,
    [chain],
  )
  const busy = ended.filter(({ more }) => more > 0)
  if (busy.length === 0) return []
  await lockPositions(client)
  const { rows } = await client.query<{ id: number; accountId: string }>(
    sql`insert into coin_event (account_id, subscription_id, chain, kind, target_kind, target, received, sent, count, hour)
     select s.account_id, s.id, s.chain, 'more', s.kind, s.target, 0, 0, n.more, n.hour
     from unnest($1::bigint[], $2::int[], $3::timestamptz[]) as n (id, more, hour)
     join coin_subscription s on s.id = n.id order by s.id
     returning id, account_id as "accountId"`,
    [busy.map(({ id }) => id), busy.map(({ more }) => more), busy.map(({ hour }) => hour)],
  )
  await notify(client, new Set(rows.map(({ accountId }) => accountId)))
  return rows.map(({ id }) => id)
}

/** Whether an hour is over in which a subscription had events. */
export async function hasEndedHours(database: Queryable, chain: ChainId): Promise<boolean> {
  const { rows } = await database.query<{ has: boolean }>(
    sql`select exists (select from coin_event_hour h join coin_subscription s on s.id = h.subscription_id
       where h.hour < ${THIS_HOUR} and s.chain = $1) as has`,
    [chain],
  )
  return rows[0]?.has ?? false
}
