/** Health, headers, limits and error responses that hold for every route. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { startDatabaseProxy } from '../../../testing/support/database-proxy.ts'
import { serverAt } from '../../../testing/support/server-at.ts'
import {
  AUTH_SECRET,
  makeTestAccount,
  makeTestKey,
  signIn,
  spawnService,
  startService,
} from '../../../testing/support/service.ts'
import { sql } from '../platform/sql.ts'

const store = await createTestDatabase()
const service = await startService(store)
const { url } = service
const { port } = new URL(url)

/** Sends raw bytes and reads the response until the connection closes. */
const raw = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })

test('healthz, readyz and metrics answer without a key', async () => {
  assert.deepEqual(await (await fetch(`${url}/healthz`)).json(), { status: 'ok' })
  assert.deepEqual(await (await fetch(`${url}/readyz`)).json(), { status: 'ready' })
  await fetch(`${url}/v1/contracts/base/secret-in-the-path`)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  assert.match(
    metrics,
    /gatewatch_http_request_duration_seconds_count\{method="GET",route="\/v1\/contracts\/:chain\/:address",status="401"\} \d/,
  )
  assert.doesNotMatch(metrics, /secret-in-the-path/)
})

/** The exact policy: scripts and styles only from our own files, nothing from other sites, no framing. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

test('every response has a request id and the security headers', async () => {
  for (const path of ['/', '/healthz', '/v1/events', '/api/v2/chains', '/me/api-keys', '/nothing', '/openapi.json']) {
    const { headers } = await fetch(url + path)
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/, path)
    assert.equal(headers.get('content-security-policy'), POLICY, path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('access-control-allow-origin'), null)
  }
})

test('OpenAPI 3.1 describes every endpoint of both documents', async () => {
  const { openapi, paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    openapi: string
    paths: Record<string, object>
  }
  assert.equal(openapi, '3.1.0')
  const documented = [
    ...['/events', '/contracts/{chain}/{address}', '/protocols/{slug}', '/me/subscriptions', '/me/notifications'].map(
      (path) => `/v1${path}`,
    ),
    ...[
      '/status',
      '/chains',
      '/fees',
      '/address/{address}',
      '/address/{address}/utxos',
      '/address/{address}/txs',
      '/tx/{txid}',
      '/block/{hashOrHeight}',
      '/simulate',
      '/health/{address}',
      '/analyze/{address}',
      '/usage',
      '/analyze/batch',
    ].map((path) => `/api/v2${path}`),
    ...['overview', 'endpoints', 'chains', 'charts/hourly', 'charts/daily', 'errors', 'logs', 'summary'].map(
      (path) => `/api/v1/analytics/${path}`,
    ),
    '/me/api-keys',
    '/me/api-keys/{id}',
  ]
  assert.deepEqual(
    documented.filter((path) => !(path in paths)),
    [],
  )
})

test('a wrong method on a known path gets 405 with the allowed methods, before any other check', async () => {
  const outcomeOf = async (method: string, path: string) => {
    const response = await fetch(url + path, {
      method,
      ...(method !== 'GET' && method !== 'HEAD' && { body: 'not JSON', headers: { 'content-type': 'text/x' } }),
    })
    const body = (await response.json()) as { code?: string; error: { code?: string } }
    return [response.status, body.code ?? body.error.code, response.headers.get('allow')]
  }
  const refused = [
    ['PUT', '/me/api-keys', 'GET, POST'],
    ['POST', '/me/api-keys/x', 'DELETE'],
    ['GET', '/me/channels/email/test', 'POST'],
    ['DELETE', '/me/operator/accounts', 'GET'],
    ['POST', '/badge/base/0x0.svg', 'GET, HEAD'],
    ['DELETE', '/badge/protocol/x.svg', 'GET, HEAD'],
    ['POST', '/public/status', 'GET'],
    ['POST', '/public/status/history', 'GET'],
    ['PATCH', '/public/control/events', 'GET'],
    ['PUT', '/v1/events', 'GET'],
    ['PUT', '/api/auth/get-session', 'GET'],
    ['GET', '/api/auth/sign-in/email', 'POST'],
    ['DELETE', '/api/auth/verify-password', 'POST'],
    ['POST', '/metrics', 'GET'],
    ['POST', '/contracts/base/0x0', 'GET, HEAD'],
    ['POST', '/alerts/unsubscribe/x', undefined],
  ] as const
  for (const [method, path, allow] of refused)
    assert.deepEqual(
      await outcomeOf(method, path),
      allow === undefined ? [404, 'not_found', null] : [405, 'method_not_allowed', allow],
      `${method} ${path}`,
    )
  for (const [method, path, allow] of [
    ['PUT', '/api/v2/chains', 'GET'],
    ['POST', '/api/v1/analytics/overview', 'GET'],
    ['GET', '/public/coins/btc/simulate', 'POST'],
  ] as const)
    assert.deepEqual(await outcomeOf(method, path), [405, 'METHOD_NOT_ALLOWED', allow], `${method} ${path}`)
  assert.equal((await fetch(`${url}/me/api-keys`, { method: 'HEAD' })).status, 405)
})

test('QUERY without a body, which the framework would refuse itself, is a method as any other', async () => {
  const codeOf = async (path: string) => {
    const response = await fetch(url + path, { method: 'QUERY' })
    return [response.status, ((await response.json()) as { error: { code: string } }).error.code]
  }
  assert.deepEqual(await codeOf('/nowhere'), [404, 'not_found'])
  assert.deepEqual(await codeOf('/v1/events'), [405, 'method_not_allowed'])
})

test('invalid HTTP gets 400 and too large headers 431, in our error shape, and the connection closes', async () => {
  const malformed = await raw('NONSENSE\r\n\r\n')
  assert.match(malformed, /^HTTP\/1\.1 400 [\s\S]*x-request-id[\s\S]*"code":"invalid_request"/)
  const large = await raw(`GET / HTTP/1.1\r\nhost: x\r\nx-pad: ${'a'.repeat(20_000)}\r\n\r\n`)
  assert.match(large, /^HTTP\/1\.1 431 [\s\S]*"code":"headers_too_large"/)
})

test('requests that two servers could parse differently are rejected', async () => {
  const both = await raw(
    'POST /api/v2/simulate HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n0\r\n\r\n',
  )
  assert.match(both, /^HTTP\/1\.1 400 /)
  const twice = await raw(
    'GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\ncontent-length: 5\r\nconnection: close\r\n\r\n',
  )
  assert.match(twice, /^HTTP\/1\.1 400 /)
  for (const [path, second] of [
    ['/healthz', 'host: y'],
    ['/public/about', 'Host: x'],
    ['/v1/events', 'HOST:y'],
    ['/me/api-keys', 'host:'],
  ]) {
    const hosts = await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\n${second}\r\nconnection: close\r\n\r\n`)
    assert.match(hosts, /^HTTP\/1\.1 40[01] /, `${path} ${second}`)
    assert.doesNotMatch(hosts, /^HTTP\/1\.1 200 /)
  }
  const repeated = await raw('GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\nconnection: close\r\n\r\n')
  assert.match(repeated, /The Host header is repeated/)
})

test('a body that is too large, compressed or sets a prototype is rejected', async () => {
  const { key } = await makeTestKey(store.database, await makeTestAccount(store.database), 'v2')
  const simulate = async (body: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', ...more }
    const answer = await fetch(`${url}/api/v2/simulate`, { method: 'POST', headers, body })
    const { code, error } = (await answer.json()) as { code: string; error: string }
    return `${answer.status} ${code}: ${error}`
  }
  const padded = (length: number) => `{"chain":"btc"}${' '.repeat(length - 15)}`
  assert.match(await simulate(padded(256 * 1024)), /^400 INVALID_PARAMETER: fromAddress/)
  assert.match(await simulate(padded(256 * 1024 + 1)), /^413 PAYLOAD_TOO_LARGE/)
  const bomb = new Uint8Array(gzipSync(padded(3_000_000)))
  assert.match(
    await simulate(bomb, { 'content-encoding': 'gzip' }),
    /^415 UNSUPPORTED_MEDIA_TYPE: Send the body without Content-Encoding/,
  )
  for (const hostile of ['"__proto__":{"amount":1}', '"constructor":{"prototype":{"amount":1}}'])
    assert.match(await simulate(`{"chain":"btc",${hostile}}`), /^400 INVALID_PARAMETER: The body is not valid JSON/)
})

test('a URL of more than 4,096 characters gets 414', async () => {
  const { key } = await makeTestKey(store.database, await makeTestAccount(store.database), 'v2')
  const statusOf = async (length: number) => {
    const path = `/api/v2/chains?${'a'.repeat(length - 15)}`
    return (await fetch(url + path, { headers: { 'x-api-key': key } })).status
  }
  assert.deepEqual([await statusOf(4_096), await statusOf(4_097)], [400, 414])
  assert.equal((await fetch(`${url}/badge/protocol/x.svg?${'a'.repeat(4_096)}`)).status, 414, 'of a badge too')
})

test('a client that never reads its responses is disconnected', async () => {
  const server = await serverAt(url)
  assert.equal(server.timeout, 120_000)
  server.timeout = 200 // for those who come now
  const accepted = once(server, 'connection')
  const client = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  client.pause()
  // More than the socket buffers of both sides hold.
  client.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(200))
  const [socket] = (await accepted) as [Socket]
  await once(socket, 'close')
  server.timeout = 120_000
  client.destroy()
})

test('a path that cannot be decoded is rejected in the error shape of its API', async () => {
  for (const [path, expected] of [
    ['/v1/%zz', '401 unauthorized'],
    ['/public/control/protocols/%zz', '400 invalid_request'],
    ['/%zz', '400 invalid_request'],
  ] as const) {
    const response = await fetch(`${url}${path}`)
    const { error } = (await response.json()) as { error: { code: string } }
    assert.equal(`${response.status} ${error.code}`, expected, path)
    assert.match(response.headers.get('x-request-id') ?? '', /-/)
    assert.notEqual(response.headers.get('content-security-policy'), null)
  }
  assert.match(
    await raw('GET /api/%762/status HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
    /^HTTP\/1\.1 40[01] /,
  )
})

describe('during a database outage', () => {
  test('both APIs and /readyz return 503, and recover afterwards', async () => {
    const cable = await startDatabaseProxy(store.url)
    const service = await spawnService({ DATABASE_URL: cable.url, AUTH_SECRET })
    const account = await makeTestAccount(store.database, { plan: 'team' })
    const [v1, v2] = [
      await makeTestKey(store.database, account, 'v1'),
      await makeTestKey(store.database, account, 'v2'),
    ]
    const cookie = await signIn(service, account)
    const readStates = async () => {
      const answers = await Promise.all([
        fetch(`${service.url}/v1/events`, { headers: { authorization: `Bearer ${v1.key}` } }),
        fetch(`${service.url}/api/v2/chains`, { headers: { 'x-api-key': v2.key } }),
        fetch(`${service.url}/readyz`),
        fetch(`${service.url}/me/api-keys`, { headers: { cookie } }),
        fetch(`${service.url}/api/auth/token`, { headers: { cookie } }),
        fetch(`${service.url}/badge/protocol/x.svg`),
      ])
      return Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`))
    }
    assert.deepEqual(
      (await readStates()).map((text) => text.slice(0, 3)),
      ['200', '200', '200', '200', '200', '200'],
    )

    cable.pull()
    const [one, two, ready, me, token, badge] = await readStates()
    assert.match(me ?? '', /^503 \{"error":\{"code":"unavailable","message":"The service cannot reach its database/)
    assert.match(token ?? '', /^503 /)
    assert.match(badge ?? '', /^503 <svg/)
    assert.match(one ?? '', /^503 \{"error":\{"code":"unavailable"/)
    assert.match(two ?? '', /^503 \{"success":false,"error":"[^"]+","code":"UNAVAILABLE"\}/)
    assert.match(ready ?? '', /^503 /)

    cable.plug()
    const isBack = async () => (await readStates()).every((text) => text.startsWith('200'))
    while (!(await isBack()));
    await service.stop()
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line !== '')
    const refusals = lines.filter((line) => /not available|not ready|INTERNAL_SERVER_ERROR/.test(line))
    assert.ok(refusals.length >= 5, 'every 503 is logged')
    assert.deepEqual(
      [...refusals, ...lines.filter((line) => /^\{"level":(50|60)/.test(line))].filter((line) =>
        /^\{"level":(?!30)|"stack"/.test(line),
      ),
      [],
      'an outage is no error of the service: no error and no stack trace',
    )
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('{')),
      [],
      'every line of the log is JSON',
    )
  })

  test('a statement that fails in the middle of a request never looks like a sign-out', async () => {
    const account = await makeTestAccount(store.database)
    const cookie = await signIn(service, account)
    const holder = await store.database.connect()
    const statuses: Record<string, number> = {}
    for (const path of ['/me/api-keys', '/api/auth/get-session', '/api/auth/token']) {
      await holder.query(sql`begin`)
      await holder.query(sql`lock table session in access exclusive mode`)
      const answered = new AbortController()
      const answer = fetch(`${service.url}${path}`, { headers: { cookie } }).finally(() => answered.abort())
      // The connection is ended while it waits to read the session. A request that got a connection which ended before is
      // answered without waiting.
      const end = sql`select pg_terminate_backend(pid) from pg_locks where not granted
        and relation = 'session'::regclass and database = (select oid from pg_database where datname = current_database())`
      while (!answered.signal.aborted && (await holder.query(end)).rowCount === 0);
      await holder.query(sql`rollback`)
      statuses[path] = (await answer).status
    }
    holder.release()
    assert.deepEqual(statuses, { '/me/api-keys': 503, '/api/auth/get-session': 503, '/api/auth/token': 503 })
    // A connection that was ended too, and waits in the pool, fails one more request.
    const statusAfter = async () => (await fetch(`${service.url}/me/api-keys`, { headers: { cookie } })).status
    let status = await statusAfter()
    while (status === 503) status = await statusAfter()
    assert.equal(status, 200)
  })
})
