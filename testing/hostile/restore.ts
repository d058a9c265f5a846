/** Restores what requests delete or use up, so that later requests meet the same state as the first. */

import { saveChannel } from '../../server/src/control/alerts/channels.ts'
import { type Database, inTransaction, type Queryable } from '../../server/src/platform/database.ts'
import { identifier, sql } from '../../server/src/platform/sql.ts'
import type { Accounts } from './accounts.ts'
import type { Operation } from './operations.ts'

/** `.invalid` never resolves (RFC 6761). */
export const HOOK_URL = 'https://hooks.invalid/in'

type Table = 'session' | 'subscription' | 'user_account' | 'credential'

export type Restore = (operation: Operation) => Promise<void>

/** Saves the current state and returns the function that restores what an operation may have changed. */
export async function prepareRestore(
  database: Database,
  { operator, disposable, disposableSessions, v1, v2, spare }: Accounts,
  { subscriptions }: { readonly subscriptions: readonly number[] },
): Promise<Restore> {
  const rowsOf = async (table: Table, column: string, values: readonly unknown[]) =>
    (
      await database.query<{ row: string }>(
        sql`select to_json(t)::text as row from ${identifier(table)} t where ${identifier(column)} = any($1)`,
        [values],
      )
    ).rows
  const sessions = await rowsOf('session', 'token', disposableSessions)
  const subscriptionRows = await rowsOf('subscription', 'id', subscriptions)
  const accountRows = await rowsOf('user_account', 'id', [disposable.id])
  const credentialRows = await rowsOf('credential', 'account_id', [disposable.id])
  const reinsert = async (table: Table, rows: readonly { readonly row: string }[], by: Queryable = database) => {
    for (const { row } of rows)
      await by.query(
        sql`insert into ${identifier(table)} overriding system value select * from json_populate_record(null::${identifier(table)}, $1) on conflict do nothing`,
        [row],
      )
  }
  // Counters in use are skipped: two transactions that lock them in different order would deadlock.
  const resetCounters = (prefix: string) =>
    database.query(
      sql`update request_counter set window_times = '{}', window_counts = '{}', window_used = 0 where subject in (
         select subject from request_counter where starts_with(subject, $1) and window_used > 5 for update skip locked)`,
      [prefix],
    )

  const keys = async () => {
    await database.query(sql`update api_key set revoked_at = null where id = any($1)`, [[spare.v1.id, spare.v2.id]])
    await database.query(sql`delete from api_key where account_id = $1 and id <> all($2)`, [
      operator.id,
      [v1.id, v2.id, spare.v1.id, spare.v2.id],
    ])
  }
  const alerts = async () => {
    await database.query(sql`delete from subscription where account_id = $1 and parent_id is null and id <> all($2)`, [
      operator.id,
      subscriptions,
    ])
    await reinsert('subscription', subscriptionRows)
  }
  const channels = async () => {
    await saveChannel(database, operator.id, 'webhook', { target: HOOK_URL })
    await saveChannel(database, operator.id, 'email', { target: operator.email })
    await resetCounters('channel sends')
  }
  /** Another request may delete the account meanwhile: it is locked, and inserted again if it was gone before the lock. */
  const account = () =>
    inTransaction(database, async (transaction) => {
      await reinsert('user_account', accountRows, transaction)
      await transaction.query(sql`select from user_account where id = $1 for update`, [disposable.id])
      await reinsert('user_account', accountRows, transaction)
      await transaction.query(sql`update user_account set two_factor_enabled = false where id = $1`, [disposable.id])
      await transaction.query(sql`delete from two_factor where account_id = $1`, [disposable.id])
      await transaction.query(sql`delete from credential where account_id = $1`, [disposable.id])
      await reinsert('credential', credentialRows, transaction)
      await reinsert('session', sessions, transaction)
    })

  const restorers: readonly (readonly [RegExp, () => Promise<unknown>])[] = [
    [/^\/me\/(api|utxo)-keys/, keys],
    [/^\/me\/subscriptions/, alerts],
    [/^\/me\/(channels|notifications)/, channels],
    [/^\/api\/auth\//, () => resetCounters('attempts')],
  ]
  return async (operation) => {
    if (operation.endsSession === true) await account()
    if (operation.method === 'get') return
    for (const [path, restore] of restorers) if (path.test(operation.path)) await restore()
  }
}
