/**
 * People: e-mail and password, Sign-In with Ethereum, cookie sessions, and signed tokens for the analytics.
 *
 * Owns the settings of better-auth and the mapping of its models to our tables. Plans and the operator flag are
 * columns of the same account row, never settable by the account itself.
 */
import { randomBytes } from 'node:crypto'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { jwt, siwe } from 'better-auth/plugins'
import type { Logger } from '../lib/log.ts'
import type { Database } from '../platform/database.ts'
import type { Mail, Mailer } from '../platform/mail.ts'
import { authLog } from './auth-log.ts'
import { signerOf } from './ethereum-signature.ts'

export type AuthOptions = {
  readonly database: Database
  readonly secret: string
  readonly publicUrl: string
  /** Where our own pages are served from. */
  readonly origins: readonly string[]
  readonly mailer: Mailer | undefined
  readonly log: Logger
  /** Takes over what no answer waits for: a mail on its way. */
  readonly inBackground?: (task: Promise<unknown>) => void
}

export type Auth = ReturnType<typeof createAuth>

const DAY_SECONDS = 86_400
export const SHORTEST_PASSWORD = 8
export const LONGEST_PASSWORD = 256

export function createAuth({
  database,
  secret,
  publicUrl,
  origins,
  mailer,
  log,
  inBackground = () => {},
}: AuthOptions) {
  const post = (mail: Mail) =>
    mailer?.send(mail).catch((error: unknown) => log.warn({ err: error }, `"${mail.subject}" could not be sent`))
  return betterAuth({
    appName: 'Gatewatch',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    database,
    telemetry: { enabled: false },
    // One process's memory would be neither exact nor shared: api/throttle.ts counts attempts for all of them.
    rateLimit: { enabled: false },
    logger: authLog(log),
    // Thrown to us, who shape refusals and log faults; by itself it would print them past the log.
    onAPIError: { throw: true, errorURL: '/sign-in' },
    trustedOrigins: [...origins],
    hooks: { before: createAuthMiddleware(async ({ body }) => refuseReserved(body)) },
    advanced: {
      useSecureCookies: publicUrl.startsWith('https://'),
      cookiePrefix: 'gatewatch',
      ipAddress: { ipAddressHeaders: ['x-gatewatch-client'] },
      // A sign-up waits for its mail with a transaction open, and the answer to a reset would tell by its time
      // whether there is such an account.
      backgroundTasks: { handler: inBackground },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: SHORTEST_PASSWORD,
      maxPasswordLength: LONGEST_PASSWORD,
      requireEmailVerification: mailer !== undefined,
      revokeSessionsOnPasswordReset: true,
      ...(mailer !== undefined && {
        sendResetPassword: async ({ user, url }) => post(resetMail(user.email, url)),
      }),
    },
    ...(mailer !== undefined && {
      emailVerification: {
        sendOnSignUp: true,
        sendOnSignIn: true,
        autoSignInAfterVerification: true,
        sendVerificationEmail: async ({ user, url }) => post(verificationMail(user.email, url)),
      },
    }),
    user: {
      // Not `account`: better-auth has a model of that name, our `credential`.
      modelName: 'user_account',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        plan: { type: 'string', input: false, defaultValue: 'free' },
        utxoPlan: { type: 'string', input: false, defaultValue: 'basic', fieldName: 'utxo_plan' },
        operator: { type: 'boolean', input: false, defaultValue: false },
      },
    },
    session: {
      modelName: 'session',
      expiresIn: 30 * DAY_SECONDS,
      fields: {
        userId: 'account_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
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
    // Changes of an account are passed on as they came, of whatever type.
    databaseHooks: { user: { update: { before: async ({ name, image }) => assertTexts({ name, image }) } } },
    plugins: [
      jwt({
        disableSettingJwtHeader: true,
        jwt: {
          issuer: publicUrl,
          audience: publicUrl,
          expirationTime: '15m',
          definePayload: ({ user }) => ({ operator: user.operator === true }),
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
      siwe({
        domain: new URL(publicUrl).host,
        getNonce: async () => randomBytes(16).toString('hex'),
        verifyMessage: async ({ message, signature, address }) =>
          signerOf(message, signature) === address.toLowerCase(),
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

/**
 * An account that signs in with a wallet has an address made from the wallet's: who signed up with it first would lock
 * the wallet out.
 */
export const isReserved = (email: string): boolean => /\.placeholder\.invalid$/i.test(email.trim())

/** Wherever an address is given: to sign up with, or to change to. */
function refuseReserved(body: unknown): void {
  const { email, newEmail } = (body ?? {}) as { readonly email?: unknown; readonly newEmail?: unknown }
  for (const given of [email, newEmail])
    if (typeof given === 'string' && isReserved(given))
      throw new APIError('BAD_REQUEST', {
        code: 'RESERVED_ADDRESS',
        message: 'This address is reserved; use your own.',
      })
}

/** Of an account only the picture may be taken away. */
function assertTexts({ name, image }: { readonly name: unknown; readonly image: unknown }): void {
  if (name !== undefined && typeof name !== 'string')
    throw new APIError('BAD_REQUEST', { message: 'name: must be a text' })
  if (image !== undefined && image !== null && typeof image !== 'string')
    throw new APIError('BAD_REQUEST', { message: 'image: must be a text, or null' })
}

const verificationMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Confirm your e-mail address for Gatewatch',
  text: `Open this link to confirm that ${to} is yours:\n\n${url}\n\nIf you did not sign up, ignore this mail.\n`,
})

const resetMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Reset your Gatewatch password',
  text: `Open this link within an hour to choose a new password:\n\n${url}\n\nIf you did not ask for it, ignore this mail: your password stays as it is.\n`,
})
