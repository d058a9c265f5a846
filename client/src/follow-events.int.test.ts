import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteEventsAbove } from '../../server/src/control/feed/events.ts'
import { hexOf, storeEvent } from '../../testing/support/control-records.ts'
import { createTestDatabase } from '../../testing/support/database.ts'
import { makeTestAccount, makeTestKey, startService } from '../../testing/support/service.ts'
import { createClient, followEvents, pages, ResponseError } from './client.ts'

const POOL = { chainId: 1, address: hexOf(0xf001, 20) }
const store = await createTestDatabase()
const { database } = store
const service = await startService(store)
const { key } = await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')
const client = createClient({ baseUrl: service.url, controlKey: key })

test('events are followed from the beginning, as they come, and from a stored cursor', async () => {
  const old = await storeEvent(database, POOL)
  const ended = new AbortController()
  const followed = followEvents(client, { after: 'beginning', pollMs: 10, signal: ended.signal })
  const first = (await followed.next()).value
  assert.deepEqual(
    first?.events.map(({ txHash, retracted }) => [txHash, retracted]),
    [[old.txHash, false]],
  )
  const late = await storeEvent(database, POOL, { blockTime: old.blockTime - 86_400_000, severity: 'high' })
  const second = (await followed.next()).value
  assert.deepEqual(
    second?.events.map(({ txHash }) => txHash),
    [late.txHash],
  )
  await deleteEventsAbove(database, POOL.chainId, { number: old.blockNumber, time: 0 })
  const third = (await followed.next()).value
  assert.deepEqual(
    third?.events.map(({ id, retracted }) => [id, retracted]),
    [[second?.events[0]?.id, true]],
  )
  const again = followEvents(client, {
    after: first?.cursor ?? '',
    filters: { severity: 'high' },
    signal: ended.signal,
  })
  assert.deepEqual((await again.next()).value?.events, third?.events)
  ended.abort()
  assert.equal((await followed.next()).done, true)
})

test('an abort ends the pause between two polls', async () => {
  const ended = new AbortController()
  const followed = followEvents(client, { signal: ended.signal })
  await followed.next() // from `now` to a cursor
  const waiting = followed.next()
  ended.abort()
  assert.equal((await waiting).done, true)
})

test('a refused request throws', async () => {
  await assert.rejects(followEvents(client, { after: 'wrong' }).next(), (error) => {
    assert.ok(error instanceof ResponseError)
    return error.status === 400 && error.code === 'invalid_cursor'
  })
})

test('every item of a list is read page by page, and a refusal has its code', async () => {
  for (let n = 0; n < 7; n++) await storeEvent(database, { chainId: 10, address: hexOf(n, 20) })
  const read: number[] = []
  const events = pages(
    (cursor) =>
      client.GET('/v1/events', {
        params: { query: { chain: 'optimism', limit: 3, ...(cursor !== undefined && { cursor }) } },
      }),
    ({ data, nextCursor }) => ({ items: data, nextCursor }),
  )
  for await (const event of events) read.push(event.id)
  assert.equal(new Set(read).size, 7)
  const refused = pages(
    () => client.GET('/v1/events', { params: { query: { cursor: 'x' } } }),
    ({ data, nextCursor }) => ({ items: data, nextCursor }),
  )
  await assert.rejects(refused.next(), { name: 'ResponseError', status: 400, code: 'invalid_cursor' })
})
