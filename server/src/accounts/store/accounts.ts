/** SQL of accounts, beside what better-auth writes itself. */

import { randomUUID } from 'node:crypto'
import { type Database, inTransaction, isStorable, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { MonitorPlan, UtxoPlan } from '../plans.ts'

export type Account = {
  readonly id: string
  readonly email: string
  readonly plan: MonitorPlan
  readonly utxoPlan: UtxoPlan
  readonly operator: boolean
  readonly createdAt: Date
}

const COLUMNS = sql`id, email, plan, utxo_plan as "utxoPlan", operator, created_at as "createdAt"`

export async function getAccounts(database: Queryable): Promise<readonly Account[]> {
  return (await database.query<Account>(sql`select ${COLUMNS} from user_account order by created_at, id`)).rows
}

/** Those whose address holds the text, newest first. */
export async function searchAccounts(database: Queryable, text: string, limit: number): Promise<readonly Account[]> {
  const { rows } = await database.query<Account>(
    sql`select ${COLUMNS} from user_account where strpos(email, lower($1)) > 0 or $1 = '' order by created_at desc, id limit $2`,
    [text, limit],
  )
  return rows
}

export async function countAccounts(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>(sql`select count(*)::int as count from user_account`)
  return rows[0]?.count ?? 0
}

export async function findAccount(database: Queryable, email: string): Promise<Account | undefined> {
  return (await database.query<Account>(sql`select ${COLUMNS} from user_account where email = lower($1)`, [email]))
    .rows[0]
}

export async function findAccountById(database: Queryable, id: string): Promise<Account | undefined> {
  if (!isStorable(id)) return undefined
  return (await database.query<Account>(sql`select ${COLUMNS} from user_account where id = $1`, [id])).rows[0]
}

export type PlanChange = { readonly plan?: MonitorPlan; readonly utxoPlan?: UtxoPlan; readonly operator?: boolean }

/** The account as it is afterwards; undefined where there is none. */
export async function changePlans(
  database: Queryable,
  email: string,
  change: PlanChange,
): Promise<Account | undefined> {
  const { rows } = await database.query<Account>(
    sql`update user_account set plan = coalesce($2, plan), utxo_plan = coalesce($3, utxo_plan), operator = coalesce($4, operator), updated_at = now()
     where email = lower($1) returning ${COLUMNS}`,
    [email, change.plan ?? null, change.utxoPlan ?? null, change.operator ?? null],
  )
  return rows[0]
}

export type InsertedAccount = PlanChange & { readonly email: string; readonly passwordHash: string }

/** The account with its password, both or neither; undefined where the address has one already. */
export async function insertAccount(
  database: Database,
  { email, passwordHash, plan, utxoPlan, operator }: InsertedAccount,
): Promise<Account | undefined> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<Account>(
      sql`insert into user_account (id, name, email, email_verified, plan, utxo_plan, operator) values ($1, $2, $2, true, $3, $4, $5)
       on conflict (email) do nothing returning ${COLUMNS}`,
      [randomUUID(), email, plan ?? 'free', utxoPlan ?? 'basic', operator ?? false],
    )
    const [account] = rows
    if (account === undefined) return undefined
    await client.query(
      sql`insert into credential (id, account_id, provider, provider_account_id, password, updated_at) values ($1, $2, 'credential', $2, $3, now())`,
      [randomUUID(), account.id, passwordHash],
    )
    return account
  })
}
