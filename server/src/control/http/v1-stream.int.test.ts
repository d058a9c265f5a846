/** `GET /v1/stream` over real HTTP: every publication once, in order, whatever the reader does. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { testClock } from '../../../../testing/support/clock.ts'
import { hexOf } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { openStream, type SseReader } from '../../../../testing/support/sse.ts'
import { CATEGORIES } from '../../../../vocabulary/categories.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import { changePlans } from '../../accounts/accounts.ts'
import { revokeKey } from '../../accounts/api-keys.ts'
import { streamText } from '../../lib/http/event-stream.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { deleteEventsAbove, insertEvents } from '../feed/events.ts'
import type { FeedFilter } from '../feed/feed.ts'
import { matchesFilter, type PublicationReader } from '../feed/publication-tail.ts'
import { getPublications } from '../feed/publications.ts'
import { sourceOf } from './v1-stream.ts'

const store = await createTestDatabase()
const { database } = store
const clock = testClock(new Date().toISOString())
const service = await startService(store, { clock })
const account = await makeTestAccount(database, { plan: 'team' })
const { key } = await makeTestKey(database, account, 'v1')

const START = Date.parse('2026-10-01T00:00:00Z')
const POOL = hexOf(0xf001, 20)
let nextBlock = 1
const eventAt = (blockNumber: number, overrides: Partial<EventRecord> = {}): EventRecord => ({
  blockNumber,
  blockTime: START + blockNumber * 12_000,
  blockHash: hexOf(blockNumber, 32),
  txHash: hexOf(blockNumber, 32),
  logIndex: 0,
  address: POOL,
  subject: undefined,
  key: 'proxy.upgraded',
  category: 'upgrade',
  severity: 'critical',
  isInit: false,
  args: { block: blockNumber },
  ...overrides,
})
const publish = async (count: number, overrides: Partial<EventRecord> = {}): Promise<readonly number[]> => {
  const blocks = Array.from({ length: count }, () => nextBlock++)
  await insertEvents(
    database,
    1,
    blocks.map((block) => eventAt(block, overrides)),
    true,
  )
  return blocks
}
const retractAbove = (number: number): Promise<void> => deleteEventsAbove(database, 1, { number, time: START })

const open = async (query = '', headers: Readonly<Record<string, string>> = {}, bearer = key): Promise<SseReader> => {
  clock.advance(1_100)
  const reader = await openStream(`${service.url}/v1/stream${query}`, { authorization: `Bearer ${bearer}`, ...headers })
  assert.equal(reader.status, 200)
  return reader
}
/** The blocks of the messages; negative for retractions. */
const blocksOf = ({ messages }: Pick<SseReader, 'messages'>): readonly number[] =>
  messages.map(({ event, data }) => {
    const { blockNumber, retracted } = JSON.parse(data) as { blockNumber: number; retracted: boolean }
    assert.equal(event, retracted ? 'retracted' : 'published')
    return retracted ? -blockNumber : blockNumber
  })

