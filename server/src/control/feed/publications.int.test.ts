/** Events in publication order: a reader that continues from its last cursor misses nothing, whatever the commit order. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../../testing/support/clock.ts'
import { hexOf, storeEvent } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { codeOf, v1Caller } from '../../../../testing/support/v1-caller.ts'
import { type Database, type DatabaseClient, inTransaction } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { saveContract } from '../registry/contracts.ts'
import { addEventKinds } from './event-kinds.ts'
import { copyEvents, deleteEventsAbove, insertEvents } from './events.ts'
import { getPublications } from './publications.ts'

const POOL = { chainId: 1, address: hexOf(0xf001, 20) }
const START = Date.parse('2026-10-01T00:00:00Z')

const eventAt = (block: number, overrides: Partial<EventRecord> = {}): EventRecord => ({
  blockNumber: block,
  blockTime: START + block * 12_000,
  blockHash: hexOf(block, 32),
  txHash: hexOf(block, 32),
  logIndex: 0,
  address: POOL.address,
  subject: undefined,
  key: 'proxy.upgraded',
  category: 'upgrade',
  severity: 'critical',
  isInit: false,
  args: { block },
  ...overrides,
})

type Position = Parameters<typeof getPublications>[2]['after']

/** Reads until nothing follows. A retraction is the negative number of its block. */
async function readAll(
  database: Database,
  after: Position,
  {
    filter = { includeInit: true },
    limit = 7,
  }: { filter?: Parameters<typeof getPublications>[1]; limit?: number } = {},
): Promise<{ readonly blocks: readonly number[]; readonly next: Position }> {
  const blocks: number[] = []
  for (let from = after; ; ) {
    const { events, next } = await getPublications(database, filter, { after: from, limit })
    blocks.push(...events.map(({ isRetracted, blockNumber }) => (isRetracted ? -blockNumber : blockNumber)))
    if (next.position === from.position && next.entry === from.entry) return { blocks, next }
    from = next
  }
}

const BEGINNING: Position = { position: 0 }

/** With the event kinds, because a transaction that adds one makes others wait for it. */
async function createStore() {
  const store = await createTestDatabase()
  await addEventKinds(store.database, [
    { key: 'proxy.upgraded', category: 'upgrade' },
    { key: 'pause.paused', category: 'pause' },
  ])
  return store
}

async function begin(database: Database): Promise<DatabaseClient> {
  const client = await database.connect()
  await client.query(sql`begin`)
  return client
}

async function commit(client: DatabaseClient): Promise<void> {
  await client.query(sql`commit`)
  client.release()
}

test('transactions that commit in reverse order are read in commit order, without a gap', async () => {
  const { database } = await createStore()
  const open: DatabaseClient[] = []
  for (const block of [1, 2, 3]) {
    const client = await begin(database)
    await insertEvents(client, POOL.chainId, [eventAt(block)], true)
    open.push(client)
  }
  let { blocks, next } = await readAll(database, BEGINNING)
  assert.deepEqual(blocks, [])
  const read: number[] = []
  for (const client of open.toReversed()) {
    await commit(client)
    ;({ blocks, next } = await readAll(database, next))
    read.push(...blocks)
  }
  assert.deepEqual(read, [3, 2, 1])
  assert.deepEqual((await readAll(database, BEGINNING)).blocks, [3, 2, 1])
  // Ids have another order: a reader that remembers the highest id would have missed two events.
  const { rows } = await database.query(sql`select block_number from control_event order by id`)
  assert.deepEqual(
    rows,
    [1, 2, 3].map((block_number) => ({ block_number })),
  )
})

test('a reader sees each of many concurrent stores and retractions once, in one order', async () => {
  const { database } = await createStore()
  const random = seededRandom(11)
  const chains = [1, 10, 56]
  let writing = chains.length
  const read: number[] = []
  const write = async (chainId: number, first: number): Promise<void> => {
    for (let block = first; block < first + 120; block += 2)
      await inTransaction(database, async (client) => {
        await insertEvents(client, chainId, [eventAt(block, { address: hexOf(chainId, 20) })], true)
        if (random.below(3) === 0) await client.query(sql`select pg_sleep(0.003)`)
        const more = [eventAt(block + 1), eventAt(block + 1, { logIndex: 1 })]
        if (random.below(2) === 0) await copyEvents(client, chainId, more)
        else await insertEvents(client, chainId, more, false)
        if (random.below(5) === 0) await deleteEventsAbove(client, chainId, { number: block, time: START })
      })
    writing -= 1
  }
  const readOn = async (): Promise<void> => {
    let next = BEGINNING
    for (let isLast = false; !isLast; ) {
      isLast = writing === 0
      const found = await readAll(database, next, { limit: 1 + random.below(5) })
      read.push(...found.blocks)
      next = found.next
    }
  }
  await Promise.all([readOn(), ...chains.map((chainId) => write(chainId, chainId * 1_000))])
  const stored = await database.query<{ count: number }>(sql`select count(*)::int as count from control_event`)
  const retracted = await database.query<{ count: number }>(sql`select count(*)::int as count from retracted_event`)
  assert.ok((retracted.rows[0]?.count ?? 0) > 10)
  assert.equal(read.length, (stored.rows[0]?.count ?? 0) + (retracted.rows[0]?.count ?? 0))
  assert.deepEqual((await readAll(database, BEGINNING)).blocks, read)
})

