/**
 * Whatever is sent, every answer keeps its promises: none is a fault of ours, all have the shape that `openapi.json`
 * says, none tells of the inside, and none is missing.
 *
 * `npm run hostile` sends for as long as asked.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { seeded } from './coins/random.ts'
import { AUTH_OPERATIONS } from './hostile/auth-operations.ts'
import { NoAnswerError, parseAnswer, sendBytes } from './hostile/exchange.ts'
import { judge } from './hostile/judge.ts'
import { RAW_FORMS } from './hostile/raw-forms.ts'
import { bytesOf, hostileRequest, operationsOf } from './hostile/requests.ts'
import { startWorld } from './hostile/world.ts'
import { REPOSITORY } from './support/service.ts'

const { HOSTILE_SEED: firstSeed = '1', HOSTILE_REQUESTS: wanted = '700' } = process.env
const LANES = 8
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
/** Routes that were reached: a run that is refused everywhere shows nothing. Some need what this service lacks: mail, Telegram. */
const succeeded = new Set<string>()

/** The request of one seed, and what is wrong with its answer; undefined where nothing is. */
async function ask(seed: number): Promise<string | undefined> {
  const operation = operations[seed % operations.length]
  if (operation === undefined) return undefined
  const request = hostileRequest(seeded(seed), operation, world.ground)
  const told = `seed ${seed}: ${request.method} ${JSON.stringify(request.target.slice(0, 200))}`
  const streams = operation.path.endsWith('/stream')
  let text = ''
  try {
    text = await sendBytes(world.port, [bytesOf(request, `127.0.0.1:${world.port}`)], { streams })
    const answer = parseAnswer(text)
    if (answer === undefined) return `${told}: no HTTP answer, but ${JSON.stringify(text.slice(0, 100))}`
    judge(request, answer)
    if (answer.status < 300) succeeded.add(`${operation.method} ${operation.path}`)
    return undefined
  } catch (error) {
    if (!(error instanceof assert.AssertionError || error instanceof NoAnswerError || error instanceof SyntaxError))
      throw error
    return `${told}: ${error.message.slice(0, 500)}\n    ${JSON.stringify(text.slice(0, 120))} … ${JSON.stringify(text.slice(-300))}`
  }
}

test(`${wanted} hostile requests to ${operations.length} routes`, async () => {
  const [first, count] = [Number(firstSeed), Number(wanted)]
  const faults: string[] = []
  let next = first
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      while (next < first + count && faults.length < 50) {
        const fault = await ask(next++)
        if (fault !== undefined) faults.push(fault)
      }
    }),
  )
  assert.equal(faults.length, 0, `${faults.length} answers are wrong:\n${faults.join('\n')}`)
  if (count < operations.length * 10) return
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

test('clients that never finish do not keep others waiting, and those who left are forgotten', async () => {
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

test('headers or a body that do not arrive in time get 408, and the connection ends', async () => {
  for (const text of await Promise.all(slowClients))
    assert.match(text, /^HTTP\/1\.1 408 [\s\S]*x-request-id[\s\S]*"code":"request_timeout"/)
})
