/**
 * The operations of `/api/auth`, as OpenAPI describes them. better-auth serves them and checks their input itself. Its
 * other paths are not served.
 */
import { z } from 'zod'
import { errorResponses, type Refusal } from '../../lib/http/route-responses.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../accounts.ts'
import { MONITOR_PLANS, UTXO_PLANS } from '../plans.ts'
import { v1Error } from './responses.ts'

const instant = z.iso.datetime()
const email = z.email().max(254)
const password = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH)
const done = z.looseObject({ status: z.boolean() })
const oneTimeCode = z.string().describe('Six digits')
const sessionToken = z.string().describe('The secret of the session. Browsers use the cookie instead.')

// Loose, because better-auth may add fields.
const user = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    image: z.string().nullable().optional(),
    createdAt: instant,
    updatedAt: instant,
    plan: z.enum(MONITOR_PLANS).optional(),
    utxoPlan: z.enum(UTXO_PLANS).optional(),
    operator: z.boolean().optional(),
    twoFactorEnabled: z.boolean().nullable().optional(),
  })
  .meta({ id: 'SignedInAccount' })
const session = z
  .looseObject({
    id: z.string(),
    token: sessionToken,
    userId: z.string(),
    expiresAt: instant,
    createdAt: instant,
    updatedAt: instant,
    ipAddress: z.string().nullable().optional(),
    userAgent: z.string().nullable().optional(),
  })
  .meta({ id: 'Session' })

type AuthOperation = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly body?: z.ZodType
  readonly querystring?: z.ZodType
  readonly success: z.ZodType
  /** In addition to those that every operation of its method can give. */
  readonly refusals?: readonly Refusal[]
  readonly needsSession?: boolean
}

