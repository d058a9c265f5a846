/** An account made by the operator: no mail is sent, and the address counts as verified. */
import { z } from 'zod'
import { GatewatchError } from '../lib/errors.ts'
import type { Database } from '../platform/database.ts'
import { type Auth, isReserved, LONGEST_PASSWORD, SHORTEST_PASSWORD } from './auth.ts'
import { type Account, insertAccount, type PlanChange } from './store/accounts.ts'

export class AccountRefusedError extends GatewatchError {
  override readonly code = 'account_refused'
  override readonly retryable = false
}

export type NewAccount = PlanChange & { readonly email: string; readonly password: string }

export async function createAccount(
  { auth, database }: { readonly auth: Auth; readonly database: Database },
  { email: given, password, ...plans }: NewAccount,
): Promise<Account> {
  const email = given.toLowerCase()
  if (!z.email().safeParse(email).success) throw new AccountRefusedError(`${given} is not an e-mail address.`)
  if (isReserved(email)) throw new AccountRefusedError(`${given} is reserved for accounts of wallets.`)
  if (password.length < SHORTEST_PASSWORD)
    throw new AccountRefusedError(`The password must have at least ${SHORTEST_PASSWORD} characters.`)
  if (password.length > LONGEST_PASSWORD)
    throw new AccountRefusedError(`The password must have at most ${LONGEST_PASSWORD} characters.`)
  const { password: passwords } = await auth.$context
  const account = await insertAccount(database, { email, passwordHash: await passwords.hash(password), ...plans })
  if (account === undefined) throw new AccountRefusedError(`There is an account for ${email} already.`)
  return account
}
