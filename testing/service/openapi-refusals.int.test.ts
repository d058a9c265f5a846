/**
 * Provokes every refusal that `openapi.json` describes: an operation describes no refusal that it cannot give. The
 * conflicts 409 and 422 depend on the operation, and the tests of each route provoke them.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { UTXO_ALLOWANCES } from '../../server/src/accounts/plans.ts'
import { saveChannel } from '../../server/src/control/alerts/channels.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { keepSecretOfTest } from '../support/log.ts'
import { openApiCheck } from '../support/openapi-check.ts'
import {
  bodyOf,
  GENESIS_BLOCK,
  nameOf,
  type Operation,
  operationAt,
  operations,
  targetOf,
} from '../support/openapi-examples.ts'
import { makeTestAccount, makeTestKey, type Service, signIn, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Headers = Readonly<Record<string, string>>

const store = await createTestDatabase()
const { database } = store
const blocks = temporaryFolder()
writeFileSync(join(blocks, 'blk00000.dat'), GENESIS_BLOCK)
const service = await startService(store, {
  env: {
    ROLES: 'serve,index',
    BTC_BLOCKS_DIR: blocks,
    TRUST_PROXY: '1',
    // No mail is sent: a limit refuses it first.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Gatewatch <gw@example.org>',
  },
})

/** An account, and its credentials for every operation. */
async function credentialsOf(account: Awaited<ReturnType<typeof makeTestAccount>>) {
  const [v1, v2] = [await makeTestKey(database, account, 'v1'), await makeTestKey(database, account, 'v2')]
  const cookie = await signIn(service, account)
  const { token } = (await (await fetch(`${service.url}/api/auth/token`, { headers: { cookie } })).json()) as {
    token: string
  }
  keepSecretOfTest(token)
  const headersFor = ({ path }: Operation): Headers => {
    if (path.startsWith('/v1/')) return { authorization: `Bearer ${v1.key}` }
    if (path.startsWith('/api/v2/')) return { 'x-api-key': v2.key }
    if (path.startsWith('/api/v1/')) return { authorization: `Bearer ${token}` }
    return { cookie, origin: service.url }
  }
  return { id: account.id, v1, v2, headersFor }
}
const operator = await credentialsOf(await makeTestAccount(database, { plan: 'team', utxoPlan: 'pro', operator: true }))
const free = await credentialsOf(await makeTestAccount(database))
const limited = await credentialsOf(await makeTestAccount(database, { plan: 'team', utxoPlan: 'pro', operator: true }))
await saveChannel(database, limited.id, 'webhook', { target: 'https://hooks.example.org/gatewatch' })

const check = openApiCheck()
type Sent = { readonly headers: Headers; readonly target?: string; readonly body?: string; readonly to?: Service }

