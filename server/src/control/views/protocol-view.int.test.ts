/** `/v1/protocols/{slug}`: every field, type, rule, status and code of the v1 document, over real HTTP. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../../testing/support/clock.ts'
import { hexOf, storeEvent, storeProfile } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { codeOf, v1Caller } from '../../../../testing/support/v1-caller.ts'
import { sql } from '../../platform/sql.ts'
import { type ContractRef, renameProtocol, saveContract } from '../registry/contracts.ts'

const store = await createTestDatabase()
const { database } = store
const clock = testClock(new Date().toISOString())
const service = await startService(store, { clock })
const { key } = await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')
const get = v1Caller(service, clock, key)

const DAY = 86_400_000
/** Blocks have whole seconds. */
const before = (ms: number): number => Math.floor((Date.now() - ms) / 1_000) * 1_000

let made = 0xdef000
const nextRef = (chainId: number): ContractRef => {
  made += 1
  return { chainId, address: hexOf(made, 20) }
}
const view = async (text: string) => (await get(`/v1/protocols/${encodeURIComponent(text)}`)).body.data

const [vault, token, quiet] = [nextRef(1), nextRef(1), nextRef(8_453)]
await saveContract(database, vault, { protocol: 'Über Finance v2', name: 'Vault', kind: 'proxy_uups' })
await saveContract(database, token, { protocol: 'Über Finance v2' })
await saveContract(database, quiet, { protocol: 'Über Finance v2', name: 'Quiet', kind: 'safe' })
await storeProfile(database, vault, { label: 'single_key', reasons: [{ code: 'single_signer', threshold: 1 }] })
await storeProfile(database, quiet, { label: 'timelocked', stale: true, reasons: [{ code: 'open_executor' }] })
await storeEvent(database, vault, { blockTime: before(2 * DAY) })
await storeEvent(database, vault, {
  blockTime: before(3 * DAY),
  severity: 'high',
  key: 'pause.paused',
  category: 'pause',
})
await storeEvent(database, vault, { blockTime: before(40 * DAY) })
await storeEvent(database, token, { blockTime: before(DAY), isInit: true, severity: 'info' })

test('a protocol has exactly the documented fields', async () => {
  const { status, body } = await get('/v1/protocols/uber-finance-v2')
  assert.equal(status, 200)
  assert.equal(body.nextCursor, null)
  const { recentEvents, ...rest } = body.data
  const entry = { chainId: 1, chainSlug: 'ethereum', protocol: 'Über Finance v2', verified: false, source: 'manual' }
  assert.deepEqual(rest, {
    protocol: 'Über Finance v2',
    slug: 'uber-finance-v2',
    contracts: [
      {
        ...entry,
        address: vault.address,
        name: 'Vault',
        kind: 'proxy_uups',
        events30d: 2,
        critical30d: 1,
        lastEventAt: recentEvents[1].blockTime,
        lastEventKey: 'proxy.upgraded',
        controlProfile: {
          label: 'single_key',
          text: 'Upgradeable by a single key',
          tone: 'red',
          reasons: ['Its threshold is 1: a single key suffices.'],
        },
      },
      {
        ...entry,
        address: token.address,
        name: null,
        kind: 'unknown',
        events30d: 0,
        critical30d: 0,
        lastEventAt: recentEvents[0].blockTime,
        lastEventKey: 'proxy.upgraded',
        controlProfile: { label: 'unknown', text: 'Not profiled yet', tone: 'grey', reasons: ['Not profiled yet.'] },
      },
      {
        ...entry,
        chainId: 8_453,
        chainSlug: 'base',
        address: quiet.address,
        name: 'Quiet',
        kind: 'safe',
        events30d: 0,
        critical30d: 0,
        lastEventAt: null,
        lastEventKey: null,
        controlProfile: {
          label: 'timelocked',
          text: 'Multisig + 24h+ timelock',
          tone: 'green',
          reasons: [
            'Anyone may execute after the delay (open executor).',
            'Not everything could be read at the last poll.',
          ],
        },
      },
    ],
    counts: { contracts: 3, chains: 2, events30d: 2, critical30d: 1 },
    controlSummary: { total: 3, singleKey: 1, multisig: 0, shortTimelock: 0, timelocked: 1, immutable: 0, unknown: 1 },
    pending: [],
  })
  assert.deepEqual(
    recentEvents.map(({ address, isInit, eventKey }: Record<string, unknown>) => [address, isInit, eventKey]),
    [
      [token.address, true, 'proxy.upgraded'],
      [vault.address, false, 'proxy.upgraded'],
      [vault.address, false, 'pause.paused'],
      [vault.address, false, 'proxy.upgraded'],
    ],
    'setup events included, newest first',
  )
})

