/** Keys, plans, limits, methods and parameters of `/api/v2`, over real HTTP. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { changePlans } from '../../accounts/accounts.ts'
import type { UtxoPlan } from '../../accounts/plans.ts'
import { sql } from '../../platform/sql.ts'

const store = await createTestDatabase()
const { database } = store
const clock = testClock('2026-11-15T12:00:00.000Z')
const { url } = await startService(store, { clock })

const keyOf = async (utxoPlan: UtxoPlan) =>
  (await makeTestKey(database, await makeTestAccount(database, { utxoPlan }), 'v2')).key
const keys = { basic: await keyOf('basic'), pro: await keyOf('pro'), enterprise: await keyOf('enterprise') }

type Body = { success: boolean; error?: string; code?: string; data?: Record<string, unknown> } & Record<
  string,
  unknown
>

async function call(
  path: string,
  { key = keys.pro, method = 'GET', body }: { key?: string | null; method?: string; body?: unknown } = {},
) {
  clock.advance(1_100) // under sixty a minute
  const response = await fetch(`${url}/api/v2${path}`, {
    method,
    headers: {
      ...(key !== null && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Body,
    outcome: `${response.status} ${text === '' ? '' : JSON.parse(text).code}`,
  }
}

const apiHeaders = (headers: Headers) =>
  ['x-api-limit', 'x-api-remaining', 'x-api-reset', 'x-api-plan'].map((name) => headers.get(name))

test('chains are listed with whether they are enabled', async () => {
  const { status, body } = await call('/chains')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    success: true,
    data: {
      chains: [
        { id: 'btc', name: 'Bitcoin', symbol: 'BTC', enabled: false },
        { id: 'ltc', name: 'Litecoin', symbol: 'LTC', enabled: false },
      ],
    },
  })
})

test('the four headers report limit, remaining requests, reset and plan', async () => {
  const [limit, remaining, reset, plan] = apiHeaders((await call('/chains')).headers)
  assert.deepEqual([limit, reset, plan], ['250000', '2026-12-01T00:00:00.000Z', 'pro'])
  const [, next] = apiHeaders((await call('/chains')).headers)
  assert.equal(Number(next), Number(remaining) - 1)
  assert.deepEqual(apiHeaders((await call('/chains', { key: keys.enterprise })).headers), [
    'unlimited',
    'unlimited',
    '2026-12-01T00:00:00.000Z',
    'enterprise',
  ])
})

test('401: API_KEY_REQUIRED without a key, INVALID_API_KEY for an unknown one, both without plan headers', async () => {
  for (const key of [null, '']) {
    const response = await call('/chains', { key })
    assert.equal(response.outcome, '401 API_KEY_REQUIRED')
    assert.deepEqual(apiHeaders(response.headers), [null, null, null, null])
    assert.equal(response.body.success, false)
    assert.equal(typeof response.body.error, 'string')
  }
  for (const key of ['x', `${keys.pro}x`, `utxo_live_${'A'.repeat(43)}`, `gw_live_${'A'.repeat(43)}`])
    assert.equal((await call('/chains', { key })).outcome, '401 INVALID_API_KEY')
  const other = await call('/chains', { key: `gw_live_${'A'.repeat(43)}` })
  assert.match(String(other.body.error), /^This is a key of the v1 API\. Send a key of the v2 API \(utxo_live_…\)/)
})

test('403 PLAN_REQUIRED on Basic for batches, wallets and sync, before the parameters are checked, with headers', async () => {
  const attempts = [
    await call('/analyze/batch', { key: keys.basic, method: 'POST', body: { addresses: 'nonsense' } }),
    await call('/wallets', { key: keys.basic, method: 'POST', body: { descriptor: 7 } }),
    await call('/address/x!?sync=true', { key: keys.basic }),
  ]
  for (const response of attempts) {
    assert.equal(response.outcome, '403 PLAN_REQUIRED')
    assert.equal(response.headers.get('x-api-plan'), 'basic')
  }
  assert.equal((await call('/address/abc?sync=false', { key: keys.basic })).outcome, '400 CHAIN_DISABLED')
  assert.equal((await call('/address/abc?sync=true')).outcome, '400 CHAIN_DISABLED')
})

test('a request rejected by plan counts', async () => {
  const key = await keyOf('basic')
  await call('/analyze/batch', { key, method: 'POST', body: {} })
  assert.equal(apiHeaders((await call('/chains', { key })).headers)[1], '9998')
})

test('404 and 405 have the error shape of v2', async () => {
  assert.equal((await call('/nothing')).outcome, '404 NOT_FOUND')
  assert.equal((await call('/nothing', { key: null })).outcome, '401 API_KEY_REQUIRED')
  const wrong = await call('/chains', { method: 'DELETE' })
  assert.equal(wrong.outcome, '405 METHOD_NOT_ALLOWED')
  assert.equal(wrong.headers.get('allow'), 'GET')
  assert.equal(wrong.headers.get('x-api-plan'), 'pro')
  assert.equal((await call('/simulate', { key: null })).outcome, '405 METHOD_NOT_ALLOWED')
  assert.equal((await call('/simulate', { key: null })).headers.get('allow'), 'POST')
  assert.equal((await call('/analyze/batch', { key: null, method: 'PUT' })).headers.get('allow'), 'GET, POST')
})

test('a wrong method does not count', async () => {
  const key = await keyOf('pro')
  await call('/chains', { key, method: 'POST' })
  assert.equal(apiHeaders((await call('/chains', { key })).headers)[1], '249999')
})

const simulate = { fromAddress: 'abc', toAddress: 'def', amount: 1 }
const refusals: readonly (readonly [string, string, unknown?])[] = [
  ['/status?chain=doge', 'INVALID_CHAIN'],
  ['/status?chain=btc&chain=ltc', 'INVALID_PARAMETER'],
  ['/status?chian=btc', 'INVALID_PARAMETER'],
  ['/status', 'CHAIN_DISABLED'],
  ['/fees?chain=ltc', 'CHAIN_DISABLED'],
  ['/address/a%20b', 'INVALID_ADDRESS'],
  [`/address/${'a'.repeat(500)}`, 'INVALID_ADDRESS'],
  ['/address/abc?sync=1', 'INVALID_PARAMETER'],
  ['/address/abc/utxos?limit=0', 'INVALID_PARAMETER'],
  ['/address/abc/utxos?limit=-1', 'INVALID_PARAMETER'],
  ['/address/abc/txs?page=0', 'INVALID_PARAMETER'],
  ['/address/abc/txs?pageSize=101', 'INVALID_PARAMETER'],
  ['/tx/zz', 'INVALID_TXID'],
  [`/tx/${'a'.repeat(64)}`, 'CHAIN_DISABLED'],
  ['/block/-1', 'INVALID_BLOCK'],
  ['/block/0x10', 'INVALID_BLOCK'],
  ['/block/0?txids=maybe', 'INVALID_PARAMETER'],
  ['/chains?x=1', 'INVALID_PARAMETER'],
  ['/usage?x=1', 'INVALID_PARAMETER'],
  ['/simulate', 'INVALID_PARAMETER', {}],
  ['/simulate', 'INVALID_PARAMETER', '{"amount":'],
  ['/simulate', 'INVALID_PARAMETER', { ...simulate, amount: 0 }],
  ['/simulate', 'INVALID_PARAMETER', { ...simulate, amount: 1.5 }],
  ['/simulate', 'INVALID_PARAMETER', { ...simulate, amount: '1' }],
  ['/simulate', 'INVALID_PARAMETER', { ...simulate, feeRate: 10_001 }],
  ['/simulate', 'INVALID_PARAMETER', { ...simulate, utxoSelection: 'best' }],
  ['/simulate', 'INVALID_PARAMETER', { ...simulate, extra: 1 }],
  ['/simulate', 'INVALID_CHAIN', { ...simulate, chain: 'eth' }],
  ['/simulate', 'CHAIN_DISABLED', simulate],
  ['/analyze/batch', 'INVALID_PARAMETER', { addresses: [] }],
  ['/analyze/batch', 'INVALID_PARAMETER', { addresses: ['a'], webhookUrl: 'ftp://x' }],
  ['/analyze/batch', 'BATCH_TOO_LARGE', { addresses: Array.from({ length: 101 }, () => 'a') }],
]
for (const [path, code, body] of refusals) {
  test(`400 ${code}: ${path.slice(0, 40)} ${body === undefined ? '' : JSON.stringify(body).slice(0, 60)}`, async () => {
    const response = await call(path, body === undefined ? {} : { method: 'POST', body })
    assert.equal(response.outcome, `400 ${code}`, response.body.error)
    assert.equal(response.headers.get('x-api-plan'), 'pro')
  })
}

test('usage reports the counted requests and the limits of the plan', async () => {
  const key = await keyOf('basic')
  await call('/chains', { key })
  const { body } = await call('/usage', { key })
  assert.deepEqual(body.data, {
    plan: 'basic',
    period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
    usage: { apiCalls: 1, limit: 10_000, remaining: 9_999, percentUsed: 0.01 },
    limits: { utxoLimit: 100, batchLimit: 10, syncCalculation: false, walletLimit: 0, subscriptionLimit: 10 },
  })
  const unlimited = await call('/usage', { key: keys.enterprise })
  assert.deepEqual((unlimited.body.data as { limits: unknown }).limits, {
    utxoLimit: -1,
    batchLimit: 1000,
    syncCalculation: true,
    walletLimit: 500,
    subscriptionLimit: 10_000,
  })
})

test('429 RATE_LIMIT_EXCEEDED after the requests of each plan', async () => {
  for (const [plan, limit] of [
    ['basic', 60],
    ['pro', 200],
    ['enterprise', 1_000],
  ] as const) {
    const key = await keyOf(plan)
    const send = () => fetch(`${url}/api/v2/chains`, { headers: { 'x-api-key': key } })
    const answers = await Promise.all(Array.from({ length: limit + 5 }, send))
    assert.equal(answers.filter(({ status }) => status === 200).length, limit, plan)
    const refused = answers.find(({ status }) => status === 429)
    assert.equal(refused?.headers.get('retry-after'), '60')
    assert.equal(((await refused?.json()) as Body | undefined)?.code, 'RATE_LIMIT_EXCEEDED')
  }
})

test('429 API_LIMIT_EXCEEDED with its figures, until a new month or a larger plan', async () => {
  const account = await makeTestAccount(database, { utxoPlan: 'basic' })
  const { key, id } = await makeTestKey(database, account, 'v2')
  await call('/chains', { key })
  await database.query(sql`update request_counter set month_used = 9999 where subject = $1`, [id])
  assert.equal((await call('/chains', { key })).status, 200)
  const refused = await call('/chains', { key })
  assert.equal(refused.outcome, '429 API_LIMIT_EXCEEDED')
  const { error, ...rest } = refused.body
  assert.match(error ?? '', /monthly limit/)
  assert.deepEqual(rest, {
    success: false,
    code: 'API_LIMIT_EXCEEDED',
    limit: 10_000,
    used: 10_000,
    resetDate: '2026-12-01T00:00:00.000Z',
    upgradeUrl: '/plans',
  })
  assert.equal(refused.headers.get('x-api-remaining'), '0')
  const usage = await call('/usage', { key })
  assert.deepEqual([usage.status, usage.headers.get('x-api-remaining')], [200, '0'])
  assert.deepEqual((usage.body.data as { usage: unknown }).usage, {
    apiCalls: 10_000,
    limit: 10_000,
    remaining: 0,
    percentUsed: 100,
  })
  await changePlans(database, account.email, { utxoPlan: 'pro' })
  while ((await call('/chains', { key })).status === 429);
  await changePlans(database, account.email, { utxoPlan: 'basic' })
  while ((await call('/chains', { key })).status === 200);
  clock.set('2026-12-01T00:00:00.000Z')
  assert.equal((await call('/chains', { key })).headers.get('x-api-remaining'), '9999')
})

test('a chain whose block files do not exist is unavailable', async () => {
  const { url: withBtc } = await startService(store, { clock, env: { BTC_BLOCKS_DIR: '/nonexistent' } })
  const send = async (path: string) =>
    (await fetch(`${withBtc}/api/v2${path}`, { headers: { 'x-api-key': keys.pro } })).json() as Promise<Body>
  // Until the service has tried to read them, the chain counts as not synced.
  await eventually(async () => ((await send('/fees')).code === 'UNAVAILABLE' ? true : undefined))
  assert.equal((await send('/fees?chain=ltc')).code, 'CHAIN_DISABLED')
})

test('errors of body, media type and URL limits have the error shape of v2', async () => {
  const post = (body: string, type: string) =>
    fetch(`${url}/api/v2/simulate`, { method: 'POST', headers: { 'x-api-key': keys.pro, 'content-type': type }, body })
  const large = await post(JSON.stringify({ pad: 'x'.repeat(300_000) }), 'application/json')
  assert.deepEqual([large.status, ((await large.json()) as Body).code], [413, 'PAYLOAD_TOO_LARGE'])
  const xml = await post('<a/>', 'application/xml')
  assert.deepEqual([xml.status, ((await xml.json()) as Body).code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
  const long = await call(`/chains?x=${'a'.repeat(5_000)}`)
  assert.equal(long.outcome, '414 URI_TOO_LONG')
  assert.equal((await call('/%zz')).outcome, '400 INVALID_PARAMETER')
})

test('parameters are checked after key and limits: bad JSON without a key is 401', async () => {
  assert.equal((await call('/simulate', { key: null, method: 'POST', body: '{' })).outcome, '401 API_KEY_REQUIRED')
})

test('a path that cannot be decoded is checked after the key, and has the four headers', async () => {
  assert.equal((await call('/address/%zz', { key: null })).outcome, '401 API_KEY_REQUIRED')
  const { outcome, headers, body } = await call('/address/%zz?chain=btc')
  assert.equal(outcome, '400 INVALID_PARAMETER')
  assert.equal(body.error, 'The path has an invalid percent-encoding.')
  assert.equal(apiHeaders(headers)[3], 'pro')
})
