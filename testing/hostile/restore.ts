/** Puts back what requests use up, so that the ten-thousandth meets what the first one met. */

import { saveChannel } from '../../server/src/control/alerts/channels.ts'
import type { Database } from '../../server/src/platform/database.ts'
import { identifier, sql } from '../../server/src/platform/sql.ts'
import type { People } from './accounts.ts'
import type { Operation } from './operations.ts'

/** It resolves to nobody, wherever it is asked for (RFC 6761). */
export const HOOK_URL = 'https://hooks.invalid/in'

export type Restore = (operation: Operation) => Promise<void>

type Belongings = { readonly subscriptions: readonly number[] }

export async function keepForRestore(
  database: Database,
  { person, leaver, leaverSessions, v1, v2, spare }: People,
  { subscriptions }: Belongings,
): Promise<Restore> {
  const rowsOf = async (table: 'session' | 'subscription', column: string, values: readonly unknown[]) =>
    (
      await database.query<{ row: string }>(
        sql`select to_json(t)::text as row from ${identifier(table)} t where ${identifier(column)} = any($1)`,
        [values],
      )
    ).rows
  const sessions = await rowsOf('session', 'token', leaverSessions)
  const wishes = await rowsOf('subscription', 'id', subscriptions)
  const { rows: credentials } = await database.query<{ password: string }>(
    sql`select password from credential where account_id = $1`,
    [leaver.id],
  )
  const putBack = async (table: 'session' | 'subscription', rows: readonly { readonly row: string }[]) => {
    for (const { row } of rows)
      await database.query(
        sql`insert into ${identifier(table)} overriding system value select * from json_populate_record(null::${identifier(table)}, $1) on conflict do nothing`,
        [row],
      )
  }
  // Those that are being counted with right now are left alone: two that lock them in different order would block.
  const forget = (counters: string) =>
    database.query(
      sql`update request_counter set window_used = 0 where subject in (
         select subject from request_counter where starts_with(subject, $1) and window_used > 5 for update skip locked)`,
      [counters],
    )

  const keys = async () => {
    await database.query(sql`update api_key set revoked_at = null where id = any($1)`, [[spare.v1.id, spare.v2.id]])
    await database.query(sql`delete from api_key where account_id = $1 and id <> all($2)`, [
      person.id,
      [v1.id, v2.id, spare.v1.id, spare.v2.id],
    ])
  }
  const alerts = async () => {
    await database.query(sql`delete from subscription where account_id = $1 and parent_id is null and id <> all($2)`, [
      person.id,
      subscriptions,
    ])
    await putBack('subscription', wishes)
  }
  const channels = async () => {
    await saveChannel(database, person.id, 'webhook', { target: HOOK_URL })
    await saveChannel(database, person.id, 'email', { target: person.email })
    await forget('channel sends')
  }
  const leave = async () => {
    await putBack('session', sessions)
    await database.query(sql`update credential set password = $2 where account_id = $1`, [
      leaver.id,
      credentials[0]?.password,
    ])
  }

  const wearsOut: readonly (readonly [RegExp, () => Promise<unknown>])[] = [
    [/^\/me\/(api|utxo)-keys/, keys],
    [/^\/me\/subscriptions/, alerts],
    [/^\/me\/(channels|notifications)/, channels],
    [/^\/api\/auth\//, () => forget('attempts')],
  ]
  return async (operation) => {
    if (operation.isLeaving === true) await leave()
    if (operation.method === 'get') return
    for (const [path, restore] of wearsOut) if (path.test(operation.path)) await restore()
  }
}
