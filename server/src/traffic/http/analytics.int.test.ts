/** The analytics API: access, logging of requests, and responses. */

import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { testClock } from '../../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../../testing/support/log.ts'
import {
  makeTestAccount,
  makeTestKey,
  type Service,
  signIn,
  startService,
  type TestAccount,
} from '../../../../testing/support/service.ts'
import { changePlans } from '../../accounts/accounts.ts'
import { sql } from '../../platform/sql.ts'

const store = await createTestDatabase()
const { database } = store
// In the current hour of the system clock, because better-auth uses the system clock for tokens.
const clock = testClock(`${new Date().toISOString().slice(0, 13)}:01:00.000Z`)
const now = clock.now()
const service = await startService(store, { clock, env: { TRUST_PROXY: '1', BTC_RPC_URL: 'http://127.0.0.1:1' } })
const { url } = service

async function tokenOf(account: TestAccount, from: Service = service): Promise<string> {
  const answer = await fetch(`${from.url}/api/auth/token`, { headers: { cookie: await signIn(from, account) } })
  return keepSecretOfTest(((await answer.json()) as { token: string }).token)
}
async function call(path: string, token?: string, method = 'GET') {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/v1/analytics${path}`, { method, headers })
  const body = JSON.parse(await answer.text())
  return { status: answer.status, headers: answer.headers, body, outcome: `${answer.status} ${body.code ?? ''}`.trim() }
}

const owner = await makeTestAccount(database, { plan: 'team', utxoPlan: 'pro' })
const otherAccount = await makeTestAccount(database, { plan: 'team' })
const operator = await makeTestAccount(database, { operator: true })
const v1 = await makeTestKey(database, owner, 'v1')
const v2 = await makeTestKey(database, owner, 'v2')
const foreign = await makeTestKey(database, otherAccount, 'v1')
const [token, othersToken, operatorsToken] = [
  await tokenOf(owner),
  await tokenOf(otherAccount),
  await tokenOf(operator),
]

const get = (path: string, headers: Record<string, string>) => fetch(url + path, { headers })
const asV1 = (path: string, key = v1.key) =>
  get(path, { authorization: `Bearer ${key}`, 'x-forwarded-for': '203.0.113.77' })
const asV2 = (path: string) => get(path, { 'x-api-key': v2.key, 'x-forwarded-for': '2001:db8:1:2:3::4' })

const ENDPOINTS = [
  '/overview',
  '/endpoints',
  '/chains',
  '/charts/hourly',
  '/charts/daily',
  '/errors',
  '/logs',
  '/summary',
]

describe('logging', () => {
  const sent: string[] = []
  test('every request with a valid key is logged, and no other', async () => {
    const answers = [
      await asV1('/v1/events'),
      await asV1('/v1/events?chain=8453'),
      await asV1('/v1/events?chain=base&limit=0'),
      await asV1('/v1/nothing'),
      await asV1(`/v1/contracts/ethereum/0x${'11'.repeat(20)}`),
      await asV2('/api/v2/chains'),
      await asV2('/api/v2/fees?chain=ltc'),
      await asV2('/api/v2/status'),
      await fetch(`${url}/api/v2/simulate`, {
        method: 'POST',
        headers: { 'x-api-key': v2.key, 'content-type': 'application/json' },
        body: '{"chain":"btc","amount":"x"}',
      }),
    ]
    sent.push(...answers.map(({ headers }) => headers.get('x-request-id') ?? ''))
    const lengths = await Promise.all(answers.map(async (answer) => (await answer.arrayBuffer()).byteLength))
    const unlogged = [
      await get('/v1/events', {}),
      await get('/v1/events', { authorization: `Bearer gw_live_${'x'.repeat(43)}` }),
      await fetch(`${url}/v1/events`, { method: 'POST', headers: { authorization: `Bearer ${v1.key}` } }),
      await get('/healthz', { 'x-api-key': v2.key }),
    ]
    assert.deepEqual(
      unlogged.map(({ status }) => status),
      [401, 401, 405, 200],
    )
    await asV1('/v1/events', foreign.key)

    const { body } = await call('/logs', token)
    const entries = body.data.logs.toSorted(
      (a: { requestId: string }, b: { requestId: string }) => sent.indexOf(a.requestId) - sent.indexOf(b.requestId),
    )
    const [network4, network6, none] = ['203.0.113.0/24', '2001:db8:1::/48', '127.0.0.0/24']
    assert.deepEqual(
      entries.map((e: Record<string, unknown>) => [e.endpoint, e.chain, e.status, e.code, e.keyId, e.network]),
      [
        ['/v1/events', null, 200, null, v1.id, network4],
        ['/v1/events', 'base', 200, null, v1.id, network4],
        ['/v1/events', 'base', 400, 'invalid_request', v1.id, network4],
        ['/v1/*', null, 404, 'not_found', v1.id, network4],
        ['/v1/contracts/{chain}/{address}', 'ethereum', 404, 'contract_not_found', v1.id, network4],
        ['/api/v2/chains', null, 200, null, v2.id, network6],
        ['/api/v2/fees', 'ltc', 400, 'CHAIN_DISABLED', v2.id, network6],
        ['/api/v2/status', 'btc', 200, null, v2.id, network6],
        ['/api/v2/simulate', 'btc', 400, 'INVALID_PARAMETER', v2.id, none],
      ],
    )
    for (const [index, entry] of entries.entries()) {
      assert.equal(entry.bytes, lengths[index])
      assert.equal(entry.timestamp, new Date(now).toISOString())
      assert.equal(entry.accountId, owner.id)
      assert.ok(entry.latencyMs > 0)
    }
  })

  test('a request rejected by a limit is logged and does not count', async () => {
    const account = await makeTestAccount(database)
    const { key, id } = await makeTestKey(database, account, 'v2')
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async () => (await get('/api/v2/chains', { 'x-api-key': key })).status),
    )
    assert.equal(statuses.filter((status) => status === 429).length, 10)
    const { body } = await call(`/overview?key=${id}`, await tokenOf(account))
    assert.deepEqual(body.data.statuses, [
      { status: 200, requests: 60 },
      { status: 429, requests: 10 },
    ])
    // `/usage`, `/me/utxo-keys` and the headers report the counters that enforce the limits.
    clock.advance(60_000)
    const usage = JSON.parse(await (await get('/api/v2/usage', { 'x-api-key': key })).text())
    assert.deepEqual(usage.data.usage, { apiCalls: 60, limit: 10_000, remaining: 9_940, percentUsed: 0.6 })
    const keys = (await (
      await fetch(`${url}/me/utxo-keys`, { headers: { cookie: await signIn(service, account) } })
    ).json()) as { items: { usageThisMonth: number }[]; usage: { requests: number } }
    assert.deepEqual([keys.items[0]?.usageThisMonth, keys.usage.requests], [60, 60])
    clock.advance(-60_000)
  })

  test('a request whose client disconnects is counted and logged', async () => {
    const account = await makeTestAccount(database)
    const { key, id } = await makeTestKey(database, account, 'v2')
    const { port, hostname } = new URL(url)
    // Locks the counter row of the request, so that the client disconnects before the response.
    await get('/api/v2/chains', { 'x-api-key': key })
    const blocker = await database.connect()
    await blocker.query(sql`begin`)
    await blocker.query(sql`select 1 from request_counter where subject = $1 for update`, [id])
    const socket = connect(Number(port), hostname)
    socket.write(`GET /api/v2/chains HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`)
    const isWaiting = async () =>
      (
        await database.query(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%take_requests%'`,
        )
      ).rowCount === 1
    while (!(await isWaiting()));
    await new Promise<void>((resolve) => socket.once('close', () => resolve()).destroy())
    await blocker.query(sql`rollback`)
    blocker.release()
    const persons = await tokenOf(account)
    const requests = async () => (await call('/overview', persons)).body.data.requests
    while ((await requests()) < 2);
    assert.equal(await requests(), 2)
  })
})

