/** The accounts that send requests: an operator on the highest plans, a free one, and one that requests may damage. */

import type { Database } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { accountWithWebhook } from '../support/alerts.ts'
import { keepSecretOfTest } from '../support/log.ts'
import {
  makeTestAccount,
  makeTestKey,
  type Service,
  signIn,
  type TestAccount,
  type TestKey,
} from '../support/service.ts'
import type { Header } from './environment.ts'
import type { Operation } from './operations.ts'

export type Accounts = {
  readonly operator: TestAccount
  /** On the free plans. */
  readonly freeAccount: TestAccount
  /** The operator changes its plans; it never signs in. */
  readonly managed: { readonly id: string }
  readonly disposable: TestAccount
  /** The session that requests of the disposable account use, and a second one. */
  readonly disposableSessions: readonly [own: string, other: string]
  readonly v1: TestKey
  readonly v2: TestKey
  /** Keys that requests may revoke. */
  readonly spare: { readonly v1: TestKey; readonly v2: TestKey }
  readonly validHeaders: (operation: Operation) => readonly Header[]
  readonly callerHeaders: (operation: Operation) => readonly (readonly Header[])[]
  /** Renews the signed token before it expires, because a long run outlives it. */
  readonly renewToken: () => Promise<void>
  /** The status of a permitted request with each credential, to check that all still work. */
  readonly accessStatuses: () => Promise<Readonly<Record<string, number>>>
}

/** The token is valid for fifteen minutes. */
const TOKEN_RENEWAL_MS = 5 * 60_000

/** Creates the accounts, their API keys and sessions. */
export async function createAccounts(service: Service, database: Database): Promise<Accounts> {
  const operator = await makeTestAccount(database, { plan: 'team', utxoPlan: 'enterprise', operator: true })
  const [freeAccount, disposable] = [await makeTestAccount(database), await makeTestAccount(database)]
  const key = (account: TestAccount, api: 'v1' | 'v2') => makeTestKey(database, account, api)
  const [v1, v2, freeV2] = [await key(operator, 'v1'), await key(operator, 'v2'), await key(freeAccount, 'v2')]
  const spare = { v1: await key(operator, 'v1'), v2: await key(operator, 'v2') }
  const [cookie, disposableCookie] = [
    sessionIn(await signIn(service, operator)),
    sessionIn(await signIn(service, disposable)),
  ]
  // A long run outlives the time for which a sign-in allows sensitive changes.
  await database.query(sql`update session set confirmed_at = now() + interval '1 day'`)
  const otherSession = `${tokenIn(disposableCookie).slice(1)}0`
  await database.query(
    sql`insert into session (id, account_id, token, expires_at, updated_at)
     select $1, account_id, $1, expires_at, updated_at from session where token = $2`,
    [otherSession, tokenIn(disposableCookie)],
  )
  const requestToken = async () => {
    const response = await fetch(`${service.url}/api/auth/token`, { headers: { cookie } })
    return keepSecretOfTest(((await response.json()) as { token: string }).token)
  }
  let [token, tokenMadeAt] = [await requestToken(), performance.now()]

  const withSession = (sessionCookie: string): readonly Header[] => [
    ['cookie', sessionCookie],
    ['origin', service.url],
  ]
  const asV1: readonly Header[] = [['authorization', `Bearer ${v1.key}`]]
  const asV2: readonly Header[] = [['x-api-key', v2.key]]
  const asToken = (): readonly Header[] => [['authorization', `Bearer ${token}`]]
  const cookieFor = ({ endsSession = false }: Operation): string => (endsSession ? disposableCookie : cookie)

  const validHeaders = (operation: Operation): readonly Header[] => {
    const { path } = operation
    if (path.startsWith('/v1/')) return asV1
    if (path.startsWith('/api/v2/')) return asV2
    if (path.startsWith('/api/v1/')) return asToken()
    return /^\/(me|api\/auth)\//.test(path) ? withSession(cookieFor(operation)) : []
  }
  const callerHeaders = (operation: Operation): readonly (readonly Header[])[] => {
    const session = cookieFor(operation)
    return [
      [],
      asV1,
      asV2,
      asToken(),
      withSession(session),
      [['x-api-key', freeV2.key]],
      [['cookie', session]],
      [['x-api-key', v1.key]],
      [['authorization', 'Bearer']],
      [['authorization', `bearer  ${v1.key} `]],
      [['authorization', `Bearer gw_live_${'A'.repeat(43)}`]],
      [['authorization', `Basic ${'A'.repeat(8_000)}`]],
      [['authorization', 'Bearer \u00ff\u0080']],
      [['authorization', `Bearer ${token.slice(0, -2)}aa`]],
      [['authorization', 'Bearer eyJhbGciOiJub25lIn0.e30.']],
      [['x-api-key', '__proto__']],
      [...asV1, ...asV2, ...withSession(session)],
    ]
  }

  const statusOf = async (path: string, headers: readonly Header[]) =>
    (await fetch(service.url + path, { headers: headers.map(([name, value]) => [name, value]) })).status
  return {
    operator,
    freeAccount,
    managed: await accountWithWebhook(database),
    disposable,
    disposableSessions: [tokenIn(disposableCookie), otherSession],
    v1,
    v2,
    spare,
    validHeaders,
    callerHeaders,
    renewToken: async () => {
      if (performance.now() - tokenMadeAt < TOKEN_RENEWAL_MS) return
      tokenMadeAt = performance.now()
      token = await requestToken()
    },
    accessStatuses: async () => ({
      session: await statusOf('/me/api-keys', withSession(cookie)),
      'v1 key': await statusOf('/v1/events', asV1),
      'v2 key': await statusOf('/api/v2/usage', asV2),
      token: await statusOf('/api/v1/analytics/overview', asToken()),
    }),
  }
}

/** Returns the session cookie alone: requests change its last characters. */
const sessionIn = (cookies: string): string =>
  cookies.split('; ').find((cookie) => cookie.includes('session_token=')) ?? ''

/** Returns the session token of a cookie, as the database stores it. */
const tokenIn = (cookie: string): string =>
  decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1).split(';')[0] ?? '').split('.')[0] ?? ''
