/** Processes are replaced one by one by those of a version with another migration, under load. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Migration, migrate, readMigrations } from '../../server/src/platform/migrate.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { testLog } from '../support/log.ts'
import { freePort } from '../support/port.ts'
import { AUTH_SECRET, makeTestKeys, spawnService, untilReady } from '../support/service.ts'

const WORKERS = 6

test('no request fails while processes are replaced, and old ones stay ready', async () => {
  const { database, url } = await createTestDatabase()
  const keys = await makeTestKeys(database, 'v2', WORKERS)
  const PORT = String(await freePort())
  const start = async () => {
    const METRICS_PORT = String(await freePort())
    const env = { DATABASE_URL: url, AUTH_SECRET, ROLES: 'serve', SHARE_PORT: 'true', LOG_LEVEL: 'info' }
    const started = await spawnService({ ...env, PORT, METRICS_PORT })
    await untilReady(`http://127.0.0.1:${METRICS_PORT}`)
    return { ...started, own: `http://127.0.0.1:${METRICS_PORT}` }
  }
  const [first, second] = [await start(), await start()]

  const over = new AbortController()
  const failures: string[] = []
  const statuses = new Map<number, number>()
  const work = async (key: string): Promise<void> => {
    while (!over.signal.aborted) {
      try {
        const response = await fetch(`${first.url}/api/v2/usage`, { headers: { 'x-api-key': key } })
        await response.arrayBuffer()
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      } catch (error) {
        failures.push(String(error instanceof Error ? (error.cause ?? error) : error))
      }
      await new Promise((resolve) => setTimeout(resolve, 75)) // below the limit of a key
    }
  }
  const working = keys.map(({ key }) => work(key))

  // What the new version does at its first start.
  const added: Migration = {
    number: 9999,
    name: '9999_next_version',
    text: sql`alter table user_account add column next_version text`,
    checksum: 'next',
    breaksOlder: false,
  }
  assert.equal(await migrate(database, testLog, [...readMigrations(), added]), 1)
  for (const { own } of [first, second]) assert.equal((await fetch(`${own}/readyz`)).status, 200)
  for (const old of [first, second]) {
    await start()
    await old.stop()
  }
  const before = statuses.get(200) ?? 0
  while ((statuses.get(200) ?? 0) < before + WORKERS) await new Promise((resolve) => setTimeout(resolve, 20))
  over.abort()
  await Promise.all(working)
  assert.deepEqual([...statuses.keys()], [200])
  // A connection that the kernel had given to a process just before it closed is lost with it.
  assert.ok(failures.length <= 2 * WORKERS, failures.join('\n'))
})
