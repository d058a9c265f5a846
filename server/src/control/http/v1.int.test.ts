/** Keys, plans, limits, methods and parameters of `/v1`, over real HTTP. Every response is compared with openapi.json. */

import assert from 'node:assert/strict'
import { request as rawRequest } from 'node:http'
import { test } from 'node:test'
import { testClock } from '../../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { codeOf, v1Caller } from '../../../../testing/support/v1-caller.ts'
import { changePlans } from '../../accounts/accounts.ts'
import { revokeKey } from '../../accounts/api-keys.ts'
import { sql } from '../../platform/sql.ts'

const store = await createTestDatabase()
const { database } = store
const clock = testClock('2026-11-15T12:00:00.000Z')
const service = await startService(store, { clock })
const { url } = service
const team = await makeTestAccount(database, { plan: 'team' })
const { key } = await makeTestKey(database, team, 'v1')
const get = v1Caller(service, clock, key)

test('an empty feed has the envelope and the headers', async () => {
  const { status, headers, body } = await get('/v1/events')
  assert.equal(status, 200)
  assert.deepEqual(body, { data: [], nextCursor: null })
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('x-service-quota-remaining') ?? '', /^\d+$/)
  assert.equal(headers.get('x-service-quota-reset'), '2026-12-01T00:00:00.000Z')
  assert.equal(headers.get('access-control-allow-origin'), null)
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/)
})

test('remaining counts down by one', async () => {
  const first = Number((await get('/v1/events')).headers.get('x-service-quota-remaining'))
  const second = Number((await get('/v1/me/subscriptions')).headers.get('x-service-quota-remaining'))
  assert.equal(second, first - 1)
})

test('401 unauthorized for a missing or malformed header, invalid_api_key for an unknown key', async () => {
  for (const authorization of [undefined, '', 'Bearer', 'Basic abc', key, `Bearer a b`]) {
    const response = await get('/v1/events', null, authorization === undefined ? {} : { headers: { authorization } })
    assert.equal(codeOf(response), '401 unauthorized', authorization)
    assert.equal(response.headers.get('x-service-quota-remaining'), null)
    assert.equal(response.headers.get('cache-control'), 'no-store')
  }
  for (const wrong of [
    'x',
    `${key}x`,
    key.slice(0, -1),
    key.toUpperCase(),
    `gw_live_${'A'.repeat(43)}`,
    `utxo_live_${'A'.repeat(43)}`,
  ]) {
    assert.equal(codeOf(await get('/v1/events', wrong)), '401 invalid_api_key', wrong)
  }
})

test('the bearer scheme is case-insensitive', async () => {
  assert.equal((await get('/v1/events', null, { headers: { authorization: `bearer ${key}` } })).status, 200)
})

test('a key of the other API is invalid', async () => {
  const other = await makeTestKey(database, team, 'v2')
  const refused = await get('/v1/events', other.key)
  assert.equal(codeOf(refused), '401 invalid_api_key')
  assert.match(refused.body.error.message, /^This is a key of the v2 API\. Send a key of the v1 API \(gw_live_…\)/)
})

test('a revoked key is invalid at once', async () => {
  const revoked = await makeTestKey(database, team, 'v1')
  assert.equal((await get('/v1/events', revoked.key)).status, 200)
  await revokeKey(database, revoked.id)
  // The revocation reaches the process with a notification: repeat the request until it has.
  while ((await get('/v1/events', revoked.key)).status !== 401);
  assert.equal(codeOf(await get('/v1/events', revoked.key)), '401 invalid_api_key')
})

test('403 plan_required as soon as the account leaves the Team plan, and 200 when it returns', async () => {
  const account = await makeTestAccount(database, { plan: 'team' })
  const { key: downgraded } = await makeTestKey(database, account, 'v1')
  assert.equal((await get('/v1/events', downgraded)).status, 200)
  await changePlans(database, account.email, { plan: 'free' })
  while ((await get('/v1/events', downgraded)).status === 200);
  assert.equal(codeOf(await get('/v1/events', downgraded)), '403 plan_required')
  await changePlans(database, account.email, { plan: 'team' })
  while ((await get('/v1/events', downgraded)).status === 403);
  assert.equal((await get('/v1/events', downgraded)).status, 200)
})

test('405 for every other method under /v1, for known and unknown paths, with and without a key', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of ['/v1/events', '/v1/nothing', '/v1']) {
      const response = await get(path, null, { method })
      assert.equal(codeOf(response), '405 method_not_allowed', `${method} ${path}`)
      assert.equal(response.headers.get('allow'), 'GET')
      assert.equal(response.headers.get('access-control-allow-origin'), null)
    }
  }
  assert.equal((await get('/v1/events', null, { method: 'HEAD' })).status, 405)
})

