/** Responses wait until their requests are stored as counted. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import Fastify from 'fastify'
import { makeKey } from '../accounts/api-keys.ts'
import { holdResponses, requireApiKey, returnFailedRequests } from '../accounts/require-api-key.ts'
import { V1 } from '../control/http/params.ts'
import { monthOf, systemClock } from '../lib/clock.ts'
import type { RateLimiter } from '../platform/counters/rate-limiter.ts'
import { DatabaseUnreachableError } from '../platform/errors.ts'
import type { NewLogEntry } from '../traffic/log-entry.ts'
import { recordRequests } from '../traffic/record-requests.ts'
import { createErrorHandler, turnIntoError } from './error-responses.ts'

const { key } = makeKey('v1')

/** An app with a key and three routes, whose counts are stored when the test says so. */
async function createHeldApp({ holds = true } = {}) {
  const { promise: stored, resolve: store, reject: fail } = Promise.withResolvers<void>()
  const { promise: known, resolve: markKnown } = Promise.withResolvers<void>()
  const events: string[] = []
  const entries: NewLogEntry[] = []
  const streams: Readable[] = []
  const app = Fastify()
  app.setErrorHandler(createErrorHandler({}))
  if (holds) holdResponses(app, turnIntoError)
  recordRequests(app, {
    requestLog: { push: (entry) => entries.push(entry) },
    clock: systemClock,
    chainNamed: () => '',
  })
  returnFailedRequests(app)
  const holder = { keyId: 'k', api: 'v1', accountId: 'a', plan: 'team', utxoPlan: 'basic', expiresAt: null } as const
  const takeAhead: RateLimiter['takeAhead'] = (_subject, _limits, onKnown) => {
    const giveBack = async () => void events.push('returned')
    onKnown({ isAllowed: true, month: monthOf(Date.now()), monthUsed: 1, giveBack, stored })
    setImmediate(markKnown)
  }
  const deps = {
    clock: systemClock,
    directory: { find: async () => holder, findCached: () => undefined, close: async () => {} },
    rateLimiter: { take: () => Promise.reject(new Error('not expected')), takeAhead },
  }
  app.addHook('onRequest', requireApiKey(deps, V1))
  const handled = () => void events.push('handled')
  app.get('/v1/read', async () => (handled(), { data: 1 }))
  app.post('/v1/write', async () => (handled(), { data: 1 }))
  app.get('/v1/broken', async () => {
    handled()
    throw new Error('a fault of ours')
  })
  app.get('/v1/file', async (_request, reply) => {
    handled()
    const stream = Readable.from(['a', 'b'])
    streams.push(stream)
    return reply.header('content-disposition', 'attachment; filename="x.csv"').send(stream)
  })
  const send = (url: string, method: 'GET' | 'POST' = 'GET') =>
    app.inject({ method, url, headers: { authorization: `Bearer ${key}` } }).then((response) => {
      events.push('sent')
      return response
    })
  return { send, events, entries, streams, known, store, fail: () => fail(new DatabaseUnreachableError('x', 'gone')) }
}

test('what reads runs while its count is stored, and its response waits', async () => {
  const { send, events, entries, known, store } = await createHeldApp()
  const response = send('/v1/read')
  await known
  assert.deepEqual([events, entries], [['handled'], []])
  store()
  assert.deepEqual([(await response).json(), entries.map(({ status }) => status)], [{ data: 1 }, [200]])
})

test('what writes runs when its count is stored', async () => {
  const { send, events, known, store } = await createHeldApp()
  const response = send('/v1/write', 'POST')
  await known
  assert.deepEqual(events, [])
  store()
  assert.equal((await response).statusCode, 200)
})

test('a request whose count cannot be stored gets 503, is recorded once and is not returned', async () => {
  for (const [path, method] of [
    ['/v1/read', 'GET'],
    ['/v1/file', 'GET'],
    ['/v1/broken', 'GET'],
    ['/v1/write', 'POST'],
  ] as const) {
    const { send, events, entries, streams, known, fail } = await createHeldApp()
    const response = send(path, method)
    await known
    fail()
    const { statusCode, headers, json } = await response
    assert.deepEqual([statusCode, json().error.code], [503, 'unavailable'], path)
    assert.equal(headers['content-disposition'], undefined)
    assert.deepEqual(
      entries.map(({ status, code }) => `${status} ${code}`),
      ['503 unavailable'],
      path,
    )
    assert.ok(!events.includes('returned'))
    assert.ok(streams.every(({ destroyed }) => destroyed))
  }
})

test('a request that fails by our fault is returned when it is stored', async () => {
  const { send, events, known, store } = await createHeldApp()
  const response = send('/v1/broken')
  await known
  assert.deepEqual(events, ['handled'])
  store()
  assert.equal((await response).statusCode, 500)
  assert.deepEqual(events, ['handled', 'returned', 'sent'])
})

test('without the hook that holds responses, nothing runs before its count is stored', async () => {
  const { send, events, known, store } = await createHeldApp({ holds: false })
  const response = send('/v1/read')
  await known
  assert.deepEqual(events, [])
  store()
  assert.equal((await response).statusCode, 200)
})
