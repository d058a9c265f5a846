/**
 * Authentication by better-auth: e-mail and password, Sign-In with Ethereum, cookie sessions, and signed tokens for the
 * analytics.
 *
 * This file owns the settings of better-auth and the mapping of its models to our tables. Plans and the operator flag
 * are columns of the account row that the account itself cannot set.
 */
import { randomBytes } from 'node:crypto'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { jwt } from 'better-auth/plugins/jwt'
import { siwe } from 'better-auth/plugins/siwe'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { reasonOf } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import type { Database } from '../platform/database.ts'
import { isOutage } from '../platform/errors.ts'
import type { Mailer } from '../platform/mail.ts'
import { sql } from '../platform/sql.ts'
import { createAccountMails } from './account-mails.ts'
import { isReserved, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './accounts.ts'
import { noteOutages } from './auth-outages.ts'
import { isCommonPassword } from './common-passwords.ts'
import { createKnownDevices, DEVICE_COOKIE, DEVICE_COOKIE_SECONDS } from './known-devices.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { FRESH_SECONDS } from './sessions.ts'
import type { MailLimit } from './throttling.ts'
import { createSignInMessages, signerOf } from './wallet-sign-in.ts'

export type AuthOptions = {
  readonly database: Database
  readonly secret: string
  readonly publicUrl: string
  /** Origins that serve our own pages. */
  readonly origins: readonly string[]
  readonly mailer: Mailer | undefined
  readonly mailLimit: MailLimit
  readonly hashing: Pick<PasswordHashing, 'hash' | 'verify'>
  readonly log: Logger
  /** Takes tasks that no response waits for, such as sending a mail. */
  readonly inBackground?: (task: Promise<unknown>) => void
}

export type Auth = ReturnType<typeof createAuth>

const DAY_SECONDS = 86_400

export function createAuth({
  database,
  secret,
  publicUrl,
  origins,
  mailer,
  mailLimit,
  hashing,
  log,
  inBackground = () => {},
}: AuthOptions) {
  const mails = mailer === undefined ? undefined : createAccountMails({ mailer, mailLimit, log })
  const devices = createKnownDevices(secret)
  const isSecure = publicUrl.startsWith('https://')
  /** The address whose password a request has reset, which makes its browser a known device. */
  const resetBy = new WeakMap<Request, string>()
  /** A link that was requested before the password changed must not change it again. */
  const endResetLinks = (accountId: string) =>
    database.query(sql`delete from verification where starts_with(identifier, 'reset-password:') and value = $1`, [
      accountId,
    ])
  const signInMessages = createSignInMessages({ publicUrl, origins })
  /** Returns the fields of a valid body that the service sets itself. */
  const changesOf = (path: string, body: unknown): object | undefined => {
    if (typeof body !== 'object' || body === null) return undefined
    // A new password ends all other sessions, and with them their tokens.
    if (path === '/change-password') return { revokeOtherSessions: true }
    if (path !== '/siwe/verify' || !('message' in body) || typeof body.message !== 'string') return undefined
    return { message: signInMessages.toPublic(body.message) }
  }
  return betterAuth({
    appName: 'Gatewatch',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    database: noteOutages(database) as unknown as Database,
    telemetry: { enabled: false },
    // better-auth would count in the memory of one process. `throttling.ts` counts across all processes.
    rateLimit: { enabled: false },
    logger: authLog(log),
    // Errors reach our error handler. By default better-auth prints them to the console.
    onAPIError: { throw: true, errorURL: '/sign-in' },
    trustedOrigins: [...origins],
    hooks: {
      before: createAuthMiddleware(async ({ path, body }) => {
        rejectReserved(body)
        rejectCommonPassword(path, body)
        const changes = changesOf(path, body)
        return changes === undefined ? undefined : { context: { body: changes } }
      }),
      after: createAuthMiddleware(async (ctx) => {
        if (ctx.context.returned instanceof APIError) return
        const { session, newSession } = ctx.context
        if (ctx.path === '/change-password' && session !== null) await endResetLinks(session.user.id)
        if (ctx.path === '/verify-password' && session !== null)
          await database.query(sql`update session set confirmed_at = now() where id = $1`, [session.session.id])
        const email = newSession?.user.email ?? (ctx.request && resetBy.get(ctx.request))
        if (email === undefined || devices.idOf(ctx.headers?.get('cookie'), email) !== undefined) return
        ctx.setCookie(DEVICE_COOKIE, devices.issue(email), {
          httpOnly: true,
          sameSite: 'lax',
          secure: isSecure,
          path: '/api/auth',
          maxAge: DEVICE_COOKIE_SECONDS,
        })
      }),
    },
    advanced: {
      useSecureCookies: isSecure,
      cookiePrefix: 'gatewatch',
      ipAddress: { ipAddressHeaders: ['x-gatewatch-client'] },
      // Otherwise a sign-up waits for its mail with a transaction open, and the response time of a password reset
      // reveals whether the account exists.
      backgroundTasks: { handler: inBackground },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      password: hashing,
      requireEmailVerification: mails !== undefined,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }, request) => {
        await endResetLinks(user.id)
        if (request !== undefined) resetBy.set(request, user.email)
      },
      ...(mails !== undefined && {
        sendResetPassword: async ({ user, url }) => mails.sendReset(user.email, url),
      }),
    },
    ...(mails !== undefined && {
      emailVerification: {
        sendOnSignUp: true,
        sendOnSignIn: true,
        autoSignInAfterVerification: true,
        sendVerificationEmail: async ({ user, url }) => mails.sendVerification(user.email, url),
      },
    }),
    user: {
      // Not `account`: better-auth uses that name for its credentials, our `credential` table.
      modelName: 'user_account',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        plan: { type: 'string', input: false, defaultValue: 'free' },
        utxoPlan: { type: 'string', input: false, defaultValue: 'basic', fieldName: 'utxo_plan' },
        operator: { type: 'boolean', input: false, defaultValue: false },
      },
      deleteUser: { enabled: true },
    },
    session: {
      modelName: 'session',
      expiresIn: 30 * DAY_SECONDS,
      freshAge: FRESH_SECONDS,
      fields: {
        userId: 'account_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      additionalFields: {
        // When the password of the account was last entered in this session, apart from its sign-in.
        confirmedAt: { type: 'date', input: false, required: false, fieldName: 'confirmed_at' },
      },
    },
    account: {
      modelName: 'credential',
      fields: {
        userId: 'account_id',
        accountId: 'provider_account_id',
        providerId: 'provider',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verification',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    // better-auth does not check the types of changed fields.
    databaseHooks: { user: { update: { before: async ({ name, image }) => assertTexts({ name, image }) } } },
    plugins: [
      jwt({
        disableSettingJwtHeader: true,
        jwt: {
          issuer: publicUrl,
          audience: publicUrl,
          expirationTime: '15m',
          // `sid` is the session that requested the token, which ends with it (tokens.ts).
          definePayload: ({ user, session }) => ({ operator: user.operator === true, sid: session.id }),
        },
        schema: {
          jwks: {
            modelName: 'signing_key',
            fields: {
              publicKey: 'public_key',
              privateKey: 'private_key',
              createdAt: 'created_at',
              expiresAt: 'expires_at',
            },
          },
        },
      }),
      twoFactor({
        issuer: 'Gatewatch',
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'two_factor',
            fields: {
              userId: 'account_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
      siwe({
        domain: new URL(publicUrl).host,
        getNonce: async () => randomBytes(16).toString('hex'),
        verifyMessage: async ({ message, signature, address }) => {
          for (const candidate of signInMessages.variantsOf(message))
            if ((await signerOf(candidate, signature))?.toLowerCase() === address.toLowerCase()) return true
          return false
        },
        schema: {
          walletAddress: {
            modelName: 'wallet',
            fields: { userId: 'account_id', chainId: 'chain_id', isPrimary: 'is_primary', createdAt: 'created_at' },
          },
        },
      }),
    ],
  } satisfies BetterAuthOptions)
}

/** Rejects reserved addresses in every request that sets an address: sign-up and change of address. */
function rejectReserved(body: unknown): void {
  const { email, newEmail } = (body ?? {}) as { readonly email?: unknown; readonly newEmail?: unknown }
  for (const given of [email, newEmail])
    if (typeof given === 'string' && isReserved(given))
      throw new APIError('BAD_REQUEST', {
        code: 'reserved_address',
        message: 'This e-mail address is reserved. Use your own address.',
      })
}

/** Rejects passwords that attackers try first, in every request that sets one. */
function rejectCommonPassword(path: string, body: unknown): void {
  const { email, name, password, newPassword } = (body ?? {}) as Readonly<Record<string, unknown>>
  const chosen = path === '/sign-up/email' ? password : newPassword
  if (typeof chosen !== 'string' || chosen.length < MIN_PASSWORD_LENGTH || chosen.length > MAX_PASSWORD_LENGTH) return
  const own = [email, name].filter((text) => typeof text === 'string')
  if (isCommonPassword(chosen, own))
    throw new APIError('BAD_REQUEST', {
      code: 'common_password',
      message: 'This password is one of the first that attackers try. Choose a longer or less common one.',
    })
}

/** Rejects values that are not text. Only the image may be removed. */
function assertTexts({ name, image }: { readonly name: unknown; readonly image: unknown }): void {
  if (name !== undefined && typeof name !== 'string')
    throw new APIError('BAD_REQUEST', { message: 'name: must be a string' })
  if (image !== undefined && image !== null && typeof image !== 'string')
    throw new APIError('BAD_REQUEST', { message: 'image: must be a string or null' })
}

const MAX_MESSAGE_CHARACTERS = 300

/** Returns a better-auth logger that writes to our log. better-auth quotes client input in full, so messages are cut. */
export function authLog(log: Logger) {
  return {
    level: 'warn',
    log: (level: string, message: string, ...more: readonly unknown[]): void => {
      const err = more.find((detail) => detail instanceof Error)
      const text = message.length <= MAX_MESSAGE_CHARACTERS ? message : `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…`
      if (isOutage(err)) log.info({ reason: reasonOf(err) }, text)
      else log[level === 'error' ? 'error' : 'warn'](err === undefined ? {} : { err }, text)
    },
  } as const
}
