/** `/v1/events`: every field, filter, rule and code of the v1 document, over real HTTP. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../../testing/support/clock.ts'
import { hexOf, storeEvent } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { codeOf, v1Caller } from '../../../../testing/support/v1-caller.ts'
import { CATEGORIES } from '../../../../vocabulary/categories.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import { CHAINS } from '../chains/chains.ts'
import { saveContract } from '../registry/contracts.ts'

const store = await createTestDatabase()
const { database } = store
const clock = testClock(new Date().toISOString())
const service = await startService(store, { clock })
const { key } = await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')
const get = v1Caller(service, clock, key)

const START = Date.parse('2026-10-01T00:00:00Z')
const POOL = { chainId: 1, address: hexOf(0xf001, 20) }
await saveContract(database, POOL, { name: 'Pool', protocol: 'Example', kind: 'proxy_uups' })

/** The n-th of 144 events: every chain, category and severity in turn. Every twelfth is a setup event. */
const TOTAL = 144
const stored = Array.from({ length: TOTAL }, (_, n) => ({
  n,
  chain: CHAINS[n % 6] as (typeof CHAINS)[number],
  category: CATEGORIES[Math.floor(n / 6) % 8] as (typeof CATEGORIES)[number],
  severity: n % 12 === 5 ? 'info' : (SEVERITIES[Math.floor(n / 48) % 3] as (typeof SEVERITIES)[number]),
  isInit: n % 12 === 5,
  address: n % 7 === 0 ? POOL.address : hexOf(0xf100 + (n % 5), 20),
}))
for (const { n, chain, category, severity, isInit, address } of stored)
  await storeEvent(
    database,
    { chainId: chain.id, address },
    {
      blockTime: START + Math.floor(n / 2) * 1_000, // two share a block time
      key: `test.${category}`,
      category,
      severity,
      isInit,
      args: { n },
    },
  )

type Shown = { readonly args: { readonly n: number } }
const numbersOf = (data: readonly Shown[]): readonly number[] => data.map(({ args }) => args.n)
const newest = stored.toReversed()

test('an event has exactly the documented fields', async () => {
  const { body, headers } = await get(`/v1/events?chain=ethereum&address=${POOL.address}&limit=1`)
  const event = body.data[0]
  const expected = newest.find(({ chain, address, isInit }) => chain.id === 1 && address === POOL.address && !isInit)
  assert.ok(Number.isInteger(event.id) && Number.isInteger(event.blockNumber))
  assert.match(event.txHash, /^0x[0-9a-f]{64}$/)
  const { id: _id, blockNumber: _number, txHash: _hash, ...rest } = event
  assert.deepEqual(rest, {
    chainId: 1,
    chainSlug: 'ethereum',
    blockTime: new Date(START + Math.floor((expected?.n ?? 0) / 2) * 1_000).toISOString(),
    logIndex: 3,
    address: POOL.address,
    eventKey: `test.${expected?.category}`,
    category: expected?.category,
    severity: expected?.severity,
    args: { n: expected?.n },
    isInit: false,
    contract: { name: 'Pool', protocol: 'Example', kind: 'proxy_uups' },
  })
  assert.match(headers.get('x-service-quota-remaining') ?? '', /^\d+$/)
})

test('without filters a page has fifty events, newest first, without setup events', async () => {
  const { body } = await get('/v1/events')
  assert.deepEqual(
    numbersOf(body.data),
    newest
      .filter(({ isInit }) => !isInit)
      .slice(0, 50)
      .map(({ n }) => n),
  )
  assert.equal(typeof body.nextCursor, 'string')
})

