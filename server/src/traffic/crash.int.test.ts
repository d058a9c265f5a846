/**
 * The request log under load, across process kills, a database outage and a stop. The log contains what clients
 * counted, except for the last second before a crash, and the rollups equal a recount.
 *
 * GATEWATCH_LONG_TESTS=1 logs 200,000 requests across ten crashes and reports the figures.
 */

import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { test } from 'node:test'
import { report, reportVersions } from '../../../testing/report/result.ts'
import { postgresVersion } from '../../../testing/report/versions.ts'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { startDatabaseProxy } from '../../../testing/support/database-proxy.ts'
import { assertSumsEqualLog } from '../../../testing/support/request-log.ts'
import {
  AUTH_SECRET,
  makeTestAccount,
  makeTestKey,
  type Service,
  type ServiceProcess,
  spawnService,
} from '../../../testing/support/service.ts'
import { sql } from '../platform/sql.ts'

const isLong = process.env.GATEWATCH_LONG_TESTS === '1'
/** Includes a margin for requests lost in crashes. */
const [REQUESTS, CRASHES] = isLong ? [205_000, 10] : [5_000, 2]
const CLIENTS = 16

const store = await createTestDatabase()
const { database } = store
const cable = await startDatabaseProxy(store.url)
const env = { DATABASE_URL: cable.url, AUTH_SECRET, ROLES: 'serve', LOG_LEVEL: 'info' }

const account = await makeTestAccount(database, { plan: 'team', utxoPlan: 'enterprise' })
const [v1, v2, limited] = [
  await makeTestKey(database, account, 'v1'),
  await makeTestKey(database, account, 'v2'),
  await makeTestKey(database, await makeTestAccount(database), 'v2'), // runs into its limit
]
const QUESTIONS: readonly (readonly [path: string, headers: Record<string, string>])[] = [
  ['/v1/me/subscriptions', { authorization: `Bearer ${v1.key}` }],
  ['/v1/events?limit=1&chain=base', { authorization: `Bearer ${v1.key}` }],
  ['/v1/events?limit=x', { authorization: `Bearer ${v1.key}` }],
  ['/api/v2/chains', { 'x-api-key': v2.key }],
  ['/api/v2/nothing', { 'x-api-key': v2.key }],
  ['/api/v2/usage', { 'x-api-key': limited.key }],
]

type Answered = { readonly id: string; readonly status: number; readonly at: number }
const answered: Answered[] = []
let failed = 0
let awaited = { count: Number.POSITIVE_INFINITY, reached: () => {} }
const untilAnswered = (count: number) => new Promise<void>((reached) => (awaited = { count, reached }))

const agent = new Agent({ keepAlive: true })
/** Uses a raw socket, because `fetch` costs more than the server's response. */
const sendRequest = (url: string, headers: Record<string, string>) =>
  new Promise<Answered>((resolve, reject) => {
    get(url, { agent, headers }, (answer) => {
      answer.on('error', reject).resume()
      const [id, status = 0] = [String(answer.headers['x-request-id']), answer.statusCode]
      answer.on('end', () => resolve({ id, status, at: Date.now() }))
    }).on('error', reject)
  })

/** Sends requests until `enough` responses arrived in total, or until the service has ended. */
async function load({ url }: Service, enough: number): Promise<void> {
  const client = async (n: number) => {
    while (answered.length < enough) {
      const [path, headers] = QUESTIONS[(answered.length + n) % QUESTIONS.length] ?? ['', {}]
      try {
        answered.push(await sendRequest(url + path, headers))
        if (answered.length >= awaited.count) awaited.reached()
      } catch {
        failed++
        return
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)))
}

const logged = async () =>
  new Map(
    (
      await database.query<{ id: string; status: number; at: Date }>(
        sql`select request_id as id, status, at from request_log`,
      )
    ).rows.map(({ id, ...row }) => [id, row]),
  )
/** Request ids start with the prefix of their process. */
const processOf = (id: string) => id.split('-')[0]

