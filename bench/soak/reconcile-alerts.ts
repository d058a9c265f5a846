/** Checks that every event of a subscribed contract was delivered, no retracted one stands, and every message arrived. */
import { type Sql, sql } from '../../server/src/platform/sql.ts'
import type { World } from './world.ts'

/** `since` is the last event before the account subscribed. */
export async function compareAlerts(
  { database, receiver: { accountId, arrived } }: World,
  since: number,
): Promise<{ readonly faults: readonly string[]; readonly deliveries: number }> {
  const count = async (rows: Sql, ...values: readonly unknown[]): Promise<number> =>
    (await database.query<{ n: number }>(sql`select count(*)::int as n from (${rows}) as found`, [...values])).rows[0]
      ?.n ?? 0
  const [undelivered, mismatched, unsent] = [
    await count(
      sql`select from control_event e join subscription s on s.chain_id = e.chain_id and s.address = e.address
       where s.account_id = $1 and e.announced and not e.is_init and e.id > $2
         and not exists (select from delivery d where d.subscription_id = s.id and d.event_id = e.id)`,
      accountId,
      since,
    ),
    await count(
      sql`select from alert_event a where (a.retracted_at is null) <>
         exists (select from control_event e where e.chain_id = a.chain_id and e.id = a.id and e.block_time = a.block_time)`,
    ),
    await count(sql`select from alert_message where status not in ('sent', 'cancelled')`),
  ]
  const { rows } = await database.query<{ name: string }>(
    sql`select 'alert_' || uid as name from alert_message where status = 'sent'`,
  )
  const lost = rows.filter(({ name }) => !arrived.has(name)).length
  const faultIfAny = (n: number, what: string) => (n === 0 ? [] : [`${n} ${what}`])
  return {
    faults: [
      ...faultIfAny(undelivered, 'events of subscribed contracts have no delivery'),
      ...faultIfAny(mismatched, 'alerted events do not exist and are not retracted, or exist and are retracted'),
      ...faultIfAny(unsent, 'messages are not sent'),
      ...faultIfAny(lost, 'messages are recorded as sent but did not arrive'),
    ],
    deliveries: await count(sql`select from delivery where account_id = $1`, accountId),
  }
}
