/** Acknowledgments: a person states that the account has seen an alert. */
import { cutText } from '../../../../vocabulary/cut-text.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export type Acknowledgment = { readonly at: Date; readonly by: string }

const MAX_NAME = 100

/**
 * Acknowledges a message and the messages of the account's other channels about the same events. Returns the first
 * acknowledgment, also if it was made before; undefined if there is no such message.
 */
export async function acknowledgeMessage(
  database: Queryable,
  uid: string,
  by: string,
): Promise<Acknowledgment | undefined> {
  const { rows } = await database.query<Acknowledgment>(
    sql`with found as (select id, account_id, acknowledged_at, acknowledged_by from alert_message
       where uid = $1 and retracts is null)
     , updated as (
       update alert_message m set acknowledged_at = now(), acknowledged_by = $2
       where m.acknowledged_at is null and m.id in (
         select other.message_id from found join delivery d on d.message_id = found.id
         join delivery other on other.event_id = d.event_id and other.account_id = found.account_id)
       returning m.id)
     select coalesce(acknowledged_at, now()) as at, coalesce(acknowledged_by, $2) as by from found`,
    [uid, cutText(by, MAX_NAME)],
  )
  return rows[0]
}

/** Returns the id of the message of a delivery. */
export async function findMessageUid(
  database: Queryable,
  accountId: string,
  deliveryId: number,
): Promise<string | undefined> {
  const { rows } = await database.query<{ uid: string }>(
    sql`select m.uid from delivery d join alert_message m on m.id = d.message_id where d.account_id = $1 and d.id = $2`,
    [accountId, deliveryId],
  )
  return rows[0]?.uid
}

export async function isMessageOfAccount(database: Queryable, accountId: string, uid: string): Promise<boolean> {
  const { rowCount } = await database.query(sql`select from alert_message where uid = $1 and account_id = $2`, [
    uid,
    accountId,
  ])
  return rowCount === 1
}