test('405 for a method that Fastify does not know', async () => {
  const status = await new Promise((resolve, reject) => {
    rawRequest(`${url}/v1/events`, { method: 'PROPFIND' }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
  assert.equal(status, 405)
})

test('404 in the v1 error shape for an unknown route, counted and with quota headers', async () => {
  const response = await get('/v1/nothing')
  assert.equal(codeOf(response), '404 not_found')
  assert.notEqual(response.headers.get('x-service-quota-remaining'), null)
  assert.equal(codeOf(await get('/v1/nothing', null)), '401 unauthorized')
  assert.equal(codeOf(await get('/nothing', null)), '404 not_found')
})

test('a path that cannot be decoded is checked after method and key, counts, and has the quota headers', async () => {
  const path = '/v1/contracts/ethereum/%E0%A4%A'
  assert.equal(codeOf(await get(path, key, { method: 'POST' })), '405 method_not_allowed')
  assert.equal(codeOf(await get(path, null)), '401 unauthorized')
  const before = Number((await get('/v1/events')).headers.get('x-service-quota-remaining'))
  const response = await get(path)
  assert.equal(codeOf(response), '400 invalid_request')
  assert.equal(Number(response.headers.get('x-service-quota-remaining')), before - 1)
})

test('404 for an unknown contract and protocol', async () => {
  assert.equal(
    codeOf(await get('/v1/contracts/ethereum/0x000000000000000000000000000000000000dEaD')),
    '404 contract_not_found',
  )
  assert.equal(
    codeOf(await get('/v1/contracts/42161/0x000000000000000000000000000000000000dead')),
    '404 contract_not_found',
  )
  assert.equal(codeOf(await get('/v1/protocols/nobody-knows-it')), '404 protocol_not_found')
  assert.equal(codeOf(await get('/v1/pending?protocol=nobody-knows-it')), '404 protocol_not_found')
})

const refusals: readonly (readonly [string, string])[] = [
  ['/v1/events?chain=solana', 'unknown_chain'],
  ['/v1/events?chain=', 'unknown_chain'],
  ['/v1/contracts/solana/0x000000000000000000000000000000000000dead', 'unknown_chain'],
  ['/v1/events?address=0x12', 'invalid_address'],
  ['/v1/events?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD0', 'invalid_address'],
  ['/v1/events?address=0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'invalid_address'],
  ['/v1/contracts/base/nope', 'invalid_address'],
  ['/v1/events?severity=low', 'invalid_request'],
  ['/v1/events?category=upgrades', 'invalid_request'],
  ['/v1/events?includeInit=yes', 'invalid_request'],
  ['/v1/events?limit=0', 'invalid_request'],
  ['/v1/events?limit=201', 'invalid_request'],
  ['/v1/events?limit=1.5', 'invalid_request'],
  ['/v1/events?limit=10&limit=20', 'invalid_request'],
  ['/v1/events?chian=base', 'invalid_request'],
  ['/v1/events?cursor=abc', 'invalid_cursor'],
  ['/v1/me/notifications?limit=501', 'invalid_request'],
  ['/v1/me/subscriptions?limit=501', 'invalid_request'],
  ['/v1/me/subscriptions?page=1', 'invalid_request'],
  ['/v1/protocols/aave?x=1', 'invalid_request'],
  ['/v1/pending?chain=solana', 'unknown_chain'],
  ['/v1/pending?address=0x12', 'invalid_address'],
  ['/v1/pending?state=ready', 'invalid_request'],
  ['/v1/pending?limit=101', 'invalid_request'],
  ['/v1/pending?cursor=abc', 'invalid_cursor'],
]
for (const [path, code] of refusals) {
  test(`400 ${code}: ${path}`, async () => {
    const response = await get(path)
    assert.equal(codeOf(response), `400 ${code}`)
    assert.notEqual(response.headers.get('x-service-quota-remaining'), null)
  })
}

test('details name each parameter and its reason', async () => {
  const { body } = await get('/v1/events?limit=0&severity=low&foo=1')
  assert.deepEqual(body.error.details, {
    limit: 'must be a whole number from 1 to 200',
    severity: 'must be one of info, high, critical',
    foo: 'is not a known parameter',
  })
})

test('input is accepted in any case, a checksum address with its checksum', async () => {
  for (const address of [
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ]) {
    assert.equal((await get(`/v1/events?address=${address}`)).status, 200, address)
  }
})

test('429 rate_limited for the sixty-first request of a minute, which does not count toward the quota', async () => {
  const { key: fast } = await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')
  const getEvents = () => fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${fast}` } })
  const opened = clock.now()
  for (let n = 0; n < 60; n++) assert.equal((await getEvents()).status, 200)
  clock.set(opened + 30_500)
  const refused = await getEvents()
  const body = (await refused.json()) as { error: { code: string; message: string } }
  assert.equal(`${refused.status} ${body.error.code}`, '429 rate_limited')
  assert.match(body.error.message, /Retry in 30 seconds/)
  assert.equal(refused.headers.get('retry-after'), '30')
  assert.equal(refused.headers.get('x-service-quota-remaining'), '99940')
  clock.set(opened + 60_000)
  assert.equal((await getEvents()).headers.get('x-service-quota-remaining'), '99939')
})

test('429 quota_exceeded for request 100,001 of a month, until the next month starts', async () => {
  const { key: busy, id } = await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')
  const getEvents = () => fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${busy}` } })
  assert.equal((await getEvents()).status, 200)
  await database.query(sql`update request_counter set month_used = 99999 where subject = $1`, [id])
  const last = await getEvents()
  assert.deepEqual([last.status, last.headers.get('x-service-quota-remaining')], [200, '0'])
  const refused = await getEvents()
  assert.equal(refused.status, 429)
  assert.deepEqual(((await refused.json()) as { error: { details: unknown } }).error, {
    code: 'quota_exceeded',
    message: 'The quota of 100000 requests a month is used up. It resets at 2026-12-01T00:00:00.000Z.',
    details: { limit: 100_000, used: 100_000, resetAt: '2026-12-01T00:00:00.000Z' },
  })
  clock.set('2026-11-30T23:59:59.999Z')
  assert.equal((await getEvents()).status, 429)
  clock.set('2026-12-01T00:00:00.000Z')
  const next = await getEvents()
  assert.deepEqual(
    [next.status, next.headers.get('x-service-quota-remaining'), next.headers.get('x-service-quota-reset')],
    [200, '99999', '2027-01-01T00:00:00.000Z'],
  )
})
