import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../../testing/support/log.ts'
import { makeTestAccount, signIn, startService, type TestAccount } from '../../../../testing/support/service.ts'
import { sql } from '../../platform/sql.ts'

const store = await createTestDatabase()
const { database } = store
const clock = testClock('2026-11-15T12:00:00.000Z')
const service = await startService(store, { clock })
const { url } = service

async function as(account: TestAccount) {
  const cookie = await signIn(service, account)
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = { origin: url }) => {
    const answer = await fetch(url + path, {
      method,
      headers: { cookie, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const json = JSON.parse(await answer.text())
    if (typeof json.key === 'string') keepSecretOfTest(json.key)
    return {
      status: answer.status,
      headers: answer.headers,
      body: json,
      outcome: `${answer.status} ${json.error?.code ?? ''}`.trim(),
    }
  }
}

const team = await as(await makeTestAccount(database, { plan: 'team', utxoPlan: 'enterprise' }))
const free = await as(await makeTestAccount(database))

test('requests without a session get 401 unauthorized', async () => {
  for (const [method, path] of [
    ['GET', '/me/api-keys'],
    ['POST', '/me/api-keys'],
    ['DELETE', '/me/api-keys/x'],
    ['GET', '/me/utxo-keys'],
  ] as const) {
    const answer = await fetch(url + path, { method, headers: { cookie: 'gatewatch.session_token=forged.AAAA' } })
    assert.equal(
      `${answer.status} ${((await answer.json()) as { error: { code: string } }).error.code}`,
      '401 unauthorized',
    )
  }
})

test('an API key is not a session', async () => {
  const { body } = await team('POST', '/me/api-keys', { name: 'not a session' })
  const answer = await fetch(`${url}/me/api-keys`, { headers: { authorization: `Bearer ${body.key}` } })
  assert.equal(answer.status, 401)
  await team('DELETE', `/me/api-keys/${body.id}`)
})

test('a key is created, shown once, listed without its secret, counted, and revoked', async () => {
  const made = await team('POST', '/me/api-keys', { name: '  laptop ' })
  assert.equal(made.status, 201)
  assert.match(made.body.key, /^gw_live_[\w-]{43}$/)
  assert.deepEqual(Object.keys(made.body), ['id', 'name', 'prefix', 'key', 'createdAt', 'lastUsedAt', 'usageThisMonth'])
  assert.deepEqual(
    [made.body.name, made.body.prefix, made.body.lastUsedAt, made.body.usageThisMonth],
    ['laptop', made.body.key.slice(0, 'gw_live_'.length + 6), null, 0],
  )

  const use = () => fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${made.body.key}` } })
  assert.equal((await use()).status, 200)
  assert.equal((await use()).status, 200)

  const { key: _key, ...record } = made.body
  assert.deepEqual((await team('GET', '/me/api-keys')).body, {
    plan: 'team',
    items: [{ ...record, lastUsedAt: '2026-11-15T12:00:00.000Z', usageThisMonth: 2 }],
    usage: { month: '2026-11', requests: 2, limit: 100_000, resetAt: '2026-12-01T00:00:00.000Z' },
    limits: { apiKeys: 5, apiRequestsPerMinute: 60, apiRequestsPerMonth: 100_000 },
  })

  assert.deepEqual((await team('DELETE', `/me/api-keys/${record.id}`)).body, { revoked: true, id: record.id })
  assert.equal((await team('DELETE', `/me/api-keys/${record.id}`)).outcome, '404 key_not_found')
  while ((await use()).status !== 401);
  const { items, usage } = (await team('GET', '/me/api-keys')).body
  // Requests and limit are those of the active keys, and there is none.
  assert.deepEqual([items, usage.requests, usage.limit], [[], 0, 0])
})

test('a key with an expiry is refused from then on, and does not count toward the limit', async () => {
  const account = await as(await makeTestAccount(database, { plan: 'team' }))
  const made = await account('POST', '/me/api-keys', { name: 'short', expiresInDays: 1 })
  assert.equal(made.body.expiresAt, '2026-11-16T12:00:00.000Z')
  const use = async () =>
    (await fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${made.body.key}` } })).status
  assert.equal(await use(), 200)
  for (let n = 1; n < 5; n += 1) await account('POST', '/me/api-keys', { name: `key ${n}` })
  assert.equal((await account('POST', '/me/api-keys', { name: 'sixth' })).outcome, '409 limit_reached')
  clock.advance(86_400_000)
  assert.equal(await use(), 401)
  assert.equal((await account('GET', '/me/api-keys')).body.usage.limit, 400_000)
  assert.equal((await account('POST', '/me/api-keys', { name: 'sixth' })).status, 201)
  assert.equal((await account('GET', '/me/api-keys')).body.items.length, 6)
  for (const expiresInDays of [0, 3_651, 1.5, '30'])
    assert.equal((await account('POST', '/me/api-keys', { name: 'x', expiresInDays })).outcome, '400 invalid_request')
  clock.advance(-86_400_000)
})

