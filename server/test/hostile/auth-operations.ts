/** `/api/auth/*` as the web app uses it, and what a stranger would try: it is better-auth's and not in `openapi.json`. */
import type { Operation } from './requests.ts'
import type { Schema } from './values.ts'

const text: Schema = { type: 'string' }
const fields = (...names: readonly string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
})

const post = (path: string, ...names: readonly string[]): Operation => ({
  method: 'post',
  path: `/api/auth${path}`,
  parameters: [],
  body: fields(...names),
})

const get = (path: string, ...names: readonly string[]): Operation => ({
  method: 'get',
  path: `/api/auth${path}`,
  parameters: names.map((name) => ({ in: 'query', name, schema: text })),
})

export const AUTH_OPERATIONS: readonly Operation[] = [
  post('/sign-up/email', 'name', 'email', 'password', 'callbackURL', 'plan', 'operator'),
  post('/sign-in/email', 'email', 'password', 'callbackURL', 'rememberMe'),
  post('/sign-in/social', 'provider', 'callbackURL'),
  post('/sign-out'),
  post('/request-password-reset', 'email', 'redirectTo'),
  post('/reset-password', 'newPassword', 'token'),
  post('/send-verification-email', 'email', 'callbackURL'),
  post('/siwe/nonce', 'walletAddress', 'chainId'),
  post('/siwe/verify', 'message', 'signature', 'walletAddress', 'chainId', 'email'),
  post('/change-email', 'newEmail', 'callbackURL'),
  post('/revoke-session', 'token'),
  post('/update-user', 'name', 'image', 'operator', 'plan'),
  get('/get-session', 'disableCookieCache', 'disableRefresh'),
  get('/list-sessions'),
  get('/token'),
  get('/jwks'),
  get('/verify-email', 'token', 'callbackURL'),
  get('/reset-password/x', 'callbackURL'),
  get('/callback/google', 'code', 'state', 'error'),
  get('/error', 'error'),
]