test('a retracted event appears again as retracted, also for a reader that starts later', async () => {
  const { database } = await createStore()
  await insertEvents(database, POOL.chainId, [eventAt(1), eventAt(2), eventAt(3)], true)
  const before = await readAll(database, BEGINNING)
  assert.deepEqual(before.blocks, [1, 2, 3])
  await deleteEventsAbove(database, POOL.chainId, { number: 1, time: START })
  await insertEvents(database, POOL.chainId, [eventAt(2, { blockTime: START + 30_000 })], true)
  assert.deepEqual((await readAll(database, before.next)).blocks, [-2, -3, 2])
  assert.deepEqual((await readAll(database, BEGINNING)).blocks, [1, -2, -3, 2])
})

test('every filter selects the same events as in the newest-first feed', async () => {
  const { database } = await createStore()
  const random = seededRandom(3)
  const events = Array.from({ length: 300 }, (_, n) => ({
    chainId: random.pick([1, 10]),
    event: eventAt(n, {
      address: random.pick([POOL.address, hexOf(2, 20)]),
      severity: random.pick(['info', 'high', 'critical'] as const),
      isInit: random.below(4) === 0,
      ...random.pick([
        { key: 'proxy.upgraded', category: 'upgrade' as const },
        { key: 'pause.paused', category: 'pause' as const },
      ]),
    }),
  }))
  for (const { chainId, event } of events) await insertEvents(database, chainId, [event], false)
  const wanted = (isWanted: (entry: (typeof events)[number]) => boolean) =>
    events.filter(isWanted).map(({ event }) => event.blockNumber)
  const cases: readonly [Parameters<typeof getPublications>[1], (entry: (typeof events)[number]) => boolean][] = [
    [{ includeInit: true }, () => true],
    [{ includeInit: false }, ({ event }) => !event.isInit],
    [{ includeInit: true, chainId: 10 }, ({ chainId }) => chainId === 10],
    [{ includeInit: true, address: POOL.address }, ({ event }) => event.address === POOL.address],
    [{ includeInit: true, minSeverity: 'high' }, ({ event }) => event.severity !== 'info'],
    [{ includeInit: true, key: 'pause.paused' }, ({ event }) => event.key === 'pause.paused'],
    [{ includeInit: true, category: 'upgrade' }, ({ event }) => event.category === 'upgrade'],
    [{ includeInit: true, key: 'never.seen' }, () => false],
  ]
  for (const [filter, isWanted] of cases)
    assert.deepEqual((await readAll(database, BEGINNING, { filter })).blocks, wanted(isWanted), JSON.stringify(filter))
})

test('one read examines a limited number of events and continues after them', async () => {
  const { database } = await createStore()
  const history = Array.from({ length: 4_500 }, (_, n) => eventAt(n, { severity: 'info' }))
  await inTransaction(database, (client) => copyEvents(client, POOL.chainId, history))
  await insertEvents(database, POOL.chainId, [eventAt(5_000)], true)
  const filter = { includeInit: true, minSeverity: 'critical' } as const
  const first = await getPublications(database, filter, { after: BEGINNING, limit: 50 })
  assert.deepEqual([first.events.length, first.next.entry !== undefined], [0, true])
  assert.deepEqual((await readAll(database, first.next, { filter })).blocks, [5_000])
})

test('GET /v1/events?after= reads forward, with a cursor in every response', async () => {
  const store = await createTestDatabase()
  const { database } = store
  const clock = testClock(new Date().toISOString())
  const service = await startService(store, { clock })
  const { key } = await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')
  const get = v1Caller(service, clock, key)
  await saveContract(database, POOL, { name: 'Pool', protocol: 'Example' })
  const empty = (await get('/v1/events?after=beginning')).body
  assert.deepEqual(empty.data, [])
  const old = await storeEvent(database, POOL, { blockTime: START })
  const now = (await get('/v1/events?after=now')).body
  assert.deepEqual(now.data, [])
  // Later in publication order, earlier in block time.
  const late = await storeEvent(database, POOL, { blockTime: START - 86_400_000, severity: 'high' })
  const next = (await get(`/v1/events?after=${now.nextCursor}`)).body
  assert.deepEqual(
    next.data.map(({ txHash, retracted, contract }: Record<string, unknown>) => ({ txHash, retracted, contract })),
    [{ txHash: late.txHash, retracted: false, contract: { name: 'Pool', protocol: 'Example', kind: 'unknown' } }],
  )
  const end = (await get(`/v1/events?after=${next.nextCursor}`)).body
  assert.deepEqual(end, { data: [], nextCursor: next.nextCursor })
  await deleteEventsAbove(database, POOL.chainId, { number: old.blockNumber, time: START - 2 * 86_400_000 })
  const gone = (await get(`/v1/events?after=${end.nextCursor}`)).body
  assert.deepEqual(
    gone.data.map(({ id, retracted }: Record<string, unknown>) => [id, retracted]),
    [[next.data[0].id, true]],
  )
  assert.deepEqual((await get(`/v1/events?after=${empty.nextCursor}&severity=critical`)).body.data.length, 1)
  assert.equal('retracted' in (await get('/v1/events')).body.data[0], false)
  assert.equal(codeOf(await get(`/v1/events?after=now&cursor=${now.nextCursor}`)), '400 invalid_request')
  for (const wrong of ['x', 'NOW', `${now.nextCursor}A`, Buffer.from('1.2').toString('base64url')])
    assert.equal(codeOf(await get(`/v1/events?after=${wrong}`)), '400 invalid_cursor', wrong)
})
