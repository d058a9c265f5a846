/** Holds all deliveries, so that a restored copy of the database sends nothing until the operator resumes them. */
import type { Queryable } from '../database.ts'
import { sql } from '../sql.ts'

export type DeliveryHold = { readonly reason: string; readonly since: Date }

/** A condition for statements that claim deliveries. */
export const DELIVERIES_NOT_HELD = sql`not exists (select from delivery_hold)`

export async function findDeliveryHold(database: Queryable): Promise<DeliveryHold | undefined> {
  const { rows } = await database.query<DeliveryHold>(sql`select reason, since from delivery_hold`)
  return rows[0]
}

/** Keeps an earlier hold. */
export async function holdDeliveries(database: Queryable, reason: string): Promise<void> {
  await database.query(sql`insert into delivery_hold (reason) values ($1) on conflict do nothing`, [reason])
}

/** Returns whether deliveries were held. */
export async function resumeDeliveries(database: Queryable): Promise<boolean> {
  const { rowCount } = await database.query(sql`delete from delivery_hold`)
  return rowCount === 1
}
