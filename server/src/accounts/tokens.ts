/**
 * Signed tokens (JWT, RFC 7519) as `/api/auth/token` issues them: verification, the hook that requires one, and the
 * keys that sign them.
 *
 * Only EdDSA is accepted. The header may name the algorithm but cannot choose it, so neither `none` nor a public key
 * used as a shared secret verifies.
 */
import { symmetricDecrypt } from 'better-auth/crypto'
import type { FastifyRequest } from 'fastify'
import { type CryptoKey, errors, importJWK, type JWK, type JWTHeaderParameters, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../lib/clock.ts'
import { ApiError } from '../lib/http/api-error.ts'
import type { Logger } from '../lib/log.ts'
import { type Database, isStorable, type Queryable } from '../platform/database.ts'
import { sql } from '../platform/sql.ts'
import { findSessionAccount } from './accounts.ts'
import type { Auth } from './auth.ts'
import type { OperatorRules } from './sessions.ts'

export type TokenRules = {
  /** Returns the public key with that id; undefined if there is none. */
  readonly findKey: (id: string) => Promise<JWK | undefined>
  readonly issuer: string
  readonly audience: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

const ALGORITHM = 'EdDSA'

/** Importing a key takes a quarter of the time of a verification. Keyed by the public key itself. */
const importedKeys = new LRUCache<string, CryptoKey | Uint8Array>({ max: 16 })

async function importKey(key: JWK): Promise<CryptoKey | Uint8Array> {
  const name = `${key.crv} ${key.x}`
  const imported = importedKeys.get(name) ?? (await importJWK(key, ALGORITHM))
  importedKeys.set(name, imported)
  return imported
}

/** What a token states: the account, and the session that requested it. */
export type TokenClaims = { readonly accountId: string; readonly sessionId: string }

/** Returns the claims of a valid token; undefined if any part of the token is invalid. */
export async function verifyToken(
  token: string,
  { findKey, issuer, audience, now }: TokenRules,
): Promise<TokenClaims | undefined> {
  const getKey = async ({ kid }: JWTHeaderParameters) => {
    const key = typeof kid === 'string' ? await findKey(kid) : undefined
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return importKey(key)
  }
  try {
    const { payload } = await jwtVerify(token, getKey, {
      algorithms: [ALGORITHM],
      issuer,
      audience,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'sid', 'exp'],
    })
    const { sub: accountId, sid: sessionId } = payload
    const isText = (claim: unknown): claim is string => typeof claim === 'string' && claim !== ''
    return isText(accountId) && isText(sessionId) ? { accountId, sessionId } : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error // a key could not be read
  }
}

export type TokenDeps = OperatorRules & {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
}

const unauthorized = (code: string, message: string) =>
  new ApiError({ status: 401, code, message, headers: { 'www-authenticate': 'Bearer' } })

/**
 * Returns an `onRequest` hook that requires a signed token. The session and its account are read on every request in one
 * statement: a token ends with its session, and the operator flag may change while the token is valid.
 */
export function requireToken({ database, clock, publicUrl, operatorTwoFactor }: TokenDeps) {
  const findKey = (id: string): Promise<JWK | undefined> => findSigningKey(database, id)
  return async (request: FastifyRequest): Promise<void> => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
    if (token === undefined)
      throw unauthorized('TOKEN_REQUIRED', 'Send a token from /api/auth/token as: Authorization: Bearer <TOKEN>')
    const rules = { findKey, issuer: publicUrl, audience: publicUrl, now: clock.now() }
    const claims = await verifyToken(token, rules)
    const account = claims === undefined ? undefined : await findSessionAccount(database, claims)
    if (account === undefined)
      throw unauthorized(
        'INVALID_TOKEN',
        'The token is invalid or expired, or its session has ended. Request a new one from /api/auth/token.',
      )
    request.account = { ...account, operator: account.operator && (account.twoFactor || !operatorTwoFactor) }
  }
}

async function findSigningKey(database: Queryable, id: string): Promise<JWK | undefined> {
  if (!isStorable(id)) return undefined
  const { rows } = await database.query<{ key: JWK }>(
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
