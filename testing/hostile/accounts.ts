/** Who asks: an operator on the highest plans, others beside them, and one whose session and account may be harmed. */

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

export type People = {
  readonly person: TestAccount
  /** Has no plan to speak of. */
  readonly poor: TestAccount
  /** Whose plans are changed; never signs in. */
  readonly guest: { readonly id: string }
  readonly leaver: TestAccount
  /** The session that the leaver comes with, and another of theirs. */
  readonly leaverSessions: readonly [own: string, other: string]
  readonly v1: TestKey
  readonly v2: TestKey
  /** Keys that are there to be revoked. */
  readonly spare: { readonly v1: TestKey; readonly v2: TestKey }
  readonly proper: (operation: Operation) => readonly Header[]
  readonly callers: (operation: Operation) => readonly (readonly Header[])[]
  /** Before the signed token ends: a long run outlives it. */
  readonly renewToken: () => Promise<void>
  /** Whether those who could ask at the beginning still can: each with the status of an answer that is theirs. */
  readonly standing: () => Promise<Readonly<Record<string, number>>>
}

/** It is valid for fifteen minutes. */
const TOKEN_SERVES_MS = 5 * 60_000

export async function gather(service: Service, database: Database): Promise<People> {
  const person = await makeTestAccount(database, { plan: 'team', utxoPlan: 'enterprise', operator: true })
  const [poor, leaver] = [await makeTestAccount(database), await makeTestAccount(database)]
  const key = (of: TestAccount, api: 'v1' | 'v2') => makeTestKey(database, of, api)
  const [v1, v2, poorV2] = [await key(person, 'v1'), await key(person, 'v2'), await key(poor, 'v2')]
  const spare = { v1: await key(person, 'v1'), v2: await key(person, 'v2') }
  const [cookie, leaverCookie] = [await signIn(service, person), await signIn(service, leaver)]
  const otherSession = `${tokenIn(leaverCookie).slice(1)}0`
  await database.query(
    sql`insert into session (id, account_id, token, expires_at, updated_at)
     select $1, account_id, $1, expires_at, updated_at from session where token = $2`,
    [otherSession, tokenIn(leaverCookie)],
  )
  const tokenOf = async () => {
    const answer = await fetch(`${service.url}/api/auth/token`, { headers: { cookie } })
    return keepSecretOfTest(((await answer.json()) as { token: string }).token)
  }
  let [token, tokenMadeAt] = [await tokenOf(), performance.now()]

  const withSession = (of: string): readonly Header[] => [
    ['cookie', of],
    ['origin', service.url],
  ]
  const asV1: readonly Header[] = [['authorization', `Bearer ${v1.key}`]]
  const asV2: readonly Header[] = [['x-api-key', v2.key]]
  const asToken = (): readonly Header[] => [['authorization', `Bearer ${token}`]]
  const cookieFor = ({ isLeaving = false }: Operation): string => (isLeaving ? leaverCookie : cookie)

  const proper = (operation: Operation): readonly Header[] => {
    const { path } = operation
    if (path.startsWith('/v1/')) return asV1
    if (path.startsWith('/api/v2/')) return asV2
    if (path.startsWith('/api/v1/')) return asToken()
    return /^\/(me|api\/auth)\//.test(path) ? withSession(cookieFor(operation)) : []
  }
  const callers = (operation: Operation): readonly (readonly Header[])[] => {
    const session = cookieFor(operation)
    return [
      [],
      asV1,
      asV2,
      asToken(),
      withSession(session),
      [['x-api-key', poorV2.key]],
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
    person,
    poor,
    guest: await accountWithWebhook(database),
    leaver,
    leaverSessions: [tokenIn(leaverCookie), otherSession],
    v1,
    v2,
    spare,
    proper,
    callers,
    renewToken: async () => {
      if (performance.now() - tokenMadeAt < TOKEN_SERVES_MS) return
      tokenMadeAt = performance.now()
      token = await tokenOf()
    },
    standing: async () => ({
      session: await statusOf('/me/api-keys', withSession(cookie)),
      'v1 key': await statusOf('/v1/events', asV1),
      'v2 key': await statusOf('/api/v2/usage', asV2),
      token: await statusOf('/api/v1/analytics/overview', asToken()),
    }),
  }
}

/** The part of a session's cookie that the database knows. */
const tokenIn = (cookie: string): string =>
  decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1).split(';')[0] ?? '').split('.')[0] ?? ''