describe('access', () => {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const { kid } = decoded(head)
  const refused = async (forged: string) => assert.equal((await call('/overview', forged)).outcome, '401 INVALID_TOKEN')

  test('every endpoint requires a token and does not accept an API key', async () => {
    for (const path of ENDPOINTS) {
      const { outcome, headers, body } = await call(path)
      assert.equal(outcome, '401 TOKEN_REQUIRED', path)
      assert.equal(body.success, false)
      assert.equal(headers.get('www-authenticate'), 'Bearer')
      await refused(v1.key)
      assert.equal((await call(path, token)).status, 200, path)
    }
  })
  test('no algorithm', () => refused(`${encoded({ alg: 'none', kid })}.${payload}.`))
  test('the public key used as a shared secret', async () => {
    const { keys } = (await (await fetch(`${url}/api/auth/jwks`)).json()) as { keys: { x: string }[] }
    for (const secret of [JSON.stringify(keys[0]), keys[0]?.x ?? '', Buffer.from(keys[0]?.x ?? '', 'base64url')]) {
      const said = `${encoded({ alg: 'HS256', kid })}.${payload}`
      await refused(`${said}.${createHmac('sha256', secret).update(said).digest('base64url')}`)
    }
  })
  test('signed with another key', async () => {
    const said = `${head}.${payload}`
    const { privateKey } = generateKeyPairSync('ed25519')
    await refused(`${said}.${sign(null, Buffer.from(said), privateKey).toString('base64url')}`)
    await refused(`${encoded({ alg: 'EdDSA', kid: 'of nobody' })}.${payload}.${signature}`)
  })
  test('changed claims', () => refused(`${head}.${encoded({ ...decoded(payload), sub: operator.id })}.${signature}`))
  test('expired', async () => {
    clock.set(Date.now() + 16 * 60_000)
    await refused(token)
    clock.set(now)
    assert.equal((await call('/overview', token)).status, 200)
  })
  test('of another service on the same database: wrong issuer and audience', async () => {
    const other = await startService(store)
    const theirs = await tokenOf(owner, other)
    assert.equal(
      (await fetch(`${other.url}/api/v1/analytics/overview`, { headers: { authorization: `Bearer ${theirs}` } }))
        .status,
      200,
    )
    await refused(theirs)
    await other.stop()
  })
  test('an account reads only its own requests; an operator reads all while it is an operator', async () => {
    const endpointsOf = async (path: string, by: string) =>
      (await call(path, by)).body.data.endpoints.map((row: { endpoint: string; requests: number }) => [
        row.endpoint,
        row.requests,
      ])
    assert.deepEqual(await endpointsOf('/endpoints', othersToken), [['/v1/events', 1]])
    assert.deepEqual(await endpointsOf(`/endpoints?key=${v1.id}`, othersToken), [])
    assert.deepEqual(await endpointsOf('/endpoints', operatorsToken), [])
    assert.deepEqual(await endpointsOf(`/endpoints?scope=all&key=${foreign.id}`, operatorsToken), [['/v1/events', 1]])
    for (const path of ENDPOINTS) {
      assert.equal((await call(`${path}?scope=all`, token)).outcome, '403 OPERATOR_REQUIRED')
      assert.equal((await call(`${path}?scope=all`, operatorsToken)).status, 200)
    }
    await changePlans(database, operator.email, { operator: false })
    assert.equal((await call('/logs?scope=all', operatorsToken)).outcome, '403 OPERATOR_REQUIRED')
    await changePlans(database, operator.email, { operator: true })
    const gone = await makeTestAccount(database)
    const goneToken = await tokenOf(gone)
    await database.query(sql`delete from user_account where id = $1`, [gone.id])
    await refused(goneToken)
  })
  test('other methods get 405 and unknown paths 404', async () => {
    const posted = await call('/overview', token, 'POST')
    assert.deepEqual([posted.outcome, posted.headers.get('allow')], ['405 METHOD_NOT_ALLOWED', 'GET'])
    assert.equal((await call('/nothing', token)).outcome, '404 NOT_FOUND')
  })
})