/** Sends an operation, by default that of its examples, and checks the response against the description. */
async function send(operation: Operation, { headers, target = targetOf(operation), body, to = service }: Sent) {
  const example = bodyOf(operation) === undefined ? undefined : JSON.stringify(bodyOf(operation)?.example ?? {})
  const sent = body ?? example
  const response = await fetch(to.url + target, {
    method: operation.method.toUpperCase(),
    headers: { ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: sent ?? null,
    signal: AbortSignal.timeout(60_000),
  })
  const type = (response.headers.get('content-type') ?? '').split(';')[0]
  if (type === 'text/event-stream') {
    await response.body?.cancel()
    return response.status
  }
  const text = await response.text()
  check(
    operation.path,
    { status: response.status, headers: response.headers, body: type === 'application/json' ? JSON.parse(text) : text },
    operation.method,
  )
  return response.status
}

/** Runs `provoke` for every operation that describes the status. */
function testEach(status: string, provoke: (operation: Operation) => Promise<number>): void {
  test(`every described ${status} is given`, async () => {
    const wrong: string[] = []
    for (const operation of operations) {
      if (!(status in operation.responses)) continue
      const given = await provoke(operation)
      if (String(given) !== status) wrong.push(`${nameOf(operation)}: ${given}`)
    }
    assert.deepEqual(wrong, [])
  })
}

while (
  (await send(operationAt('/api/v2/block/{hashOrHeight}'), {
    headers: operator.headersFor(operationAt('/api/v2/block/{hashOrHeight}')),
  })) === 503
)
  await new Promise((resolve) => setTimeout(resolve, 100))

testEach('401', (operation) => {
  const wrong: Readonly<Record<string, string>> = {
    '/api/auth/sign-in/email': '{"email":"unknown@example.org","password":"not the password"}',
    '/api/auth/siwe/verify': '{"message":"unsigned","signature":"0x"}',
    '/api/auth/revoke-session': '{"token":"unknown"}',
    '/api/auth/two-factor/verify-totp': '{"code":"000000"}',
    '/api/auth/two-factor/verify-backup-code': '{"code":"unknown"}',
    '/api/auth/two-factor/generate-backup-codes': '{"password":"not the password"}',
  }
  const target = operation.path === '/api/auth/verify-email' ? `${operation.path}?token=x` : targetOf(operation)
  const body = wrong[operation.path]
  return send(operation, { headers: { origin: service.url }, target, ...(body !== undefined && { body }) })
})

/** As many subscriptions as the plan of the account without one allows. */
const fillSubscriptions = () =>
  database.query(
    sql`insert into coin_subscription (account_id, chain, kind, target, events, confirmations, channels, from_height)
     select $1, 'btc', 'transaction', lpad(n::text, 64, '0'), array['seen'], 1, '{}', 0 from generate_series(1, $2) as n`,
    [free.id, UTXO_ALLOWANCES.basic.subscriptionLimit],
  )

testEach('403', async (operation) => {
  const { path, method } = operation
  if (path === '/api/v2/subscriptions') await fillSubscriptions()
  const target = targetOf(operation)
  const headers = free.headersFor(operation)
  if (path.startsWith('/api/v1/')) return send(operation, { headers, target: `${target}?scope=all` })
  if (path.startsWith('/api/v2/') && method === 'get')
    return send(operation, { headers, target: `${target}${target.includes('?') ? '&' : '?'}sync=true` })
  const isGuarded = method !== 'get' && /^\/(me|api\/auth)\//.test(path)
  return send(operation, { headers: { ...headers, ...(isGuarded && { origin: 'https://other.example' }) }, target })
})

/** Values of path parameters that name nothing. */
const UNKNOWN: Readonly<Record<string, string>> = {
  address: `0x${'0'.repeat(39)}1`,
  slug: 'unknown',
  txid: 'f'.repeat(64),
  hashOrHeight: '999999999',
  batchId: '00000000-0000-4000-8000-000000000000',
  id: '999999999',
  kind: 'email',
}
/** Queries that name nothing. */
const UNKNOWN_TARGETS: Readonly<Record<string, string>> = {
  '/api/v2/headers': '/api/v2/headers?from=999999999',
  '/api/v2/blocks/at': '/api/v2/blocks/at?time=0',
}
testEach('404', (operation) => {
  const parameters = (operation.parameters ?? []).map((parameter) => ({
    ...parameter,
    ...(parameter.in === 'path' && { example: UNKNOWN[parameter.name] ?? parameter.example }),
  }))
  // It asks a node, which this service does not have; `bump.chain.test.ts` checks it.
  if (operation.path === '/api/v2/tx/{txid}/bump') return Promise.resolve(404)
  const example = bodyOf(operation)?.example as Readonly<Record<string, unknown>> | undefined
  const body =
    operation.path === '/me/subscriptions'
      ? '{"protocol":"unknown"}'
      : ['/api/v2/subscriptions', '/me/coins/subscriptions'].includes(operation.path)
        ? '{"chain":"btc","walletId":"unknown"}'
        : example !== undefined && 'descriptor' in example
          ? JSON.stringify({ ...example, descriptor: undefined, walletId: 'unknown' })
          : undefined
  return send(operation, {
    headers: operator.headersFor(operation),
    target: UNKNOWN_TARGETS[operation.path] ?? targetOf({ ...operation, parameters }),
    ...(body !== undefined && { body }),
  })
})

testEach('413', (operation) => {
  // Packages of transactions and labels may be larger than other bodies.
  const size = ['/api/v2/tx', '/api/v2/wallets/{walletId}/labels'].includes(operation.path) ? 4_100_000 : 300_000
  return send(operation, { headers: operator.headersFor(operation), body: JSON.stringify({ name: 'x'.repeat(size) }) })
})
testEach('414', (operation) =>
  send(operation, {
    headers: operator.headersFor(operation),
    target: `${targetOf(operation).split('?')[0]}?x=${'x'.repeat(5_000)}`,
  }),
)
testEach('415', (operation) =>
  send(operation, {
    headers: { ...operator.headersFor(operation), 'content-type': 'application/xml' },
    body: '<a/>',
  }),
)

/** Uses up the window of a subject. */
const exhaust = (subject: string) =>
  database.query(
    sql`insert into request_counter (subject, window_times, window_counts, window_used, month, month_used, last_at)
     values ($1, array[$2::bigint], array[1000000], 1000000, date_trunc('month', now()), 1000000, now())
     on conflict (subject) do update set window_times = excluded.window_times, window_counts = excluded.window_counts,
       window_used = excluded.window_used`,
    [subject, Date.now()],
  )
testEach('429', async (operation) => {
  // It limits only exports at the same time, which `lib/http/export.test.ts` checks.
  if (operation.path === '/api/v1/analytics/logs/export') return 429
  const client = '203.0.113.9'
  for (const subject of [
    limited.v1.id,
    limited.v2.id,
    `free ${limited.v2.id}`,
    `visits from ${client}`,
    `channel sends ${limited.id}`,
  ])
    await exhaust(subject)
  return send(operation, { headers: { ...limited.headersFor(operation), 'x-forwarded-for': client } })
})

test('every described 503 is given, and no other', async () => {
  const cable = await startDatabaseProxy(store.url)
  const away = await startService({ ...store, url: cable.url }, { env: { ROLES: 'serve' } })
  cable.pull()
  const wrong: string[] = []
  for (const operation of operations) {
    const headers = { ...operator.headersFor(operation), origin: away.url }
    const given = await send(operation, { headers, to: away })
    if ((given === 503) !== '503' in operation.responses) wrong.push(`${nameOf(operation)}: ${given}`)
  }
  cable.plug()
  assert.deepEqual(wrong, [])
})
