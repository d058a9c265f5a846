/** Lets bearers of an account's signed token pass. The account is looked at anew: a token may outlive what it was given for. */
import type { JsonWebKey } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Database } from '../platform/database.ts'
import { subjectOf } from './signed-token.ts'
import { findAccountById } from './store/accounts.ts'
import { findSigningKey } from './store/signing-keys.ts'

export type TokenDeps = { readonly database: Database; readonly clock: Clock; readonly publicUrl: string }

const refusal = (code: string, message: string) =>
  new ApiError({ status: 401, code, message, headers: { 'www-authenticate': 'Bearer' } })

/** An `onRequest` hook. */
export function tokenGate({ database, clock, publicUrl }: TokenDeps) {
  const findKey = (id: string): Promise<JsonWebKey | undefined> => findSigningKey(database, id)
  return async (request: FastifyRequest): Promise<void> => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined)
      throw refusal('TOKEN_REQUIRED', 'Send a token of /api/auth/token as: Authorization: Bearer <TOKEN>')
    const rules = { findKey, issuer: publicUrl, audience: publicUrl, now: clock.now() }
    const accountId = await subjectOf(token, rules)
    const account = accountId === undefined ? undefined : await findAccountById(database, accountId)
    if (account === undefined)
      throw refusal('INVALID_TOKEN', 'This token is not valid, or no longer; ask /api/auth/token for another.')
    request.account = account
  }
}
