/** Each role starts alone and closes everything it opened. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../testing/support/database.ts'
import { testLog } from '../../testing/support/log.ts'
import { freePort } from '../../testing/support/port.ts'
import { eventually } from '../../testing/support/receivers.ts'
import { redisMissing, startTestRedis } from '../../testing/support/redis.ts'
import { AUTH_SECRET, startService } from '../../testing/support/service.ts'
import { temporaryFolder } from '../../testing/support/temporary-folder.ts'
import { type Environment, parseConfig, ROLES } from './config/config.ts'
import { start } from './main.ts'
import { sql } from './platform/sql.ts'

const other = await createTestDatabase()
const { database, url } = await createTestDatabase()
const configOf = (env: Environment) =>
  parseConfig({ DATABASE_URL: url, AUTH_SECRET, DATA_DIR: temporaryFolder(), ...env }, '/')

/** Resolves when no connection except the one of this query is left on the database. */
async function allClosed(): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await database.query(
      sql`select 1 from pg_stat_activity
          where datname = current_database() and application_name = 'gatewatch' and pid <> pg_backend_pid()`,
    )
    return rowCount === 0 || undefined
  })
}

for (const role of ROLES) {
  test(`the role ${role} starts alone, reports its health, and closes its connections`, {
    timeout: 30_000,
  }, async () => {
    const port = String(await freePort())
    const config = configOf({ ROLES: role, ...(role === 'serve' ? { PORT: port } : { METRICS_PORT: port }) })
    const running = await start({ config, log: testLog })
    const { status } = await fetch(`http://127.0.0.1:${port}/readyz`)
    await running.stop()
    assert.equal(status, 200)
    await allClosed()
  })
}

test('every role has health and metrics on a port of its own, and metrics are not public', {
  timeout: 60_000,
}, async () => {
  const [port, own] = [String(await freePort()), String(await freePort())]
  const config = configOf({ ROLES: 'serve', PORT: port, METRICS_PORT: own, PUBLIC_URL: 'https://gatewatch.example' })
  const running = await start({ config, log: testLog })
  const read = (at: string, path: string) => fetch(`http://127.0.0.1:${at}${path}`)
  assert.deepEqual([(await read(own, '/readyz')).status, (await read(port, '/readyz')).status], [200, 200])
  assert.deepEqual([(await read(own, '/metrics')).status, (await read(port, '/metrics')).status], [200, 404])
  assert.match(await (await read(own, '/metrics')).text(), /^gatewatch_role_processes\{role="serve"\} \d$/m)
  await running.stop()
  await allClosed()
})

test('without its Redis a serving process is not ready', { skip: redisMissing, timeout: 60_000 }, async () => {
  const redis = await startTestRedis()
  const port = String(await freePort())
  const running = await start({ config: configOf({ ROLES: 'serve', PORT: port, REDIS_URL: redis.url }), log: testLog })
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`)
    return [response.status, await response.json()]
  }
  assert.deepEqual(await ready(), [200, { status: 'ready' }])
  await redis.stop()
  const [status, body] = await eventually(async () => {
    const now = await ready()
    return now[0] === 200 ? undefined : now
  })
  assert.equal(status, 503)
  assert.match(
    JSON.stringify(body),
    /^\{"status":"not ready","faults":\[\{"part":"redis","reason":"redis_unreachable","since":"[^"]+"\}\]\}$/,
  )
  await running.stop()
  await allClosed()
})

test('a start that fails closes what it had opened', { timeout: 30_000 }, async () => {
  const { port } = new URL((await startService(other)).url)
  await assert.rejects(start({ config: configOf({ PORT: port }), log: testLog }), /another program uses this port/)
  await allClosed()
})