test('only the SHA-256 of a key is stored', async () => {
  const { body } = await team('POST', '/me/api-keys', { name: 'hash' })
  const { rows } = await database.query(
    sql`select hash = sha256($1::bytea) as is_hash, to_jsonb(api_key)::text as row from api_key where id = $2`,
    [Buffer.from(body.key), body.id],
  )
  assert.equal(rows[0]?.is_hash, true)
  assert.equal(rows[0]?.row.includes(body.key.slice('gw_live_'.length + 6)), false)
  await team('DELETE', `/me/api-keys/${body.id}`)
})

test('403 plan_required outside the Team plan, for v1 only', async () => {
  assert.equal((await free('POST', '/me/api-keys', { name: 'x' })).outcome, '403 plan_required')
  assert.equal((await free('GET', '/me/api-keys')).body.plan, 'free')
  const made = await free('POST', '/me/utxo-keys', { name: 'x' })
  assert.equal(made.status, 201)
  assert.match(made.body.key, /^utxo_live_[\w-]{43}$/)
  assert.equal(made.body.prefix, made.body.key.slice(0, 'utxo_live_'.length + 6))
})

test('an unlimited month is written as -1', async () => {
  const { body } = await team('GET', '/me/utxo-keys')
  assert.deepEqual(
    [body.plan, body.usage.limit, body.limits],
    ['enterprise', -1, { apiKeys: 5, apiRequestsPerMinute: 1000, apiRequestsPerMonth: -1 }],
  )
})

test('400 invalid_request for an invalid name', async () => {
  for (const body of [
    {},
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(65) },
    { name: 7 },
    { name: 'x', plan: 'team' },
    [],
  ]) {
    assert.equal((await team('POST', '/me/api-keys', body)).outcome, '400 invalid_request', JSON.stringify(body))
  }
})

test('the length of a name is counted in characters, not bytes', async () => {
  const { status, body } = await team('POST', '/me/api-keys', { name: '🔑'.repeat(64) })
  assert.equal(status, 201)
  await team('DELETE', `/me/api-keys/${body.id}`)
})

