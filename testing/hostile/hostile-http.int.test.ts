/**
 * Whatever is sent, every answer keeps its promises: none is a fault of ours, all have the shape that `openapi.json`
 * says, none tells of the inside, and none is missing.
 *
 * `npm run sim -- hostile` sends for as long as asked.
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
import { parseAnswer, sendBytes } from './exchange.ts'
import { operationsOf } from './operations.ts'
import { RAW_FORMS } from './raw-forms.ts'
import { type FaultKind, type Run, runHostile } from './run.ts'
import { startWorld } from './world.ts'

const { HOSTILE_SEED: firstSeed = '1', HOSTILE_REQUESTS: wanted } = process.env
const count = Number(wanted ?? '500')
const SLOW_HEADERS = 'GET /v1/events HTTP/1.1\r\nhost: x\r\nx-slow:'
const SLOW_BODY =
  'POST /public/coins/btc/simulate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'

const operations = [
  ...operationsOf(JSON.parse(readFileSync(join(REPOSITORY, 'server', 'openapi.json'), 'utf8'))),
  ...AUTH_OPERATIONS,
]
const world = await startWorld()
/** These two are given fifteen and thirty seconds; the other tests run meanwhile. */
const slowClients = [SLOW_HEADERS, SLOW_BODY].map((bytes) =>
  sendBytes(world.port, [Buffer.from(bytes)], { patienceMs: 60_000 }),
)

/** Lines for `bench/run.ts`, where somebody asked for this run by itself. */
function reportRun({ sent, faults, noted }: Run): void {
  const ofKind = (kind: FaultKind) => faults.filter((fault) => fault.kind === kind).length
  const peer = `from seed ${firstSeed}, to ${operations.length} routes; right ones that succeeded: ${describeCounts(countByArea(noted))}`
  console.log(`right requests that succeeded in the last tenth: ${describeCounts(countByArea(lastTenth(noted)))}`)
  report({ name: 'hostile requests sent', value: sent, unit: 'requests', atLeast: count, peer })
  report({ name: 'answers outside the documented shape', value: ofKind('promise'), unit: 'answers', atMost: 0 })
  report({ name: 'answers of 500 and above', value: ofKind('5xx'), unit: 'answers', atMost: 0 })
  report({ name: 'requests without an answer', value: ofKind('hang'), unit: 'requests', atMost: 0 })
}

test(`${count} hostile requests to ${operations.length} routes`, async () => {
  const run = await runHostile(world, { operations, first: Number(firstSeed), count })
  if (wanted !== undefined) reportRun(run)
  const { faults, noted, succeeded } = run
  assert.equal(faults.length, 0, `${faults.length} answers are wrong:\n${faults.map(({ told }) => told).join('\n')}`)
  // Whoever could ask at the beginning can at the end, and was not only refused.
  assert.deepEqual(await world.people.standing(), { session: 200, 'v1 key': 200, 'v2 key': 200, token: 200 })
  assert.deepEqual(refusedAreas(noted), [])
  assert.deepEqual(refusedAreas(lastTenth(noted)), [])
  if (count < operations.length * 10) return
  // Some need what this service lacks: mail, Telegram, a provider to sign in with.
  assert.ok(succeeded.size > operations.length * 0.7, `only ${succeeded.size} routes ever succeeded`)
})

test('a protocol whose name no database can hold is one nobody knows', async () => {
  const answer = await fetch(`${world.service.url}/badge/protocol/%00.svg`)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8'])
})

for (const { name, bytes, most, statuses } of RAW_FORMS)
  test(`raw: ${name}`, async () => {
    const text = await sendBytes(world.port, [Buffer.from(bytes, 'latin1')])
    const answers = text.match(/HTTP\/1\.1 \d{3} /g) ?? []
    assert.ok(answers.length <= most, `${answers.length} answers: ${text}`)
    const answer = parseAnswer(text)
    assert.ok(statuses.includes(answer?.status ?? 0), JSON.stringify(text.slice(0, 300)))
    assert.doesNotMatch(text.slice(1), /HTTP\/1\.1 (?!400)\d{3} /, 'what was smuggled in was answered')
    if (answer !== undefined) assert.match(answer.headers.get('x-request-id') ?? '', /-/)
  })

test('unfinished requests do not delay other clients, and closed connections are released', async () => {
  const slow = Array.from({ length: 200 }, (_, n) => {
    const socket = connect(world.port, '127.0.0.1', () => {
      socket.write(n % 2 === 0 ? SLOW_HEADERS : SLOW_BODY)
    })
    return socket.on('error', () => undefined)
  })
  await Promise.all(slow.map((socket) => once(socket, 'connect')))
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${world.service.url}/healthz`)))
  assert.ok(answers.every(({ status }) => status === 200))
  for (const socket of slow) socket.destroy()
  assert.equal((await fetch(`${world.service.url}/readyz`)).status, 200)
})

test('headers or a body that do not arrive in time get 408, and the connection closes', async () => {
  for (const text of await Promise.all(slowClients))
    assert.match(text, /^HTTP\/1\.1 408 [\s\S]*x-request-id[\s\S]*"code":"request_timeout"/)
})