/** Raises the limits of two keys. They are still enforced and counted. */
async function liftLimits(): Promise<void> {
  await database.query(
    sql`insert into request_counter select subject, '{}', '{}', -2000000000, date_trunc('month', now()), -9000000000, now()
     from unnest($1::text[]) as subject on conflict (subject) do update set window_used = excluded.window_used`,
    [[v1.id, v2.id]],
  )
}

test('the log contains what clients counted, across crashes, outages and a stop', async (t) => {
  await liftLimits()
  const lost: Answered[] = []
  let longestMs = 0
  let service: ServiceProcess
  for (let crash = 1; crash <= CRASHES; crash++) {
    service = await spawnService(env)
    const from = answered.length
    // The load continues until the process has ended.
    const loading = load(service, Number.POSITIVE_INFINITY)
    await untilAnswered(from + Math.floor(REQUESTS / (CRASHES + 1)))
    const killedAt = Date.now()
    service.child.kill('SIGKILL')
    await Promise.all([service.exit, loading])

    const log = await logged()
    const ours = answered.slice(from)
    const name = processOf(ours[0]?.id ?? '')
    const lastLogged = Math.max(...[...log].filter(([id]) => processOf(id) === name).map(([, { at }]) => at.getTime()))
    const missing = ours.filter(({ id }) => !log.has(id))
    lost.push(...missing)
    const [first = killedAt] = missing.map(({ at }) => at)
    longestMs = Math.max(longestMs, killedAt - first)
    t.diagnostic(
      `crash ${crash}: ${missing.length} of ${ours.length} lost, the first ${killedAt - first} ms before the end`,
    )
    assert.deepEqual(
      missing.filter(({ at }) => at < lastLogged),
      [],
      'nothing is missing from before the last that is there',
    )
    if (isLong) assert.ok(killedAt - first < 1_000, 'a crash costs less than a second')
  }

  service = await spawnService(env)
  const last = load(service, REQUESTS)
  for (let cut = 0; cut < 5; cut++) {
    await untilAnswered(answered.length + 100)
    cable.pull()
    await new Promise((resolve) => setTimeout(resolve, 20))
    cable.plug()
  }
  await last
  const stopping = load(service, Number.POSITIVE_INFINITY)
  service.child.kill('SIGTERM')
  await stopping
  assert.deepEqual(await service.exit, { code: 0, signal: null })

  const log = await logged()
  const { rows } = await database.query<{ rows: number }>(sql`select count(*) as rows from request_log`)
  assert.equal(rows[0]?.rows, log.size, 'nothing is there twice')
  const lostIds = new Set(lost.map(({ id }) => id))
  // During the outage a key may not be found. Such a request has no account and is not logged.
  const missing = answered.filter(({ id, status }) => status !== 503 && !lostIds.has(id) && !log.has(id))
  assert.deepEqual(missing.slice(0, 5), [])
  const unlike = answered.filter(({ id, status }) => log.has(id) && log.get(id)?.status !== status)
  assert.deepEqual(unlike, [])
  const ids = new Set(answered.map(({ id }) => id))
  const unknown = [...log.keys()].filter((id) => !ids.has(id))
  assert.ok(unknown.length <= failed, 'what no client got was asked by one whose connection broke')
  const statuses = Map.groupBy(answered, ({ status }) => status)
  for (const status of [200, 400, 404, 429]) assert.ok(statuses.has(status), `some were answered ${status}`)
  await assertSumsEqualLog(database)
  t.diagnostic(`${answered.length} answered, ${log.size} logged, ${lost.length} lost to ${CRASHES} crashes, sums equal`)
  if (isLong) {
    reportVersions({ PostgreSQL: await postgresVersion(database) })
    const against = `${answered.length} answered, ${lost.length} lost to ${CRASHES} crashes, nothing else missing or twice`
    report({ name: 'requests in the log', value: log.size, unit: 'requests', atLeast: 200_000, peer: against })
    report({ name: 'what a crash cost the log at most', value: longestMs, unit: 'ms of answers', atMost: 1_000 })
  }
})
