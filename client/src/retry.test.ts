/** Retries against a real server, which refuses as the service does. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { serve } from '../../testing/support/receivers.ts'
import { retryingFetch } from './retry.ts'

async function serverWith(...answers: readonly [status: number, retryAfter?: string][]) {
  let count = 0
  const handler: RequestListener = (_request, response) => {
    const [status, retryAfter] = answers[count] ?? [200]
    count += 1
    if (status === 0) response.destroy()
    else response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(String(count))
  }
  return { url: await serve(handler), requests: () => count }
}

test('a GET is repeated after a limit, an outage and a lost connection', async () => {
  const server = await serverWith([429, '0'], [503, new Date(0).toUTCString()], [0])
  const response = await retryingFetch()(new Request(server.url))
  assert.deepEqual([response.status, await response.text(), server.requests()], [200, '4', 4])
})

test('a refusal that does not pass, and a long pause, are returned', async () => {
  const refused = await serverWith([400])
  assert.equal((await retryingFetch()(new Request(refused.url))).status, 400)
  const quota = await serverWith([429, '86400'])
  assert.equal((await retryingFetch()(new Request(quota.url))).status, 429)
  assert.deepEqual([refused.requests(), quota.requests()], [1, 1])
})

test('after the last attempt the response or the error is given', async () => {
  const busy = await serverWith([503, '0'], [503, '0'], [503, '0'])
  assert.equal((await retryingFetch({ retries: 2 })(new Request(busy.url))).status, 503)
  assert.equal(busy.requests(), 3)
  const lost = await serverWith([0])
  await assert.rejects(retryingFetch({ retries: 0 })(new Request(lost.url)))
})

test('a request with an effect is sent once', async () => {
  const server = await serverWith([503, '0'])
  const response = await retryingFetch()(new Request(server.url, { method: 'POST', body: 'x' }))
  assert.deepEqual([response.status, server.requests()], [503, 1])
})

test('a signal ends the wait', async () => {
  const server = await serverWith([503, '60'], [503, '60'])
  const stopped = new AbortController()
  const request = retryingFetch()(new Request(server.url, { signal: stopped.signal }))
  while (server.requests() === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  stopped.abort()
  await assert.rejects(request, { name: 'AbortError' })
})