describe('responses', () => {
  const hour = new Date(now - (now % 3_600_000)).toISOString()

  test('overview, endpoints and chains add up to the log', async () => {
    const { data } = (await call('/overview', token)).body
    assert.deepEqual([data.requests, data.successful, data.failed, data.successRate], [9, 4, 5, 44.44])
    assert.deepEqual(data.statuses, [
      { status: 200, requests: 4 },
      { status: 400, requests: 3 },
      { status: 404, requests: 2 },
    ])
    assert.equal(Date.parse(data.to) - Date.parse(data.from), 24 * 3_600_000)
    assert.equal(data.to, new Date(Date.parse(hour) + 3_600_000).toISOString())
    const { logs } = (await call('/logs', token)).body.data
    assert.equal(data.bytes, sum(logs, 'bytes'))
    assert.ok(Math.abs(data.latencyMs.average - sum(logs, 'latencyMs') / 9) < 0.001)
    const { endpoints } = (await call('/endpoints', token)).body.data
    assert.equal(sum(endpoints, 'requests'), 9)
    assert.deepEqual([endpoints[0].endpoint, endpoints[0].requests, endpoints[0].successRate], ['/v1/events', 3, 66.66])
    const { chains } = (await call('/chains', token)).body.data
    const byChain = new Map(chains.map((row: { chain: string; requests: number }) => [row.chain, row.requests]))
    assert.deepEqual(
      byChain,
      new Map([
        [null, 3],
        ['base', 2],
        ['btc', 2],
        ['ethereum', 1],
        ['ltc', 1],
      ]),
    )
  })

  test('charts have a point for every hour and day, including those without requests', async () => {
    const { points } = (await call('/charts/hourly', token)).body.data
    assert.equal(points.length, 24)
    assert.deepEqual([points[23].timestamp, points[23].requests], [hour, 9])
    assert.deepEqual(points[22], {
      timestamp: new Date(Date.parse(hour) - 3_600_000).toISOString(),
      requests: 0,
      successful: 0,
      failed: 0,
      successRate: null,
      bytes: 0,
      latencyMs: { average: null, p50: null, p95: null, p99: null },
    })
    const daily = (await call('/charts/daily', token)).body.data.points
    assert.deepEqual(
      [daily.length, daily[29].timestamp, daily[29].requests],
      [30, `${hour.slice(0, 10)}T00:00:00.000Z`, 9],
    )
    const chosen = (await call(`/charts/daily?from=2026-01-01&to=2026-03-01`, token)).body.data
    assert.deepEqual(
      [chosen.points.length, sum(chosen.points, 'requests'), chosen.to],
      [59, 0, '2026-03-01T00:00:00.000Z'],
    )
  })

  test('errors are counted by code, and the latest are listed', async () => {
    const { codes, errors } = (await call('/errors', token)).body.data
    assert.deepEqual(
      new Set(codes.map(({ status, code }: { status: number; code: string }) => `${status} ${code}`)),
      new Set([
        '400 invalid_request',
        '404 not_found',
        '404 contract_not_found',
        '400 CHAIN_DISABLED',
        '400 INVALID_PARAMETER',
      ]),
    )
    assert.equal(sum(codes, 'requests'), 5)
    assert.equal(errors.length, 5)
    assert.deepEqual((await call('/errors?limit=2', token)).body.data.errors, errors.slice(0, 2))
  })

  test('the log is filtered and paged, by number and by cursor', async () => {
    const all = (await call('/logs', token)).body.data
    assert.deepEqual([all.page, all.pageSize, all.totalPages, all.totalItems, all.nextCursor], [1, 25, 1, 9, null])
    const count = async (query: string) => (await call(`/logs?${query}`, token)).body.data.totalItems
    assert.equal(await count('status=404'), 2)
    assert.equal(await count('status=4xx'), 5)
    assert.equal(await count('chain=base&status=200'), 1)
    assert.equal(await count(`endpoint=${encodeURIComponent('/v1/contracts/{chain}/{address}')}`), 1)
    assert.equal(await count(`key=${v2.id}`), 4)
    assert.equal(await count(`to=${new Date(now).toISOString()}`), 0)
    assert.equal(await count(`from=${new Date(now).toISOString()}`), 9)
    const second = (await call('/logs?page=2&pageSize=4', token)).body.data
    assert.deepEqual([second.totalPages, second.logs], [3, all.logs.slice(4, 8)])
    const read: unknown[] = []
    for (let cursor = ''; ; ) {
      const { logs, nextCursor } = (await call(`/logs?pageSize=4${cursor}`, token)).body.data
      read.push(...logs)
      if (nextCursor === null) break
      cursor = `&cursor=${nextCursor}`
    }
    assert.deepEqual(read, all.logs)
  })

  test('pages beyond the last are empty, pages beyond 10,000 entries are rejected, and a cursor has no limit', async () => {
    const last = (await call('/logs?page=100&pageSize=100', token)).body.data
    assert.deepEqual([last.totalItems, last.logs, last.nextCursor], [9, [], null])
    for (const beyond of ['page=101&pageSize=100', 'page=401', 'page=1000000']) {
      const { outcome, body } = await call(`/logs?${beyond}`, token)
      assert.equal(outcome, '400 INVALID_PARAMETER')
      assert.match(body.error, /^page: .*cursor/)
    }
    const { nextCursor } = (await call('/logs?pageSize=4', token)).body.data
    assert.equal((await call(`/logs?pageSize=4&page=1000000&cursor=${nextCursor}`, token)).body.data.logs.length, 4)
  })

  test('the summary contains all statistics', async () => {
    const { data } = (await call('/summary', token)).body
    const parts = await Promise.all(ENDPOINTS.slice(0, 6).map(async (path) => (await call(path, token)).body.data))
    assert.deepEqual(Object.values(data), parts)
  })

  test('a range older than the hourly rollups is reported by day, and the hourly chart rejects it', async () => {
    const day = now - (now % 86_400_000) - 200 * 86_400_000
    await database.query(
      sql`insert into request_day (starts_at, account_id, key_id, endpoint, chain, status, code, latency_bucket, requests, bytes, latency_us)
       values ($1, $2, $3, '/v1/events', '', 200, '', 10, 5, 0, 5000)`,
      [new Date(day), owner.id, v1.id],
    )
    const at = (hours: number) => new Date(day + hours * 3_600_000).toISOString()
    const { body } = await call(`/overview?from=${at(10)}&to=${at(12)}`, token)
    assert.deepEqual([body.data.requests, body.data.from, body.data.to], [5, at(0), at(24)])
    const chart = await call(`/charts/hourly?from=${at(10)}&to=${at(12)}`, token)
    assert.equal(chart.outcome, '400 INVALID_PARAMETER')
    assert.match(chart.body.error, /92 days.*\/charts\/daily/)
    const summary = await call(`/summary?from=${at(10)}&to=${at(12)}`, token)
    assert.equal(summary.body.data.overview.requests, 5)
    assert.equal(summary.body.data.hourly.points.length, 24, 'the hours there are, of its usual length')
    await database.query(sql`delete from request_day where starts_at = $1`, [new Date(day)])
  })

  test('misspelled, out-of-range and reversed parameters are rejected', async () => {
    const wrong = [
      '/overview?form=2026-01-01',
      '/overview?from=yesterday',
      '/overview?from=1760000000000',
      '/overview?from=2026-01-02T10:10:00Z&to=2026-01-02T10:05:00Z',
      '/overview?from=2020-01-01&to=2026-01-01',
      '/charts/hourly?from=2026-01-01&to=2026-03-01',
      '/overview?scope=mine',
      '/overview?key=1',
      '/logs?status=2000',
      '/logs?chain=Base',
      '/logs?pageSize=101',
      '/logs?page=0',
      '/logs?cursor=bm9wZQ',
      '/errors?limit=0',
    ]
    for (const path of wrong) assert.equal((await call(path, token)).outcome, '400 INVALID_PARAMETER', path)
  })
})

const sum = (rows: readonly Record<string, number>[], field: string): number =>
  rows.reduce((total, row) => total + (row[field] ?? Number.NaN), 0)
