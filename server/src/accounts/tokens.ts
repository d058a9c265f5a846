/**
 * Signed tokens (JWT, RFC 7519) as `/api/auth/token` issues them: verification, the hook that requires one, and the
 * keys that sign them.
 *
 * Only EdDSA is accepted. The header may name the algorithm but cannot choose it, so neither `none` nor a public key
 * used as a shared secret verifies.
 */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { type Database, isStorable, type Queryable } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { findAccountById } from './accounts.ts'
import type { Auth } from './auth.ts'

const header = z.object({ alg: z.literal('EdDSA'), kid: z.string().min(1), crit: z.undefined().optional() })
const claims = z.object({
  sub: z.string().min(1),
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  nbf: z.number().optional(),
})

export type TokenRules = {
  /** Returns the public key with that id; undefined if there is none. */
  readonly findKey: (id: string) => Promise<JsonWebKey | undefined>
  readonly issuer: string
  readonly audience: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Returns the account id in a valid token; undefined if any part of the token is invalid. */
export async function subjectOf(
  token: string,
  { findKey, issuer, audience, now }: TokenRules,
): Promise<string | undefined> {
  const [head, payload, signature, ...rest] = token.split('.')
  if (head === undefined || payload === undefined || signature === undefined || rest.length > 0) return undefined
  const said = header.safeParse(jsonIn(head))
  const claimed = claims.safeParse(jsonIn(payload))
  if (!said.success || !claimed.success) return undefined
  const key = await findKey(said.data.kid)
  if (key?.crv !== 'Ed25519') return undefined
  const isSigned = verify(
    null,
    Buffer.from(`${head}.${payload}`, 'latin1'),
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  )
  const { sub, iss, aud, exp, nbf = 0 } = claimed.data
  const seconds = now / 1000
  const isValid = isSigned && iss === issuer && [aud].flat().includes(audience) && nbf <= seconds && seconds < exp
  return isValid ? sub : undefined
}

function jsonIn(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

export type TokenDeps = { readonly database: Database; readonly clock: Clock; readonly publicUrl: string }

const refusal = (code: string, message: string) =>
  new ApiError({ status: 401, code, message, headers: { 'www-authenticate': 'Bearer' } })

/**
 * Returns an `onRequest` hook that requires a signed token. The account is read on every request, because its operator
 * flag may change while the token is valid.
 */
export function requireToken({ database, clock, publicUrl }: TokenDeps) {
  const findKey = (id: string): Promise<JsonWebKey | undefined> => findSigningKey(database, id)
  return async (request: FastifyRequest): Promise<void> => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined)
      throw refusal('TOKEN_REQUIRED', 'Send a token from /api/auth/token as: Authorization: Bearer <TOKEN>')
    const rules = { findKey, issuer: publicUrl, audience: publicUrl, now: clock.now() }
    const accountId = await subjectOf(token, rules)
    const account = accountId === undefined ? undefined : await findAccountById(database, accountId)
    if (account === undefined)
      throw refusal('INVALID_TOKEN', 'The token is invalid or expired. Request a new one from /api/auth/token.')
    request.account = account
  }
}

async function findSigningKey(database: Queryable, id: string): Promise<JsonWebKey | undefined> {
  if (!isStorable(id)) return undefined
  const { rows } = await database.query<{ key: JsonWebKey }>(
    sql`select public_key::json as key from signing_key where id = $1`,
    [id],
  )
  return rows[0]?.key
}

export type SigningKeyDeps = { readonly auth: Auth; readonly database: Database; readonly log: Logger }

/**
 * Expires the signing keys that cannot be decrypted, so that better-auth creates a new one for the next token. Signing
 * keys are encrypted with AUTH_SECRET, so they become unreadable when it changes. Tokens they signed stay valid until
 * they expire.
 */
export async function expireUnreadableKeys({ auth, database, log }: SigningKeyDeps): Promise<void> {
  const { secretConfig } = await auth.$context
  const { rows } = await database.query<{ id: string; encrypted: string }>(
    sql`select id, private_key::json #>> '{}' as encrypted from signing_key where expires_at is null or expires_at > now()`,
  )
  const unreadable: string[] = []
  for (const { id, encrypted } of rows) {
    try {
      await symmetricDecrypt({ key: secretConfig, data: encrypted })
    } catch {
      unreadable.push(id)
    }
  }
  if (unreadable.length === 0) return
  await database.query(sql`update signing_key set expires_at = now() where id = any($1)`, [unreadable])
  log.warn(
    { keys: unreadable },
    'AUTH_SECRET has changed: all accounts must sign in again, and a new key signs tokens from now on',
  )
}
