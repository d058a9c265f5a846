/** Rate limits and API keys across several processes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { revokeKey } from '../../server/src/accounts/api-keys.ts'
import { type Database, openDatabase } from '../../server/src/platform/database.ts'
import { migrate } from '../../server/src/platform/migrate.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { startExternalPostgres } from '../support/external-postgres.ts'
import { testLog } from '../support/log.ts'
import { freePort } from '../support/port.ts'
import { eventually } from '../support/receivers.ts'
import { redisMissing, startTestRedis } from '../support/redis.ts'
import { AUTH_SECRET, makeTestAccount, makeTestKey, type Service, spawnService } from '../support/service.ts'

const store = await createTestDatabase()
const { database } = store
/** Its Bitcoin node is away, so that requests for coins fail. */
const env = {
  DATABASE_URL: store.url,
  AUTH_SECRET,
  ROLES: 'serve',
  BTC_RPC_URL: `http://user:password@127.0.0.1:${await freePort()}`,
}

const request = ({ url }: Service, key: string) =>
  fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${key}` } })
const newKey = async () => makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')

async function passedOf200(services: readonly Service[]): Promise<number> {
  const { key } = await newKey()
  const responses = await Promise.all(
    Array.from({ length: 200 }, (_, n) => request(services[n % services.length] as Service, key)),
  )
  assert.deepEqual(
    [...new Set(responses.map(({ status }) => status))].sort((a, b) => a - b),
    [200, 429],
  )
  return responses.filter(({ status }) => status === 200).length
}

describe('counts in PostgreSQL', async () => {
  const services = [await spawnService(env), await spawnService(env)] as const
  const [first, second] = services

  test('exactly 60 of 200 concurrent requests pass, with one process', async () =>
    assert.equal(await passedOf200([first]), 60))
  test('exactly 60 of 200 concurrent requests pass, with two processes', async () =>
    assert.equal(await passedOf200(services), 60))

  test('a revoked key is refused in every process, before any cache expires', async (t) => {
    const { id, key } = await newKey()
    assert.deepEqual([(await request(first, key)).status, (await request(second, key)).status], [200, 200])
    await revokeKey(database, id)
    const revokedAt = Date.now()
    const isRefused = async (service: Service) => (await request(service, key)).status === 401
    await eventually(async () => ((await isRefused(first)) && (await isRefused(second))) || undefined)
    t.diagnostic(`after ${Date.now() - revokedAt} ms`)
  })

  test('requests that fail by our fault cost nothing', async () => {
    const account = await makeTestAccount(database, { utxoPlan: 'basic' })
    const { key } = await makeTestKey(database, account, 'v2')
    const headers = { 'x-api-key': key }
    for (let n = 0; n < 65; n++) {
      const response = await fetch(`${first.url}/api/v2/block/1`, { headers })
      assert.equal(response.status, 503, `request ${n + 1}: ${await response.text()}`)
    }
    const { rows } = await eventually(async () => {
      const counter = await database.query(
        sql`select month_used, month_returned, window_used from request_counter
         where subject = (select id::text from api_key where account_id = $1)`,
        [account.id],
      )
      return counter.rows[0]?.month_returned === 65 ? counter : undefined
    })
    assert.deepEqual(rows, [{ month_used: 65, month_returned: 65, window_used: 0 }])
    const usage = (await (await fetch(`${second.url}/api/v2/usage`, { headers })).json()) as { data: unknown }
    assert.match(JSON.stringify(usage), /"apiCalls":0\b/)
  })

  test('counts survive kill -9 of a process', async () => {
    const { key } = await newKey()
    const killed = await spawnService(env)
    for (let n = 0; n < 40; n++) assert.equal((await request(killed, key)).status, 200)
    killed.child.kill('SIGKILL')
    await killed.exit
    const response = await request(first, key)
    assert.equal(response.headers.get('x-service-quota-remaining'), '99959')
  })
})

test('exactly 60 of 200 concurrent requests pass, with two processes that count in Redis', {
  skip: redisMissing,
}, async () => {
  const { url: REDIS_URL } = await startTestRedis()
  const services = [await spawnService({ ...env, REDIS_URL }), await spawnService({ ...env, REDIS_URL })]
  assert.equal(await passedOf200(services), 60)
})

const isCommitWaiting = async (own: Database, query: string): Promise<boolean> => {
  const { rows } = await own.query(sql`select from pg_stat_activity where wait_event = 'SyncRep' and query like $1`, [
    query,
  ])
  return rows.length > 0
}

/** PostgreSQL reads changed settings some time after it was asked to: commits until one waits. */
async function untilCommitsWait(own: Database): Promise<void> {
  let isWaiting = false
  while (!isWaiting) {
    let hasEnded = false
    const end = () => (hasEnded = true)
    own.query(sql`comment on schema public is 'a commit'`).then(end, end)
    isWaiting = await eventually(async () =>
      hasEnded ? false : (await isCommitWaiting(own, 'comment on%')) || undefined,
    )
  }
}

test('a request whose count is not yet on the disk when PostgreSQL dies gets 503', async (t) => {
  const postgres = await startExternalPostgres({ settings: { synchronous_commit: 'on' } })
  const own = openDatabase({ url: postgres.url, log: testLog })
  t.after(() => own.end())
  await migrate(own, testLog)
  const { id, key } = await makeTestKey(own, await makeTestAccount(own, { plan: 'team' }), 'v1')
  const service = await spawnService({ DATABASE_URL: postgres.url, AUTH_SECRET, ROLES: 'serve' })
  assert.equal((await request(service, key)).status, 200)

  // A commit then waits for a replica that does not exist, as it would for a slow disk.
  await own.query(sql`alter system set synchronous_standby_names = 'absent'`)
  await own.query(sql`select pg_reload_conf()`)
  await untilCommitsWait(own)
  let isSent = false
  const held = request(service, key).finally(() => (isSent = true))
  await eventually(async () => (await isCommitWaiting(own, '%take_requests%')) || undefined)
  assert.equal(isSent, false)
  await postgres.stop()
  assert.equal((await held).status, 503)

  await postgres.start()
  await own.query(sql`alter system reset synchronous_standby_names`)
  await own.query(sql`select pg_reload_conf()`)
  await eventually(async () => (await request(service, key)).status === 200 || undefined)
  const { rows } = await own.query<{ counted: number }>(
    sql`select month_used - month_returned as counted from request_counter where subject = $1`,
    [id],
  )
  // The commit of the request in between may have survived: PostgreSQL died before it could report that.
  assert.ok([2, 3].includes(rows[0]?.counted ?? 0), `${rows[0]?.counted} requests are counted`)
})
