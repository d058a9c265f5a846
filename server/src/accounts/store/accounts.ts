/** SQL of accounts, beside what better-auth writes itself. */
import type { Queryable } from '../../platform/database.ts'
import type { MonitorPlan, UtxoPlan } from '../plans.ts'

export type Account = {
  readonly id: string
  readonly email: string
  readonly plan: MonitorPlan
  readonly utxoPlan: UtxoPlan
  readonly operator: boolean
  readonly createdAt: Date
}

const COLUMNS = 'id, email, plan, utxo_plan as "utxoPlan", operator, created_at as "createdAt"'

export async function getAccounts(database: Queryable): Promise<readonly Account[]> {
  return (await database.query<Account>(`select ${COLUMNS} from user_account order by created_at, id`)).rows
}

export async function findAccount(database: Queryable, email: string): Promise<Account | undefined> {
  return (await database.query<Account>(`select ${COLUMNS} from user_account where email = lower($1)`, [email])).rows[0]
}

export type PlanChange = { readonly plan?: MonitorPlan; readonly utxoPlan?: UtxoPlan; readonly operator?: boolean }

/** The account as it is afterwards; undefined where there is none. */
export async function changePlans(
  database: Queryable,
  email: string,
  change: PlanChange,
): Promise<Account | undefined> {
  const { rows } = await database.query<Account>(
    `update user_account set plan = coalesce($2, plan), utxo_plan = coalesce($3, utxo_plan), operator = coalesce($4, operator), updated_at = now()
     where email = lower($1) returning ${COLUMNS}`,
    [email, change.plan ?? null, change.utxoPlan ?? null, change.operator ?? null],
  )
  return rows[0]
}