test('usage is that of the active keys, unknown parameters are rejected, and responses are not cached', async () => {
  const account = await as(await makeTestAccount(database, { plan: 'team' }))
  const { body } = await account('POST', '/me/api-keys', { name: 'short-lived' })
  await fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${body.key}` } })
  // Some clients send a content type without a body.
  assert.equal(
    (await account('DELETE', `/me/api-keys/${body.id}`, undefined, { origin: url, 'content-type': 'application/json' }))
      .status,
    200,
  )
  const list = await account('GET', '/me/api-keys')
  assert.deepEqual([list.body.items, list.body.usage.requests, list.headers.get('cache-control')], [[], 0, 'no-store'])
  assert.equal((await account('GET', '/me/api-keys?x=1')).outcome, '400 invalid_request')
})

test('409 limit_reached for the sixth key, also for concurrent requests', async () => {
  const account = await as(await makeTestAccount(database, { plan: 'team' }))
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, n) => account('POST', '/me/api-keys', { name: `key ${n}` })),
  )
  assert.deepEqual(answers.map(({ outcome }) => outcome).sort(), [
    ...Array.from({ length: 5 }, () => '201'),
    ...Array.from({ length: 4 }, () => '409 limit_reached'),
  ])
  assert.equal((await account('GET', '/me/api-keys')).body.usage.limit, 500_000)
  assert.equal((await account('POST', '/me/utxo-keys', { name: 'other interface' })).status, 201)
})

test("an account cannot revoke another account's key or a key of the other API under this path", async () => {
  const { body } = await team('POST', '/me/api-keys', { name: 'mine' })
  assert.equal((await free('DELETE', `/me/api-keys/${body.id}`)).outcome, '404 key_not_found')
  assert.equal((await team('DELETE', `/me/utxo-keys/${body.id}`)).outcome, '404 key_not_found')
  assert.equal((await team('DELETE', '/me/api-keys/not-a-uuid')).outcome, '404 key_not_found')
  assert.equal((await team('GET', '/me/api-keys')).body.items.length, 1)
})

test('changes are accepted only from our own pages', async () => {
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: url, 'sec-fetch-site': 'cross-site' },
    { origin: `${url}.evil.example` },
  ]) {
    assert.equal(
      (await team('POST', '/me/api-keys', { name: 'x' }, headers)).outcome,
      '403 cross_origin',
      JSON.stringify(headers),
    )
  }
  const reading = await team('GET', '/me/api-keys', undefined, { origin: 'https://evil.example' })
  assert.equal(reading.headers.get('access-control-allow-origin'), null)
})

test('ids and texts with a NUL character are rejected', async () => {
  const operator = await as(await makeTestAccount(database, { operator: true }))
  assert.equal((await team('DELETE', '/me/api-keys/%00')).outcome, '404 key_not_found')
  assert.equal((await team('DELETE', '/me/utxo-keys/a%00')).outcome, '404 key_not_found')
  assert.equal(
    (await operator('PATCH', '/me/operator/accounts/%00', { plan: 'team' })).outcome,
    '404 account_not_found',
  )
  assert.equal((await operator('GET', '/me/operator/accounts?search=%00')).outcome, '400 invalid_request')
  assert.equal((await team('POST', '/me/api-keys', { name: 'a\0b' })).outcome, '400 invalid_request')

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = `${part({ alg: 'EdDSA', kid: '\0' })}.${part({ sub: 'x', iss: url, aud: url, exp: 9e9 })}.AAAA`
  const overview = `${url}/api/v1/analytics/overview`
  assert.equal((await fetch(overview, { headers: { authorization: `Bearer ${forged}` } })).status, 401)

  const password = keepSecretOfTest('long enough for anyone')
  const texts = [
    ['/api/auth/sign-up/email', { email: 'nul@example.org', password, name: 'a\0b' }],
    ['/api/auth/sign-in/email', { email: 'a\0b@example.org', password }],
    ['/api/auth/update-user', { name: 'a\0b' }],
    ['/api/auth/update-user', { image: 'a\0b' }],
    ['/api/auth/reset-password', { newPassword: password, token: 'a\0b' }],
    ['/api/auth/revoke-session', { token: 'a\0b' }],
  ] as const
  for (const [path, body] of texts) {
    const { status } = await team('POST', path, body)
    assert.ok(status >= 400 && status < 500, `${path} ${JSON.stringify(body)}: ${status}`)
  }
  const landing = await fetch(`${url}/api/auth/reset-password/%00?callbackURL=%2Freset`, { redirect: 'manual' })
  assert.match(landing.headers.get('location') ?? '', /error=INVALID_TOKEN/)
})
