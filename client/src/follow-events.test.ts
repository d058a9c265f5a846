/** What a follower does with refusals, against a server that refuses as the service does. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { serve } from '../../testing/support/receivers.ts'
import { createClient, followEvents, ResponseError } from './client.ts'

const refusing = async (status: number, headers: Readonly<Record<string, string>>, body: string) => {
  let requests = 0
  const handler: RequestListener = (_request, response) => {
    requests += 1
    response.writeHead(status, headers).end(body)
  }
  return { client: createClient({ baseUrl: await serve(handler) }), requests: () => requests }
}

test('a quota that is used up for longer than a timer can wait is not asked again at once', async () => {
  const month = String(31 * 86_400)
  const { client, requests } = await refusing(429, { 'retry-after': month }, '{"error":{"code":"quota_exceeded"}}')
  const ended = new AbortController()
  const next = followEvents(client, { signal: ended.signal }).next()
  const own = 20
  for (let sent = 0; sent < own; sent++) await client.GET('/v1/events')
  ended.abort()
  assert.equal((await next).done, true)
  assert.equal(requests(), 1 + own)
})

test('a refusal without a body throws', async () => {
  const { client } = await refusing(502, { 'content-length': '0' }, '')
  await assert.rejects(
    followEvents(client).next(),
    (error) => error instanceof ResponseError && error.status === 502 && error.code === 'unknown',
  )
})
