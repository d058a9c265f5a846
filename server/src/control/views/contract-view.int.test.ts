/** `/v1/contracts/{chain}/{address}`: every field, type, rule, status and code of the v1 document, over real HTTP. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../../testing/support/clock.ts'
import { hexOf, storeEvent, storeProfile, storeSnapshot } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { codeOf, v1Caller } from '../../../../testing/support/v1-caller.ts'
import { LABEL_TEXTS } from '../../../../vocabulary/labels.ts'
import { toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { deleteEventsAbove } from '../feed/events.ts'
import { type ContractRef, saveContract } from '../registry/contracts.ts'

const store = await createTestDatabase()
const { database } = store
const clock = testClock(new Date().toISOString())
const service = await startService(store, { clock })
const { key } = await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')
const get = v1Caller(service, clock, key)

let made = 0xabc000
const nextRef = (chainId = 1): ContractRef => {
  made += 1
  return { chainId, address: hexOf(made, 20) }
}
const view = async ({ chainId, address }: ContractRef) => (await get(`/v1/contracts/${chainId}/${address}`)).body.data

const NOT_PROFILED = { label: 'unknown', text: 'Not profiled yet', tone: 'grey', reasons: ['Not profiled yet.'] }
const [IMPLEMENTATION, ADMIN, OWNER] = [hexOf(0x1111, 20), hexOf(0x2222, 20), hexOf(0x3333, 20)]

test('a contract has exactly the documented fields', async () => {
  const ref = nextRef()
  await saveContract(database, ref, { name: 'Pool', protocol: 'Example Lending', kind: 'proxy_transparent' })
  await database.query(
    sql`update contract set verified = true, metadata = '{"symbol": "EX", "decimals": 18, "sources": ["npm"]}',
       first_seen_at = '2026-01-02T03:04:05.678Z', last_checked_at = '2026-11-15T01:02:03.004Z' where address = $1`,
    [toBytes(ref.address)],
  )
  const earlier = { block: 10, at: '2026-11-01T00:00:00.000Z', fields: { implementation: null, admin: null } }
  await storeSnapshot(database, ref, earlier)
  const fields = {
    implementation: IMPLEMENTATION,
    admin: ADMIN,
    owner: OWNER,
    beacon: null,
    safeThreshold: '3',
    minDelay: '172800',
  }
  await storeSnapshot(database, ref, { block: 20, at: '2026-11-15T01:02:03.000Z', fields })
  const account = (address: string, kind: string) => ({ chainId: 1, address, account: { kind }, paths: [] })
  await storeProfile(database, ref, {
    label: 'timelocked',
    reasons: [{ code: 'several_paths' }, { code: 'delayed_actions', delaySeconds: 172_800 }],
    tree: {
      ...account(ref.address, 'unjudged'),
      paths: [{ ...account(ADMIN, 'proxy_admin'), paths: [account(OWNER, 'eoa')] }],
    },
  })
  const upgraded = await storeEvent(database, ref, { args: { implementation: IMPLEMENTATION, deep: [{ n: 1 }] } })
  await storeEvent(database, ref, { isInit: true, severity: 'info' })
  const paused = await storeEvent(database, ref, { key: 'pause.paused', category: 'pause', severity: 'high', args: {} })

  const { status, headers, body } = await get(`/v1/contracts/ethereum/${ref.address}`)
  assert.equal(status, 200)
  assert.equal(body.nextCursor, null)
  assert.match(headers.get('x-service-quota-remaining') ?? '', /^\d+$/)
  assert.match(headers.get('x-service-quota-reset') ?? '', /^\d{4}-\d\d-01T00:00:00\.000Z$/)
  const { contract, recentEvents, ...rest } = body.data
  assert.deepEqual(rest, {
    chain: { id: 1, slug: 'ethereum' },
    address: ref.address,
    latestSnapshot: {
      implementation: IMPLEMENTATION,
      admin: ADMIN,
      owner: OWNER,
      beacon: null,
      adminIsContract: true,
      ownerIsContract: false,
      extra: { safeThreshold: 3, minDelay: 172_800, blockNumber: 20 },
      takenAt: '2026-11-15T01:02:03.000Z',
    },
    counts: [
      { eventKey: 'proxy.upgraded', total: 2, real: 1, init: 1 },
      { eventKey: 'pause.paused', total: 1, real: 1, init: 0 },
    ],
    controlProfile: {
      label: 'timelocked',
      text: 'Multisig + 24h+ timelock',
      tone: 'green',
      reasons: [
        'There are several paths of control; the weakest decides the label.',
        'Its actions take effect with a delay of 48 h (2 d).',
      ],
    },
    powers: null,
    pending: [],
  })
  const { id, ...row } = contract
  assert.ok(Number.isInteger(id))
  assert.deepEqual(row, {
    kind: 'proxy_transparent',
    name: 'Pool',
    protocol: 'Example Lending',
    implementation: IMPLEMENTATION,
    admin: ADMIN,
    owner: OWNER,
    verified: true,
    source: 'manual',
    metadata: { symbol: 'EX', decimals: 18, sources: ['npm'] },
    firstSeenAt: '2026-01-02T03:04:05.678Z',
    lastCheckedAt: '2026-11-15T01:02:03.004Z',
  })
  const shown = ({ blockNumber, blockTime, txHash, args }: typeof upgraded) => ({
    chainId: 1,
    chainSlug: 'ethereum',
    blockNumber,
    blockTime: new Date(blockTime).toISOString(),
    txHash,
    logIndex: 3,
    address: ref.address,
    args,
    isInit: false,
    contract: { name: 'Pool', protocol: 'Example Lending', kind: 'proxy_transparent' },
  })
  assert.deepEqual(
    recentEvents.map(({ id: _id, ...event }: { id: number }) => event),
    [
      { ...shown(paused), eventKey: 'pause.paused', category: 'pause', severity: 'high' },
      { ...shown(upgraded), eventKey: 'proxy.upgraded', category: 'upgrade', severity: 'critical' },
    ],
  )
})

test('a chain by slug or id and an address in any case give the same response', async () => {
  const ref: ContractRef = { chainId: 42_161, address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' }
  await saveContract(database, ref)
  const bodies = await Promise.all(
    ['arbitrum', '42161'].flatMap((chain) =>
      [ref.address, '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'].map(
        async (address) => (await get(`/v1/contracts/${chain}/${address}`)).body,
      ),
    ),
  )
  for (const body of bodies) assert.deepEqual(body, bodies[0])
  assert.equal(bodies[0].data.address, ref.address)
})

test('a contract before its first poll has nulls and a gray profile', async () => {
  const ref = nextRef()
  await saveContract(database, ref)
  const { contract, ...rest } = await view(ref)
  assert.deepEqual(rest, {
    chain: { id: 1, slug: 'ethereum' },
    address: ref.address,
    latestSnapshot: null,
    counts: [],
    recentEvents: [],
    controlProfile: NOT_PROFILED,
    powers: null,
    pending: [],
  })
  assert.deepEqual(
    [contract.name, contract.protocol, contract.kind, contract.implementation, contract.lastCheckedAt],
    [null, null, 'unknown', null, null],
  )
})

test('a contract that is not registered is null, also within its events', async () => {
  const ref = nextRef(8_453)
  await storeEvent(database, ref)
  const data = await view(ref)
  assert.equal(data.contract, null)
  assert.equal(data.latestSnapshot, null)
  assert.deepEqual(data.controlProfile, NOT_PROFILED)
  assert.deepEqual(data.counts, [{ eventKey: 'proxy.upgraded', total: 1, real: 1, init: 0 }])
  assert.deepEqual(data.recentEvents[0].contract, { name: null, protocol: null, kind: null })
  assert.equal(codeOf(await get(`/v1/contracts/ethereum/${ref.address}`)), '404 contract_not_found', 'another chain')
})

test('an address with only setup events is found and has no recent events', async () => {
  const ref = nextRef()
  await storeEvent(database, ref, { isInit: true, severity: 'info' })
  const { counts, recentEvents } = await view(ref)
  assert.deepEqual(counts, [{ eventKey: 'proxy.upgraded', total: 1, real: 0, init: 1 }])
  assert.deepEqual(recentEvents, [])
})

test('404 contract_not_found without a registration and events, also for a polled account', async () => {
  const ref = nextRef()
  assert.equal(codeOf(await get(`/v1/contracts/ethereum/${ref.address}`)), '404 contract_not_found')
  await storeProfile(database, ref, { label: 'single_key' })
  const answer = await get(`/v1/contracts/ethereum/${ref.address}`)
  assert.equal(codeOf(answer), '404 contract_not_found')
  assert.notEqual(answer.headers.get('x-service-quota-remaining'), null)
})

test('retracted events leave the view and its counts at once', async () => {
  const ref = nextRef(137)
  const kept = await storeEvent(database, ref, { key: 'pause.paused', category: 'pause' })
  await storeEvent(database, ref)
  await deleteEventsAbove(database, 137, { number: kept.blockNumber, time: kept.blockTime })
  assert.deepEqual((await view(ref)).counts, [{ eventKey: 'pause.paused', total: 1, real: 1, init: 0 }])
  await deleteEventsAbove(database, 137, { number: kept.blockNumber - 1, time: kept.blockTime })
  assert.equal(codeOf(await get(`/v1/contracts/polygon/${ref.address}`)), '404 contract_not_found')
})

test('a contract has its fifty latest events without setup events, newest first', async () => {
  const ref = nextRef(10)
  const start = Math.floor(Date.now() / 1_000) * 1_000 - 10_000_000
  for (let n = 0; n < 60; n++)
    await storeEvent(database, ref, { blockTime: start + Math.floor(n / 2) * 1_000, args: { n }, isInit: n % 10 === 5 })
  const { recentEvents, counts } = await view(ref)
  const expected = Array.from({ length: 60 }, (_, n) => 59 - n)
    .filter((n) => n % 10 !== 5)
    .slice(0, 50)
  assert.deepEqual(
    recentEvents.map(({ args }: { args: { n: number } }) => args.n),
    expected,
  )
  assert.deepEqual(counts, [{ eventKey: 'proxy.upgraded', total: 60, real: 54, init: 6 }])
})

for (const [label, tone] of [
  ['immutable', 'green'],
  ['timelocked', 'green'],
  ['multisig', 'amber'],
  ['short_timelock', 'amber'],
  ['single_key', 'red'],
  ['unknown', 'grey'],
] as const) {
  test(`label ${label} is ${tone}`, async () => {
    const ref = nextRef()
    await saveContract(database, ref)
    await storeProfile(database, ref, { label, reasons: [{ code: 'several_paths' }] })
    assert.deepEqual((await view(ref)).controlProfile, {
      label,
      text: LABEL_TEXTS[label],
      tone,
      reasons: ['There are several paths of control; the weakest decides the label.'],
    })
  })
}

test('a stale profile has one reason that states it', async () => {
  const ref = nextRef()
  await saveContract(database, ref)
  await storeProfile(database, ref, { label: 'multisig', stale: true, reasons: [{ code: 'no_delay' }] })
  const stale = 'Not everything could be read at the last poll'
  const last = 'What depends on it is from the last complete poll.'
  assert.deepEqual((await view(ref)).controlProfile.reasons, ['Its signers act with no delay.', `${stale}.`])
  const failed = [{ address: ref.address, read: { item: 'slot', slot: 'admin' }, cause: 'timeout' }] as const
  const reasons = [{ code: 'no_delay' }, { code: 'stale', failed }] as const
  await storeProfile(database, ref, { label: 'multisig', stale: true, reasons })
  assert.deepEqual((await view(ref)).controlProfile.reasons, [
    'Its signers act with no delay.',
    `${stale}: slot admin of ${ref.address} could not be read (timeout). ${last}`,
  ])
})

test('fields that the last snapshot could not read are null', async () => {
  const ref = nextRef()
  await saveContract(database, ref)
  await storeSnapshot(database, ref, { block: 7, at: '2026-11-15T01:00:00.000Z', fields: { owner: OWNER } })
  const { latestSnapshot, contract } = await view(ref)
  assert.deepEqual(latestSnapshot, {
    implementation: null,
    admin: null,
    owner: OWNER,
    beacon: null,
    adminIsContract: null,
    ownerIsContract: null,
    extra: { safeThreshold: null, minDelay: null, blockNumber: 7 },
    takenAt: '2026-11-15T01:00:00.000Z',
  })
  assert.equal(contract.owner, OWNER)
})

test('ownerIsContract is what the last poll found, also for an owner without upgrade rights', async () => {
  const ref = nextRef()
  await saveContract(database, ref)
  await storeSnapshot(database, ref, {
    block: 7,
    at: '2026-11-15T01:00:00.000Z',
    fields: { owner: OWNER, admin: ADMIN },
  })
  const tree = {
    chainId: 1,
    address: ref.address,
    account: { kind: 'unjudged' },
    paths: [],
    hasCode: { [OWNER]: true, [ADMIN]: false },
  }
  await storeProfile(database, ref, { label: 'immutable', reasons: [{ code: 'not_a_proxy' }], tree })
  const { latestSnapshot } = await view(ref)
  assert.deepEqual([latestSnapshot.ownerIsContract, latestSnapshot.adminIsContract], [true, false])
})

test('a delay beyond 2^53 keeps all its digits', async () => {
  const ref = nextRef()
  await saveContract(database, ref)
  const delay = (2n ** 256n - 1n).toString()
  await storeSnapshot(database, ref, { block: 7, at: '2026-11-15T01:00:00.000Z', fields: { minDelay: delay } })
  const { text } = await get(`/v1/contracts/1/${ref.address}`)
  assert.ok(text.includes(`"minDelay":${delay},`), text)
})
