/**
 * A finished request is freed by the next collection of young objects. A request that an old object refers to stays until
 * the next collection of all objects, even if that object is garbage: under load the heap grew to 300 MB.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Fastify from 'fastify'
import { testLog } from '../../../testing/support/log.ts'
import { makeKey } from '../accounts/api-keys.ts'
import { holdResponses, requireApiKey, returnFailedRequests } from '../accounts/require-api-key.ts'
import { V1 } from '../control/http/params.ts'
import { systemClock } from '../lib/clock.ts'
import type { CounterStore } from '../platform/counters/counters.ts'
import { createRateLimiter } from '../platform/counters/rate-limiter.ts'
import { createLogRows } from '../traffic/log-rows.ts'
import { recordRequests } from '../traffic/record-requests.ts'
import { turnIntoError } from './error-responses.ts'

const REQUESTS = 100
/** Large enough that nothing else explains the difference, and too small to start a collection of all objects. */
const BALLAST_BYTES = 65_536

const { key } = makeKey('v1')

const store: CounterStore = {
  take: async (demands, at) =>
    demands.map(({ count }) => ({ granted: count, refusedBy: null, windowOpensAt: at, monthUsed: count })),
  giveBack: async () => true,
  usageOf: async () => new Map(),
  close: async () => {},
}

test('no finished request with an API key survives a collection of young objects', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  const collectYoung = () => {
    for (let round = 0; round < 2; round++) collect({ type: 'minor' }) // the second one waits until the first has freed all
  }
  const app = Fastify()
  app.decorateRequest('ballast', null)
  app.addHook('onRequest', (request, _reply, done) => {
    Object.assign(request, { ballast: new ArrayBuffer(BALLAST_BYTES) })
    done()
  })
  holdResponses(app, turnIntoError)
  const rows = createLogRows()
  recordRequests(app, { requestLog: { push: rows.add }, clock: systemClock, chainNamed: () => undefined })
  returnFailedRequests(app)
  const holder = { keyId: 'k', api: 'v1', accountId: 'a', plan: 'team', utxoPlan: 'basic', expiresAt: null } as const
  const directory = { find: async () => holder, findCached: () => holder, close: async () => {} }
  const rateLimiter = createRateLimiter({ store, clock: systemClock, log: testLog })
  app.addHook('onRequest', requireApiKey({ clock: systemClock, directory, rateLimiter }, V1))
  app.get('/v1/read', async () => ({ data: 1 }))
  const send = () => app.inject({ url: '/v1/read', headers: { authorization: `Bearer ${key}` } })

  assert.equal((await send()).statusCode, 200)
  collectYoung()
  const before = process.memoryUsage().arrayBuffers
  for (let sent = 0; sent < REQUESTS; sent++) await send()
  collectYoung()
  const kept = (process.memoryUsage().arrayBuffers - before) / BALLAST_BYTES
  assert.ok(kept < REQUESTS / 10, `${kept.toFixed(1)} of ${REQUESTS} requests stay`)
})