const OPERATIONS: readonly AuthOperation[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    summary: 'Create an account',
    body: z
      .object({ name: z.string(), email, password, callbackURL: z.string().optional() })
      .meta({ example: { name: 'Grace', email: 'grace@example.org', password: 'a long password' } }),
    success: z.looseObject({
      token: z.string().nullable().describe('Null if the address must be confirmed first'),
      user,
    }),
    refusals: [422, 429],
  },
  {
    method: 'POST',
    path: '/sign-in/email',
    summary: 'Sign in with a password. Sets the session cookie',
    body: z
      .object({ email, password: z.string(), rememberMe: z.boolean().optional() })
      .meta({ example: { email: 'ada@example.org', password: 'a long password' } }),
    success: z.union([
      z.looseObject({ token: sessionToken, redirect: z.boolean(), user }),
      z
        .looseObject({ twoFactorRedirect: z.literal(true), twoFactorMethods: z.array(z.string()) })
        .describe('The account uses one-time codes: verify one before the session starts'),
    ]),
    refusals: [401, 429],
  },
  {
    method: 'POST',
    path: '/two-factor/verify-totp',
    summary: 'Verify a one-time code: completes a sign-in, or the setup of one-time codes. Sets the session cookie',
    body: z.object({ code: oneTimeCode, trustDevice: z.boolean().optional() }),
    success: z.looseObject({ token: sessionToken, user }),
    refusals: [401, 429],
  },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    summary: 'Complete a sign-in with a backup code, which works once. Sets the session cookie',
    body: z.object({ code: z.string(), trustDevice: z.boolean().optional() }),
    success: z.looseObject({ token: sessionToken.nullable().optional(), user }),
    refusals: [401, 429],
  },
  {
    method: 'POST',
    path: '/siwe/nonce',
    summary: 'Get a nonce for Sign-In with Ethereum (ERC-4361)',
    success: z.looseObject({ nonce: z.string() }),
    refusals: [429],
  },
  {
    method: 'POST',
    path: '/siwe/verify',
    summary: 'Sign in with a message that a wallet signed. Sets the session cookie',
    body: z.object({
      message: z.string().describe('An ERC-4361 message with the nonce and the host of this service'),
      signature: z.string().describe('The EIP-191 signature of the message'),
    }),
    success: z.looseObject({
      token: sessionToken,
      success: z.boolean(),
      user: z.looseObject({ id: z.string(), walletAddress: z.string(), chainId: z.int() }),
    }),
    refusals: [401, 429],
  },
  {
    method: 'GET',
    path: '/get-session',
    summary: 'Get the session and its account; null without a session',
    success: z.looseObject({ session, user }).nullable(),
  },
  {
    method: 'GET',
    path: '/list-sessions',
    summary: 'List the sessions of the account',
    success: z.array(session),
    needsSession: true,
  },
  {
    method: 'POST',
    path: '/revoke-session',
    summary: 'End a session and its tokens',
    body: z.object({ token: sessionToken }),
    success: done,
    needsSession: true,
  },
  {
    method: 'POST',
    path: '/revoke-other-sessions',
    summary: 'End all sessions but this one',
    success: done,
    needsSession: true,
  },
  {
    method: 'POST',
    path: '/revoke-sessions',
    summary: 'End all sessions of the account',
    success: done,
    needsSession: true,
  },
  {
    method: 'GET',
    path: '/token',
    summary: 'Get a signed token for the analytics. Valid for 15 minutes, and only while the session lasts',
    success: z.looseObject({ token: z.string().describe('A JWT, signed with Ed25519') }),
    needsSession: true,
  },
  {
    method: 'GET',
    path: '/jwks',
    summary: 'List the public keys that verify signed tokens',
    success: z.looseObject({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })) }),
  },
  {
    method: 'POST',
    path: '/update-user',
    summary: 'Change the name or the image of the account',
    body: z
      .object({ name: z.string().optional(), image: z.string().nullable().optional() })
      .meta({ example: { name: 'Ada' } }),
    success: done,
    needsSession: true,
  },
  {
    method: 'POST',
    path: '/change-password',
    summary: 'Change the password. Ends all other sessions',
    body: z
      .object({ currentPassword: z.string(), newPassword: password })
      .meta({ example: { currentPassword: 'a long password', newPassword: 'another long password' } }),
    success: z.looseObject({ token: z.string().nullable(), user }),
    refusals: [429],
    needsSession: true,
  },
  {
    method: 'POST',
    path: '/verify-password',
    summary: 'Enter the password again. For 15 minutes the session may create keys and change webhooks',
    body: z.object({ password: z.string() }).meta({ example: { password: 'a long password' } }),
    success: done,
    refusals: [429],
    needsSession: true,
  },
  {
    method: 'POST',
    path: '/two-factor/enable',
    summary: 'Set up one-time codes (TOTP, RFC 6238). They are required after the first code is verified',
    body: z.object({ password: z.string() }).meta({ example: { password: 'a long password' } }),
    success: z.looseObject({
      totpURI: z.string().describe('The otpauth:// address that an authenticator app reads'),
      backupCodes: z.array(z.string()).describe('Each works once in place of a code. Shown once'),
    }),
    refusals: [429],
    needsSession: true,
  },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    summary: 'Replace the backup codes',
    body: z.object({ password: z.string() }),
    success: z.looseObject({ status: z.boolean(), backupCodes: z.array(z.string()) }),
    refusals: [429],
    needsSession: true,
  },
  {
    method: 'POST',
    path: '/two-factor/disable',
    summary: 'Stop using one-time codes',
    body: z.object({ password: z.string() }).meta({ example: { password: 'a long password' } }),
    success: done,
    refusals: [429],
    needsSession: true,
  },
  {
    method: 'POST',
    path: '/delete-user',
    summary: 'Delete the account and all its data. Needs the password, or a sign-in within the last 15 minutes',
    body: z.object({ password: z.string().optional() }).meta({ example: { password: 'another long password' } }),
    success: z.looseObject({ success: z.boolean(), message: z.string() }),
    refusals: [429],
    needsSession: true,
  },
  {
    method: 'POST',
    path: '/request-password-reset',
    summary:
      'Send a mail with a link to choose a new password. The response does not reveal whether the account exists',
    body: z.object({ email, redirectTo: z.string().optional() }),
    success: z.looseObject({ status: z.boolean(), message: z.string() }),
    refusals: [429],
  },
  {
    method: 'POST',
    path: '/reset-password',
    summary: 'Choose a new password with the token of a mail. Ends all sessions',
    body: z.object({ newPassword: password, token: z.string() }),
    success: done,
    refusals: [429],
  },
  {
    method: 'POST',
    path: '/send-verification-email',
    summary: 'Send the mail that confirms an address again',
    body: z.object({ email, callbackURL: z.string().optional() }),
    success: done,
    refusals: [429],
  },
  {
    method: 'GET',
    path: '/verify-email',
    summary: 'Confirm an address with the token of a mail',
    querystring: z.object({ token: z.string() }),
    success: z.looseObject({ status: z.boolean() }),
    refusals: [401],
  },
  {
    method: 'POST',
    path: '/sign-out',
    summary: 'End the session and its tokens',
    success: z.looseObject({ success: z.boolean() }),
  },
]

/** The operations as routes: method, path, and the schema that describes them. */
export const AUTH_OPERATIONS = OPERATIONS.map(
  ({ method, path, summary, body, querystring, success, refusals = [], needsSession = false }) => ({
    method,
    path,
    schema: {
      tags: ['Sign-in'],
      summary,
      ...(needsSession && { security: [{ session: [] }] }),
      ...(body !== undefined && { body }),
      ...(querystring !== undefined && { querystring }),
      response: {
        ...errorResponses(v1Error, [
          ...refusals,
          ...(needsSession ? ([401] as const) : []),
          // A POST of another site is rejected.
          ...(method === 'POST' ? ([403] as const) : []),
          503,
        ]),
        200: success,
      },
    },
  }),
)