test('a protocol is found by label and by slug, in any case', async () => {
  const expected = await view('uber-finance-v2')
  for (const text of ['Über Finance v2', 'ÜBER FINANCE V2', 'über finance v2', 'UBER-FINANCE-V2', 'Uber-Finance-v2'])
    assert.deepEqual(await view(text), expected, text)
})

test('404 protocol_not_found for an unknown label or slug', async () => {
  for (const text of ['uber', 'uber-finance', 'finance v2', 'uber_finance_v2', '%25', "'", 'ü', '-']) {
    const response = await get(`/v1/protocols/${encodeURIComponent(text)}`)
    assert.equal(codeOf(response), '404 protocol_not_found', text)
    assert.notEqual(response.headers.get('x-service-quota-remaining'), null)
  }
})

test('400 invalid_request for a name that is too long and for any parameter', async () => {
  assert.equal(codeOf(await get(`/v1/protocols/${'x'.repeat(129)}`)), '400 invalid_request')
  assert.equal(codeOf(await get('/v1/protocols/uber-finance-v2?limit=1')), '400 invalid_request')
})

test('the window of 30 days starts at its exact second', async () => {
  const ref = nextRef(10)
  await saveContract(database, ref, { protocol: 'Edge' })
  const opens = before(30 * DAY) + 60_000
  for (const second of [-2, -1, 0, 1, 2]) await storeEvent(database, ref, { blockTime: opens + second * 1_000 })
  const countAt = async (now: number) => {
    clock.set(now - 1_100) // the test helper advances the clock by as much
    return (await view('edge')).counts
  }
  for (const [ms, expected] of [
    [-1_000, 4],
    [-999, 3],
    [0, 3],
    [1, 2],
    [2_000, 1],
    [2_001, 0],
  ] as const)
    assert.deepEqual(
      await countAt(opens + 30 * DAY + ms),
      { contracts: 1, chains: 1, events30d: expected, critical30d: expected },
      `${ms} ms`,
    )
})

test('a protocol has the fifty latest events of its contracts, and counts move with a contract', async () => {
  const refs = Array.from({ length: 70 }, () => nextRef(137))
  for (const ref of refs) await saveContract(database, ref, { protocol: 'Many' })
  const start = before(5 * DAY)
  for (let n = 0; n < 140; n++)
    await storeEvent(database, refs[(n * 7) % 70] as ContractRef, { blockTime: start + n * 1_000, args: { n } })
  const numbers = (data: { recentEvents: { args: { n: number } }[] }) => data.recentEvents.map(({ args }) => args.n)
  const many = await view('many')
  assert.deepEqual(
    numbers(many),
    Array.from({ length: 50 }, (_, n) => 139 - n),
  )
  assert.deepEqual(many.counts, { contracts: 70, chains: 1, events30d: 140, critical30d: 140 })

  const busy = nextRef(137)
  await saveContract(database, busy, { protocol: 'Many' })
  for (let n = 0; n < 60; n++) await storeEvent(database, busy, { blockTime: start + DAY + n * 1_000, args: { n } })
  assert.deepEqual(
    numbers(await view('many')),
    Array.from({ length: 50 }, (_, n) => 59 - n),
  )
  await saveContract(database, busy, { protocol: 'Few' })
  assert.deepEqual(await view('many'), many)
  assert.deepEqual((await view('few')).counts, { contracts: 1, chains: 1, events30d: 60, critical30d: 60 })
})

test('a renamed protocol is found only by its new name; one without contracts is empty', async () => {
  await database.query(sql`insert into protocol (label, slug) values ('Hollow', 'hollow')`)
  await renameProtocol(database, 'hollow', 'Still Hollow')
  assert.equal(codeOf(await get('/v1/protocols/hollow')), '404 protocol_not_found')
  assert.deepEqual(await view('still-hollow'), {
    protocol: 'Still Hollow',
    slug: 'still-hollow',
    contracts: [],
    recentEvents: [],
    counts: { contracts: 0, chains: 0, events30d: 0, critical30d: 0 },
    controlSummary: { total: 0, singleKey: 0, multisig: 0, shortTimelock: 0, timelocked: 0, immutable: 0, unknown: 0 },
    pending: [],
  })
})
