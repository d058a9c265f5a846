/** Accounts: their rows, except what better-auth writes itself, and how an operator creates and changes them. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { GatewatchError } from '../lib/errors.ts'
import { type Database, inTransaction, isStorable, type Queryable } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { MonitorPlan, UtxoPlan } from './plans.ts'

export type Account = {
  readonly id: string
  readonly email: string
  readonly plan: MonitorPlan
  readonly utxoPlan: UtxoPlan
  readonly operator: boolean
  /** Whether a sign-in needs a one-time code. */
  readonly twoFactor: boolean
  readonly createdAt: Date
}

const COLUMNS = sql`id, email, plan, utxo_plan as "utxoPlan", operator, two_factor_enabled as "twoFactor",
  created_at as "createdAt"`

/** Returns all accounts, oldest first. */
export async function getAccounts(database: Queryable): Promise<readonly Account[]> {
  return (await database.query<Account>(sql`select ${COLUMNS} from user_account order by created_at, id`)).rows
}

/** Returns the accounts whose e-mail address contains the text, newest first. An empty text matches every account. */
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

/** Returns the account of a session; undefined if the session has ended or belongs to another account. */
export async function findSessionAccount(
  database: Queryable,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
): Promise<Account | undefined> {
  if (!isStorable(accountId) || !isStorable(sessionId)) return undefined
  const { rows } = await database.query<Account>({
    name: 'find_session_account',
    text: sql`select ${COLUMNS} from user_account
       where id = $1 and exists (select from session where id = $2 and account_id = $1 and expires_at > now())`,
    values: [accountId, sessionId],
  })
  return rows[0]
}

export type PlanChange = { readonly plan?: MonitorPlan; readonly utxoPlan?: UtxoPlan; readonly operator?: boolean }

/** Changes the named plans and returns the changed account; undefined if there is no account with this address. */
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

/** Lets an account sign in without one-time codes, for one that has lost them. Ends its sessions. */
export async function removeTwoFactor(database: Database, email: string): Promise<Account | undefined> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<Account>(
      sql`update user_account set two_factor_enabled = false, updated_at = now() where email = lower($1) returning ${COLUMNS}`,
      [email],
    )
    const [account] = rows
    if (account === undefined) return undefined
    await client.query(sql`delete from two_factor where account_id = $1`, [account.id])
    await client.query(sql`delete from session where account_id = $1`, [account.id])
    return account
  })
}

export type InsertedAccount = PlanChange & { readonly email: string; readonly passwordHash: string }

/** Inserts an account and its password in one transaction; returns undefined if the address already has an account. */
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

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 256

/**
 * Reports whether an address belongs to the domain from which wallet accounts get their generated addresses. If anyone
 * could sign up with such an address, the wallet could no longer sign in.
 */
export const isReserved = (email: string): boolean => /\.placeholder\.invalid$/i.test(email.trim())

export class AccountRefusedError extends GatewatchError {
  override readonly code = 'account_refused'
  override readonly retryable = false
}

export type NewAccount = PlanChange & { readonly email: string; readonly password: string }

/** Creates an account for the operator: sends no mail and marks the address as verified. */
export async function createAccount(
  database: Database,
  { email: given, password, ...plans }: NewAccount,
): Promise<Account> {
  const email = given.toLowerCase()
  if (!z.email().safeParse(email).success) throw new AccountRefusedError(`"${given}" is not an e-mail address.`)
  if (isReserved(email))
    throw new AccountRefusedError(`${given} is reserved for accounts that sign in with a wallet. Use another address.`)
  if (password.length < MIN_PASSWORD_LENGTH)
    throw new AccountRefusedError(`The password must have at least ${MIN_PASSWORD_LENGTH} characters.`)
  if (password.length > MAX_PASSWORD_LENGTH)
    throw new AccountRefusedError(`The password must have at most ${MAX_PASSWORD_LENGTH} characters.`)
  if (isCommonPassword(password, [email]))
    throw new AccountRefusedError('The password is one of the first that attackers try. Choose a less common one.')
  const { hashPassword } = await import('better-auth/crypto') // slow to load, and few commands need it
  const account = await insertAccount(database, { email, passwordHash: await hashPassword(password), ...plans })
  if (account === undefined) throw new AccountRefusedError(`An account for ${email} already exists.`)
  return account
}
