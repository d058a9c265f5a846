/**
 * Sends hostile requests. Every one must get a response below 500 that matches `openapi.json` and exposes no internals.
 *
 * `npm run sim -- hostile` sends as many as requested.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { report } from '../report/result.ts'
import { REPOSITORY } from '../support/service.ts'
import { AUTH_OPERATIONS } from './auth-operations.ts'
import { countByArea, describeCounts, lastTenth, refusedAreas } from './counts.ts'
import { parseResponse, sendBytes } from './exchange.ts'
import { areaOf, operationsOf } from './operations.ts'
import { RAW_FORMS } from './raw-forms.ts'
import { type FaultKind, type Run, runHostile } from './run.ts'
import { startWorld } from './world.ts'

const { HOSTILE_SEED: firstSeed = '1', HOSTILE_REQUESTS: wanted } = process.env
const count = Number(wanted ?? '500')
const SLOW_HEADERS = 'GET /v1/events HTTP/1.1\r\nhost: x\r\nx-slow:'
const SLOW_BODY =
  'POST /public/coins/btc/simulate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'

const operations = [
  ...operationsOf(JSON.parse(readFileSync(join(REPOSITORY, 'server', 'openapi.json'), 'utf8'))).filter(
    (operation) => areaOf(operation) !== 'auth',
  ),
  ...AUTH_OPERATIONS,
]
const world = await startWorld()
/** The service waits 15 and 30 seconds for these two; the other tests run meanwhile. */
const slowClients = [SLOW_HEADERS, SLOW_BODY].map((bytes) =>
  sendBytes(world.port, [Buffer.from(bytes)], { timeoutMs: 60_000 }),
)

/** Reports results for `bench/run.ts`, if a request count was set. */
function reportRun({ sent, faults, outcomes }: Run): void {
  const ofKind = (kind: FaultKind) => faults.filter((fault) => fault.kind === kind).length
  const peer = `from seed ${firstSeed}, to ${operations.length} routes; valid requests that succeeded: ${describeCounts(countByArea(outcomes))}`
  console.log(`valid requests that succeeded in the last tenth: ${describeCounts(countByArea(lastTenth(outcomes)))}`)
  report({ name: 'hostile requests sent', value: sent, unit: 'requests', atLeast: count, peer })
  report({ name: 'responses outside the documented shape', value: ofKind('invalid'), unit: 'responses', atMost: 0 })
  report({ name: 'responses of 500 and above', value: ofKind('5xx'), unit: 'responses', atMost: 0 })
  report({ name: 'requests without a response', value: ofKind('hang'), unit: 'requests', atMost: 0 })
}

test(`${count} hostile requests to ${operations.length} routes`, async () => {
  const run = await runHostile(world, { operations, first: Number(firstSeed), count })
  if (wanted !== undefined) reportRun(run)
  const { faults, outcomes, succeeded } = run
  assert.equal(
    faults.length,
    0,
    `${faults.length} invalid responses:\n${faults.map(({ description }) => description).join('\n')}`,
  )
  // All credentials still work at the end, and valid requests were not all refused.
  assert.deepEqual(await world.accounts.accessStatuses(), { session: 200, 'v1 key': 200, 'v2 key': 200, token: 200 })
  assert.deepEqual(refusedAreas(outcomes), [])
  assert.deepEqual(refusedAreas(lastTenth(outcomes)), [])
  if (count < operations.length * 10) return
  // Some routes need services that are not configured here: e-mail, Telegram, an identity provider.
  assert.ok(succeeded.size > operations.length * 0.7, `only ${succeeded.size} routes ever succeeded`)
})

test('the badge of a protocol name with NUL is the badge of an unknown protocol', async () => {
  const response = await fetch(`${world.service.url}/badge/protocol/%00.svg`)
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8'])
})

for (const { name, bytes, most, statuses } of RAW_FORMS)
  test(`raw: ${name}`, async () => {
    const text = await sendBytes(world.port, [Buffer.from(bytes, 'latin1')])
    const responses = text.match(/HTTP\/1\.1 \d{3} /g) ?? []
    assert.ok(responses.length <= most, `${responses.length} responses: ${text}`)
    const response = parseResponse(text)
    assert.ok(statuses.includes(response?.status ?? 0), JSON.stringify(text.slice(0, 300)))
    assert.doesNotMatch(text.slice(1), /HTTP\/1\.1 (?!400)\d{3} /, 'the smuggled request got a response')
    if (response !== undefined) assert.match(response.headers.get('x-request-id') ?? '', /-/)
  })

test('unfinished requests do not delay other clients, and closed connections are released', async () => {
  const slow = Array.from({ length: 200 }, (_, n) => {
    const socket = connect(world.port, '127.0.0.1', () => {
      socket.write(n % 2 === 0 ? SLOW_HEADERS : SLOW_BODY)
    })
    return socket.on('error', () => undefined)
  })
  await Promise.all(slow.map((socket) => once(socket, 'connect')))
  const responses = await Promise.all(Array.from({ length: 20 }, () => fetch(`${world.service.url}/healthz`)))
  assert.ok(responses.every(({ status }) => status === 200))
  for (const socket of slow) socket.destroy()
  assert.equal((await fetch(`${world.service.url}/readyz`)).status, 200)
})

test('headers or a body that do not arrive in time get 408, and the connection closes', async () => {
  for (const text of await Promise.all(slowClients))
    assert.match(text, /^HTTP\/1\.1 408 [\s\S]*x-request-id[\s\S]*"code":"request_timeout"/)
})
