/** All operations of better-auth, including those that the service does not serve. */
import type { Operation, Schema } from './operations.ts'

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const email: Schema = { type: 'string', format: 'email', maxLength: 254 }
const password: Schema = { type: 'string', minLength: 8, maxLength: 256 }
const SCHEMAS: Readonly<Record<string, Schema>> = {
  email,
  newEmail: email,
  password,
  newPassword: password,
  currentPassword: password,
  rememberMe: flag,
  revokeOtherSessions: flag,
  disableRedirect: flag,
  chainId: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
}
const schemaOf = (name: string): Schema => SCHEMAS[name] ?? text

const post = (path: string, ...names: readonly string[]): Operation => ({
  method: 'post',
  path: `/api/auth${path}`,
  parameters: [],
  body: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, schemaOf(name)])) },
})

const get = (path: string, ...names: readonly string[]): Operation => ({
  method: 'get',
  path: `/api/auth${path}`,
  parameters: names.map((name) => ({ in: 'query', name, schema: schemaOf(name) })),
})

const endingSession = (operation: Operation): Operation => ({ ...operation, endsSession: true })

export const AUTH_OPERATIONS: readonly Operation[] = [
  post('/sign-up/email', 'name', 'email', 'password', 'callbackURL', 'plan', 'operator'),
  post('/sign-in/email', 'email', 'password', 'callbackURL', 'rememberMe'),
  post('/sign-in/social', 'provider', 'callbackURL', 'idToken'),
  post('/request-password-reset', 'email', 'redirectTo'),
  post('/reset-password', 'newPassword', 'token'),
  post('/verify-password', 'password'),
  post('/send-verification-email', 'email', 'callbackURL'),
  post('/siwe/nonce', 'walletAddress', 'chainId'),
  post('/siwe/get-nonce', 'walletAddress', 'chainId'),
  post('/siwe/verify', 'message', 'signature', 'walletAddress', 'chainId', 'email'),
  post('/link-social', 'provider', 'callbackURL', 'disableRedirect'),
  post('/refresh-token', 'providerId', 'accountId'),
  post('/get-access-token', 'providerId', 'accountId'),
  post('/callback/google', 'code', 'state'),
  get('/get-session', 'disableCookieCache', 'disableRefresh'),
  get('/list-sessions'),
  get('/list-accounts'),
  get('/account-info', 'accountId'),
  get('/token'),
  get('/jwks'),
  get('/ok'),
  get('/verify-email', 'token', 'callbackURL'),
  get('/reset-password/x', 'callbackURL'),
  get('/callback/google', 'code', 'state', 'error'),
  get('/error', 'error'),
  ...[
    post('/sign-out'),
    post('/revoke-session', 'token'),
    post('/revoke-sessions'),
    post('/revoke-other-sessions'),
    post('/change-password', 'currentPassword', 'newPassword', 'revokeOtherSessions'),
    post('/change-email', 'newEmail', 'callbackURL'),
    post('/update-user', 'name', 'image', 'operator', 'plan'),
    post('/update-session', 'token', 'expiresAt'),
    post('/unlink-account', 'providerId', 'accountId'),
    post('/delete-user', 'password', 'token', 'callbackURL'),
    post('/two-factor/enable', 'password', 'issuer', 'method'),
    post('/two-factor/disable', 'password'),
    post('/two-factor/get-totp-uri', 'password'),
    post('/two-factor/generate-backup-codes', 'password'),
    post('/two-factor/verify-totp', 'code', 'trustDevice'),
    post('/two-factor/verify-backup-code', 'code', 'trustDevice', 'disableSession'),
    post('/two-factor/send-otp', 'trustDevice'),
    get('/delete-user/callback', 'token', 'callbackURL'),
  ].map(endingSession),
]
