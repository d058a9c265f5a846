/** One client that floods a cheap route must not make requests of other clients fail. Answers are counted, not timed. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testClock } from '../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../testing/support/log.ts'
import { makeTestAccount, makeTestKeys, signIn, startService } from '../../../testing/support/service.ts'
import { VISITS_PER_MINUTE } from '../accounts/throttling.ts'

const store = await createTestDatabase()
const service = await startService(store, {
  clock: testClock('2026-11-15T12:00:00.000Z'),
  env: { TRUST_PROXY: 'true' },
})
const { url } = service
const visitor = '203.0.113.9'
const [key] = await makeTestKeys(store.database, 'v1', 1)
const [attacker, user] = [await makeTestAccount(store.database), await makeTestAccount(store.database)]
const [attackerCookie, userCookie] = [await signIn(service, attacker), await signIn(service, user)]
const password = () => keepSecretOfTest(randomBytes(12).toString('base64url'))

type Sent = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: unknown }
const send = async (path: string, from: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
  const answer = await fetch(url + path, {
    method,
    headers: {
      origin: url,
      'x-forwarded-for': from,
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

const inSession = { cookie: attackerCookie }
const post = (body: () => unknown, headers: Record<string, string> = {}) => ({ method: 'POST', body, headers })
const BURST = 60
/** The cheap routes, and what a client that floods them may get. */
const FLOODS: readonly (readonly [path: string, sent: Omit<Sent, 'body'> & { body?: () => unknown }, count: number])[] =
  [
    ['/healthz', {}, BURST],
    ['/readyz', {}, BURST],
    ['/public/status', {}, BURST],
    ['/public/about', {}, BURST],
    ['/public/control/events', {}, BURST],
    ['/badge/protocol/aave.svg', {}, BURST],
    ['/openapi.json', {}, BURST],
    ['/api/auth/jwks', {}, BURST],
    ['/api/auth/get-session', { headers: inSession }, BURST],
    ['/api/auth/token', { headers: inSession }, BURST],
    ['/me/api-keys', { headers: inSession }, BURST],
    [`/alerts/unsubscribe?token=${'x'.repeat(32)}`, {}, BURST],
    ['/v1/events', { headers: { authorization: 'Bearer gw_live_x' } }, BURST],
    ['/api/auth/verify-password', post(() => ({ password: password() }), inSession), BURST],
    [
      '/api/auth/change-password',
      post(() => ({ currentPassword: password(), newPassword: password() }), inSession),
      BURST,
    ],
    [
      '/api/auth/sign-in/email',
      post(() => ({ email: `${randomBytes(4).toString('hex')}@example.org`, password: password() })),
      BURST,
    ],
    [
      '/api/auth/sign-up/email',
      post(() => ({ email: `${randomBytes(4).toString('hex')}@example.org`, name: 'x', password: password() })),
      BURST,
    ],
    ['/api/auth/reset-password', post(() => ({ newPassword: password(), token: 'x' })), BURST],
  ]

for (const [n, [path, { body, ...sent }, count]] of FLOODS.entries())
  test(`a flood of ${path.split('?')[0]} makes no request of another client fail`, async () => {
    const flood = Promise.all(
      Array.from({ length: count }, () => send(path, `198.51.100.${n}`, { ...sent, ...(body && { body: body() }) })),
    )
    const others = [
      await send('/v1/events', visitor, { headers: { authorization: `Bearer ${key?.key}` } }),
      await send('/me/api-keys', visitor, { headers: { cookie: userCookie } }),
      await send('/api/auth/get-session', visitor, { headers: { cookie: userCookie } }),
      await send('/public/control/events', visitor),
      await send('/readyz', visitor),
    ]
    assert.deepEqual(others, [200, 200, 200, 200, 200])
    const statuses = new Set(await flood)
    const allowed = body === undefined ? [200, 401, 429] : [200, 400, 401, 429, 503]
    assert.deepEqual(
      [...statuses].filter((status) => !allowed.includes(status)),
      [],
    )
  })

test('routes without a key share the limit of their network', async () => {
  const from = '198.51.100.99'
  const paths = [
    '/public/status',
    '/badge/protocol/aave.svg',
    '/api/auth/jwks',
    '/public/control/events',
    '/me/api-keys',
  ]
  const all = Array.from({ length: VISITS_PER_MINUTE }, (_, n) => paths[n % paths.length] ?? '')
  for (let n = 0; n < all.length; n += 50) await Promise.all(all.slice(n, n + 50).map((path) => send(path, from)))
  for (const path of paths) assert.equal(await send(path, from), 429, path)
  assert.equal(await send('/public/status', visitor), 200)
})
