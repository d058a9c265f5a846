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
import { jwt, siwe } from 'better-auth/plugins'
import { recoverMessageAddress } from 'viem'
import { reasonOf } from '../lib/errors.ts'
import type { Hex } from '../lib/hex.ts'
import type { Logger } from '../lib/log.ts'
import type { Database } from '../platform/database.ts'
import { isOutage } from '../platform/errors.ts'
import type { Mail, Mailer } from '../platform/mail.ts'
import { isReserved, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './accounts.ts'

export type AuthOptions = {
  readonly database: Database
  readonly secret: string
  readonly publicUrl: string
  /** Origins that serve our own pages. */
  readonly origins: readonly string[]
  readonly mailer: Mailer | undefined
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
  log,
  inBackground = () => {},
}: AuthOptions) {
  const send = (mail: Mail) =>
    mailer?.send(mail).catch((error: unknown) => log.warn({ err: error }, `cannot send the mail "${mail.subject}"`))
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
    database,
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
        const changes = changesOf(path, body)
        return changes === undefined ? undefined : { context: { body: changes } }
      }),
    },
    advanced: {
      useSecureCookies: publicUrl.startsWith('https://'),
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
      requireEmailVerification: mailer !== undefined,
      revokeSessionsOnPasswordReset: true,
      ...(mailer !== undefined && {
        sendResetPassword: async ({ user, url }) => send(resetMail(user.email, url)),
      }),
    },
    ...(mailer !== undefined && {
      emailVerification: {
        sendOnSignUp: true,
        sendOnSignIn: true,
        autoSignInAfterVerification: true,
        sendVerificationEmail: async ({ user, url }) => send(verificationMail(user.email, url)),
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

/** Rejects values that are not text. Only the image may be removed. */
function assertTexts({ name, image }: { readonly name: unknown; readonly image: unknown }): void {
  if (name !== undefined && typeof name !== 'string')
    throw new APIError('BAD_REQUEST', { message: 'name: must be a string' })
  if (image !== undefined && image !== null && typeof image !== 'string')
    throw new APIError('BAD_REQUEST', { message: 'image: must be a string or null' })
}

/** The first line of a Sign-In with Ethereum message (ERC-4361): scheme, domain, text. */
const SIGN_IN_HEADER = /^((?:https?:\/\/)?)([^\s/]+)( wants you to sign in with your Ethereum account:)/

/**
 * Lets a wallet sign in at every origin of the service, such as localhost and 127.0.0.1. better-auth accepts messages
 * for one domain, so a message for another own domain is checked as one for the public domain, and its signature with
 * the domains it may have been signed for.
 */
function createSignInMessages({ publicUrl, origins }: Pick<AuthOptions, 'publicUrl' | 'origins'>) {
  const hosts = [...new Set([publicUrl, ...origins].map((origin) => new URL(origin).host))]
  const withHost = (message: string, host: string) => message.replace(SIGN_IN_HEADER, `$1${host}$3`)
  return {
    toPublic: (message: string): string => {
      const [, , domain = ''] = SIGN_IN_HEADER.exec(message) ?? []
      return hosts.includes(domain) ? withHost(message, new URL(publicUrl).host) : message
    },
    variantsOf: (message: string): readonly string[] => hosts.map((host) => withHost(message, host)),
  }
}

/**
 * Returns the address whose key signed the message (EIP-191); undefined if the signature is invalid. Contract wallets
 * (ERC-1271) are not supported: their check needs an endpoint of the wallet's chain.
 */
async function signerOf(message: string, signature: string): Promise<string | undefined> {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined
  try {
    return await recoverMessageAddress({ message, signature: signature as Hex })
  } catch {
    return undefined // r, s or v is out of range
  }
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

const verificationMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Confirm your e-mail address for Gatewatch',
  text: `Open this link to confirm that ${to} is yours:\n\n${url}\n\nIf you did not sign up, ignore this mail.\n`,
})

const resetMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Reset your Gatewatch password',
  text: `Open this link within an hour to choose a new password:\n\n${url}\n\nIf you did not request this, ignore this mail. Your password does not change.\n`,
})
