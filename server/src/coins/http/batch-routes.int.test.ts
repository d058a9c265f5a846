/** /analyze/batch over HTTP: plans, limits, shapes and codes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { recordedChain } from '../../../../testing/coins/recorded-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { HOSTILE_TARGETS } from '../../../../testing/support/hostile-targets.ts'
import { keepSecretOfTest } from '../../../../testing/support/log.ts'
import { makeTestAccount } from '../../../../testing/support/service.ts'
import type { UtxoPlan } from '../../accounts/plans.ts'
import { NodeUnreachableError } from '../node/node-errors.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { batch } from './analysis-schemas.ts'

const { database } = await createTestDatabase()
const chain = await recordedChain()
const addresses = recordedOracle().addresses.map(({ address }) => address)
const { id: accountId } = await makeTestAccount(database)
let utxoPlan: UtxoPlan = 'pro'
const load = () => Promise.reject(new NodeUnreachableError('node:8332', 'cut off'))
let isAway = false
const btc = (): ServedChain => (isAway ? { ...chain, loader: { ...chain.loader, load } } : chain)
const { app, key } = await startV2App({ plan: () => utxoPlan, btc, accountId, database })

type Data = Record<string, unknown>

async function send(path: string, body?: unknown): Promise<{ outcome: string; data: Data }> {
  const { statusCode, body: text } = await app.inject({
    url: `/api/v2${path}`,
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  const { code = '', data = {} } = JSON.parse(text) as { code?: string; data?: Data }
  if (typeof data['webhookSecret'] === 'string') keepSecretOfTest(data['webhookSecret'])
  return { outcome: `${statusCode} ${code}`.trim(), data }
}
const batchOf = (count: number) => ({ addresses: Array.from({ length: count }, (_, i) => addresses[i] ?? `none${i}`) })

test('Basic has no batches; Pro has 100 addresses, Enterprise 1,000', async () => {
  for (const [plan, count, outcome] of [
    ['basic', 1, '403 PLAN_REQUIRED'],
    ['pro', 100, '200'],
    ['pro', 101, '400 BATCH_TOO_LARGE'],
    ['enterprise', 1_000, '200'],
    ['enterprise', 1_001, '400 BATCH_TOO_LARGE'],
  ] as const) {
    utxoPlan = plan
    const { outcome: actual, data } = await send('/analyze/batch', batchOf(count))
    assert.equal(actual, outcome, `${plan} ${count}`)
    // Without a callback the response contains every result, also where it is streamed.
    if (outcome === '200') {
      assert.deepEqual([batch.parse(data).results.length, data['status']], [count, 'completed'])
      assert.deepEqual((await send(`/analyze/batch/${String(data['batchId'])}`)).data, data)
    }
  }
  utxoPlan = 'pro'
})

test('a small batch returns its results, and reading it again returns the same', async () => {
  const { outcome, data } = await send('/analyze/batch', { ...batchOf(3), chain: 'btc' })
  assert.equal(outcome, '200')
  assert.deepEqual(Object.keys(data).sort(), [
    'batchId',
    'chain',
    'completedAt',
    'createdAt',
    'results',
    'status',
    'summary',
    'total',
    'webhook',
  ])
  const results = data['results'] as { address: string; ok: boolean; data: Data }[]
  assert.deepEqual(
    results.map(({ address, ok }) => [address, ok]),
    addresses.slice(0, 3).map((address) => [address, true]),
  )
  const single = (await send(`/analyze/${addresses[0]}`)).data
  assert.deepEqual({ ...results[0]?.data, analyzedAt: '' }, { ...single, analyzedAt: '' })
  const again = await send(`/analyze/batch/${String(data['batchId'])}`)
  assert.deepEqual([again.outcome, again.data], ['200', data])
})

test('a batch with a callback is queued, and its secret is returned once', async () => {
  const { outcome, data } = await send('/analyze/batch', { ...batchOf(2), webhookUrl: 'https://example.org/hook' })
  assert.deepEqual([outcome, data['status'], data['total'], data['results']], ['202', 'queued', 2, []])
  assert.match(String(data['webhookSecret']), /^whsec_[A-Za-z0-9+/]{32}$/)
  const again = await send(`/analyze/batch/${String(data['batchId'])}`)
  assert.equal('webhookSecret' in again.data, false)
})

test('while the node is unreachable a small batch fails like a single address', async () => {
  isAway = true
  const outcomes = [await send('/analyze/batch', batchOf(2)), await send(`/analyze/${addresses[0]}`)]
  isAway = false
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['503 UNAVAILABLE', '503 UNAVAILABLE'],
  )
})

test('an address that PostgreSQL cannot store fails alone and is returned as it is stored', async () => {
  const [first = ''] = addresses
  const hostile = { addresses: [`${first}\0`, first, 'a\ud800', '"{}\\'] }
  const { outcome, data } = await send('/analyze/batch', hostile)
  assert.equal(outcome, '200')
  assert.deepEqual(
    (data['results'] as { address: string; error?: { code: string } }[]).map(({ address, error }) => [
      address,
      error?.code,
    ]),
    [
      [`${first}\ufffd`, 'INVALID_ADDRESS'],
      [first, undefined],
      ['a\ufffd', 'INVALID_ADDRESS'],
      ['"{}\\', 'INVALID_ADDRESS'],
    ],
  )
  assert.deepEqual((await send(`/analyze/batch/${String(data['batchId'])}`)).data, data)
  const queued = await send('/analyze/batch', { ...hostile, webhookUrl: 'https://example.org/hook' })
  assert.equal(queued.outcome, '202')
})

test('invalid requests are rejected with their codes', async () => {
  utxoPlan = 'enterprise' // for its rate limit
  for (const webhookUrl of HOSTILE_TARGETS)
    assert.equal(
      (await send('/analyze/batch', { ...batchOf(1), webhookUrl })).outcome,
      '400 INVALID_PARAMETER',
      webhookUrl,
    )
  utxoPlan = 'pro'
  for (const end of ['\0', '\ud800'])
    assert.equal(
      (await send('/analyze/batch', { ...batchOf(1), webhookUrl: `https://example.org/a${end}b` })).outcome,
      '400 INVALID_PARAMETER',
      JSON.stringify(end),
    )
  assert.equal((await send('/analyze/batch', { addresses: [] })).outcome, '400 INVALID_PARAMETER')
  assert.equal((await send('/analyze/batch', { ...batchOf(1), chain: 'ltc' })).outcome, '503 NODE_NOT_SYNCED')
  assert.equal((await send('/analyze/batch', { ...batchOf(1), chain: 'doge' })).outcome, '400 INVALID_CHAIN')
  for (const id of ['x', '00000000-0000-4000-8000-000000000000'])
    assert.equal((await send(`/analyze/batch/${id}`)).outcome, '404 BATCH_NOT_FOUND')
})