const cases: readonly (readonly [string, (event: (typeof stored)[number]) => boolean])[] = [
  ['includeInit=true', () => true],
  ['includeInit=false', ({ isInit }) => !isInit],
  ['chain=bnb', ({ chain, isInit }) => chain.slug === 'bnb' && !isInit],
  ['chain=42161&includeInit=true', ({ chain }) => chain.id === 42_161],
  [`address=${POOL.address}`, ({ address, isInit }) => address === POOL.address && !isInit],
  ['severity=info', ({ isInit }) => !isInit],
  ['severity=high', ({ severity }) => severity !== 'info'],
  ['severity=critical', ({ severity }) => severity === 'critical'],
  ['key=test.pause', ({ category, isInit }) => category === 'pause' && !isInit],
  ['key=test.pause&category=upgrade', () => false],
  ['key=TEST.pause', () => false],
  ...CATEGORIES.map(
    (name) =>
      [`category=${name}`, ({ category, isInit }: (typeof stored)[number]) => category === name && !isInit] as const,
  ),
  [
    `chain=base&severity=high&category=timelock&key=test.timelock&includeInit=true&address=${hexOf(0xf100, 20)}`,
    (event) =>
      event.chain.slug === 'base' &&
      event.severity !== 'info' &&
      event.category === 'timelock' &&
      event.address === hexOf(0xf100, 20),
  ],
]
for (const [query, isWanted] of cases) {
  test(`all of ?${query}, page by page`, async () => {
    const read: number[] = []
    let cursor = ''
    for (;;) {
      const { body } = await get(`/v1/events?${query}&limit=40${cursor}`)
      read.push(...numbersOf(body.data))
      if (body.nextCursor === null) break
      assert.equal(body.data.length, 40)
      cursor = `&cursor=${body.nextCursor}`
    }
    assert.deepEqual(
      read,
      newest.filter(isWanted).map(({ n }) => n),
    )
  })
}

test('a page that ends with the last event has no nextCursor', async () => {
  const all = stored.filter(({ isInit }) => !isInit).length
  assert.equal((await get(`/v1/events?limit=${all}`)).body.nextCursor, null)
  assert.notEqual((await get(`/v1/events?limit=${all - 1}`)).body.nextCursor, null)
})

test('a cursor neither repeats nor skips events while new ones arrive', async () => {
  const first = (await get('/v1/events?limit=3&category=governance')).body
  const last = first.data.at(-1)
  const arriving = { key: 'test.governance', category: 'governance' as const, args: { n: -1 } }
  await storeEvent(database, POOL, { ...arriving, blockTime: Date.now() })
  await storeEvent(database, POOL, { ...arriving, blockTime: Date.parse(last.blockTime) })
  const rest = (await get(`/v1/events?limit=100&category=governance&cursor=${first.nextCursor}`)).body
  const expected = newest.filter(({ category, isInit }) => category === 'governance' && !isInit).map(({ n }) => n)
  assert.deepEqual([...numbersOf(first.data), ...numbersOf(rest.data)], expected)
})

test('400 invalid_cursor for a cursor that this service did not write', async () => {
  const { nextCursor } = (await get('/v1/events?limit=1')).body
  for (const cursor of [
    'x',
    '0',
    `${nextCursor}A`,
    nextCursor.slice(1),
    'MS4y.',
    Buffer.from('1.-2').toString('base64url'),
    // Before the earliest date of PostgreSQL.
    Buffer.from('-999999999999999.1').toString('base64url'),
  ])
    assert.equal(codeOf(await get(`/v1/events?cursor=${cursor}`)), '400 invalid_cursor', cursor)
  assert.equal(codeOf(await get('/v1/events?cursor=')), '400 invalid_request')
  const latest = Buffer.from('999999999999999.999999999999999').toString('base64url')
  assert.equal((await get(`/v1/events?cursor=${latest}`)).status, 200)
})

test('an event that a poll found has the arguments field, previous and current', async () => {
  const args = { field: 'admin', previous: hexOf(1, 20), current: hexOf(2, 20) }
  await storeEvent(database, POOL, { key: 'slot.admin_changed', blockTime: Date.now(), args })
  const { body } = await get('/v1/events?key=slot.admin_changed')
  assert.deepEqual(
    body.data.map(({ args }: { args: object }) => args),
    [args],
  )
})