test('a reader gets events as they are published and retracted', async () => {
  const reader = await open()
  const published = await publish(3)
  await reader.until(3)
  assert.deepEqual(blocksOf(reader), published)
  await retractAbove(published[0] ?? 0)
  await reader.until(5)
  assert.deepEqual(blocksOf(reader).slice(3), [-(published[1] ?? 0), -(published[2] ?? 0)])
  const page = await fetch(`${service.url}/v1/events?after=beginning&includeInit=true`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { data } = (await page.json()) as { readonly data: readonly object[] }
  assert.deepEqual(JSON.parse(reader.messages.at(-1)?.data ?? ''), data.at(-1))
  reader.close()
})

test('a reader that reconnects at any point misses nothing and gets nothing twice', async () => {
  const random = seededRandom(5)
  const start = await open()
  await eventually(() => start.lastId() || undefined)
  const whole = await open('', { 'last-event-id': start.lastId() })
  let lastId = start.lastId()
  start.close()
  const read: number[] = []
  for (let round = 0; round < 12; round++) {
    const reader = await open('', { 'last-event-id': lastId })
    const blocks = await publish(1 + random.below(4))
    await reader.until(random.below(blocks.length + 1))
    reader.close()
    await reader.ended
    read.push(...blocksOf(reader))
    lastId = reader.lastId() || lastId
    if (random.chance(0.4)) await retractAbove((blocks[0] ?? 0) - 1)
  }
  const last = await publish(1)
  const reader = await open('', { 'last-event-id': lastId })
  const hasLast = ({ messages }: SseReader) => messages.at(-1)?.data.includes(`"block":${last[0]}}`) || undefined
  await eventually(() => hasLast(reader) && hasLast(whole))
  read.push(...blocksOf(reader))
  reader.close()
  assert.deepEqual(
    withoutRetracted(read),
    withoutRetracted(blocksOf(whole)),
    'the same events stay, whichever connection carried them',
  )
  assert.equal(new Set(read).size, read.length, 'nothing comes twice')
  whole.close()
})

/** An event that was retracted before a reader read it is not there any more; its retraction is. */
const withoutRetracted = (blocks: readonly number[]): readonly number[] =>
  blocks.filter((block) => block > 0 && !blocks.includes(-block))

test('a reader that starts at the beginning reads the stored order', async () => {
  const reader = await open('?after=beginning&includeInit=true')
  const { events } = await getPublications(database, { includeInit: true }, { after: { position: 0 }, limit: 2_000 })
  await reader.until(events.length)
  assert.deepEqual(
    blocksOf(reader),
    events.map(({ isRetracted, blockNumber }) => (isRetracted ? -blockNumber : blockNumber)),
  )
  reader.close()
})

test('filters select the same events in memory as in the database', async () => {
  for (const category of CATEGORIES)
    for (const severity of SEVERITIES)
      await publish(2, { category, severity, key: `test.${category}`, isInit: severity === 'info', logIndex: 1 })
  await insertEvents(database, 10, [eventAt(nextBlock++, { address: hexOf(7, 20) })], false)
  const all = await getPublications(database, { includeInit: true }, { after: { position: 0 }, limit: 2_000 })
  const filters: readonly FeedFilter[] = [
    { includeInit: false },
    { includeInit: true, chainId: 10 },
    { includeInit: true, address: hexOf(7, 20) },
    { includeInit: true, key: 'test.pause' },
    ...CATEGORIES.map((category) => ({ includeInit: true, category })),
    ...SEVERITIES.map((minSeverity) => ({ includeInit: false, minSeverity })),
  ]
  for (const filter of filters) {
    const { events } = await getPublications(database, filter, { after: { position: 0 }, limit: 2_000 })
    assert.ok(events.length > 0)
    assert.deepEqual(
      all.events.filter((event) => matchesFilter(event, filter)),
      events,
      JSON.stringify(filter),
    )
  }
  const reader = await open('?chain=optimism&severity=high')
  await publish(2)
  await insertEvents(database, 10, [eventAt(nextBlock++)], true)
  await reader.until(1)
  assert.deepEqual(blocksOf(reader), [nextBlock - 1])
  reader.close()
})

test('a reader that does not read delays no other, and gets everything once it reads', async () => {
  const idle = connect(Number(new URL(service.url).port), '127.0.0.1')
  clock.advance(1_100)
  idle.write(`GET /v1/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`)
  await once(idle, 'data')
  idle.pause()
  const reader = await open()
  const large = { args: { text: 'x'.repeat(100_000) } }
  const rounds = 40 // More than the buffers of two sockets hold.
  const published: number[] = []
  for (let round = 0; round < rounds; round++) {
    published.push(...(await publish(5, large)))
    await reader.until(published.length)
  }
  assert.deepEqual(blocksOf(reader), published)
  let text = ''
  idle.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  idle.resume()
  const marker = `"blockNumber":${published.at(-1)},`
  await eventually(() => text.slice(-300_000).includes(marker) || undefined)
  assert.deepEqual(
    [...text.matchAll(/"blockNumber":(\d+),/g)].map(([, block]) => Number(block)),
    published,
  )
  idle.destroy()
  reader.close()
})

const endOf = ({ messages }: SseReader) => [messages.at(-1)?.event, messages.at(-1)?.data]

test('a revoked key ends its streams', async () => {
  const other = await makeTestKey(database, account, 'v1')
  const reader = await open('', {}, other.key)
  const untouched = await open()
  await revokeKey(database, other.id)
  await publish(1)
  await reader.ended
  assert.deepEqual(endOf(reader), ['end', '{"code":"invalid_api_key"}'])
  await untouched.until(1)
  assert.equal(untouched.messages.length, 1)
  untouched.close()
})

test('an account that leaves the Team plan is told so when its streams end', async () => {
  const leaving = await makeTestAccount(database, { plan: 'team' })
  const reader = await open('', {}, (await makeTestKey(database, leaving, 'v1')).key)
  await changePlans(database, leaving.email, { plan: 'free' })
  await publish(1)
  await reader.ended
  assert.deepEqual(endOf(reader), ['end', '{"code":"plan_required"}'])
})

test('an account can keep twenty streams open', async () => {
  const { key: ownKey } = await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')
  const readers: SseReader[] = []
  for (let n = 0; n < 20; n++) readers.push(await open('', {}, ownKey))
  clock.advance(1_100)
  const refused = await fetch(`${service.url}/v1/stream`, { headers: { authorization: `Bearer ${ownKey}` } })
  assert.equal(refused.status, 429)
  assert.partialDeepStrictEqual(await refused.json(), { error: { code: 'too_many_streams' } })
  readers[0]?.close()
  const again = await eventually(() => open('', {}, ownKey).catch(() => undefined))
  for (const reader of [...readers, again]) reader.close()
})

test('400 for a Last-Event-ID that is no cursor, and for unknown parameters', async () => {
  const refusal = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
    clock.advance(1_100)
    const response = await fetch(`${service.url}/v1/stream${query}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    const { error } = (await response.json()) as { readonly error: { readonly code: string; readonly message: string } }
    return { code: `${response.status} ${error.code}`, message: error.message }
  }
  const codeOf = async (query: string): Promise<string> => (await refusal(query)).code
  for (const id of ['x', 'now', 'beginning', 'cC4x.', '../..'])
    assert.deepEqual(await refusal('', { 'last-event-id': id }), {
      code: '400 invalid_cursor',
      message: 'Last-Event-ID: must be the nextCursor of an earlier response',
    })
  assert.deepEqual(await refusal('?after=x'), {
    code: '400 invalid_cursor',
    message: 'after: must be beginning, now, or the nextCursor of an earlier response',
  })
  assert.equal(await codeOf('?limit=5'), '400 invalid_request')
  assert.equal(await codeOf('?chain=doge'), '400 unknown_chain')
})

test('the request log has each stream once', async () => {
  const own = await makeTestAccount(database, { plan: 'team' })
  const { key: ownKey } = await makeTestKey(database, own, 'v1')
  const reader = await open('?chain=base', {}, ownKey)
  const entries = await eventually(async () => {
    const { rows } = await database.query<object>(
      sql`select l.endpoint, l.chain, l.status from request_log l join api_key k on k.id = l.key_id where k.account_id = $1`,
      [own.id],
    )
    return rows.length > 0 ? rows : undefined
  })
  assert.deepEqual(entries, [{ endpoint: '/v1/stream', chain: 'base', status: 200 }])
  reader.close()
})

test('a heartbeat carries the position, so that a reader with a rare filter resumes near the end', async () => {
  const positions = [{ position: 7 }, { position: 9 }]
  const reader: PublicationReader = {
    position: () => positions[0] ?? { position: 9 },
    next: async () => {
      positions.shift()
      return []
    },
    close: () => undefined,
  }
  const chunks = streamText(sourceOf(reader), {
    signal: new AbortController().signal,
    endCode: async () => undefined,
    heartbeatMs: 1,
    onError: (error) => assert.fail(String(error)),
  })
  const idOf = (position: number): string => Buffer.from(`p.${position}`).toString('base64url')
  assert.equal((await chunks.next()).value, `retry: 3000\nid: ${idOf(7)}\n\n`)
  assert.equal((await chunks.next()).value, `: heartbeat\nid: ${idOf(9)}\n\n`)
  await chunks.return(undefined)
})
