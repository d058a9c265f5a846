/** What doctor and status say where something is wrong, and that they leave it as it is. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { AUTH_SECRET, type Environment, spawnGatewatch } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { sql } from '../../platform/sql.ts'

const empty = await createTestDatabase({ migrated: false })
const stranger = createServer((_request, response) => response.end('hello'))
await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
after(() => stranger.close())
const taken = String((stranger.address() as AddressInfo).port)

async function type(command: string, more: Environment = {}) {
  const cwd = temporaryFolder()
  const env = { DATABASE_URL: empty.url, AUTH_SECRET, DATA_DIR: cwd, PORT: taken, ...more }
  const { exit, output } = spawnGatewatch([command], { cwd, env })
  return { code: (await exit).code, output: output() }
}

test('a database that nobody has used is told of, and not made one that somebody has', async () => {
  const status = await type('status')
  assert.equal(status.code, 65)
  assert.match(status.output, /^The database is empty: .* run `gatewatch migrate`\.$/m)
  assert.match((await type('doctor')).output, /^hmm +database \S+: It is empty: /m)
  const { rows } = await empty.database.query<{ tables: number }>(
    sql`select count(*)::int as tables from pg_tables where schemaname = 'public'`,
  )
  assert.equal(rows[0]?.tables, 0)
})

test('a schema of an older or a newer program is told of', async () => {
  const { database, url } = await createTestDatabase()
  const last = await database.query<{ number: number }>(
    sql`delete from schema_migration where number = (select max(number) from schema_migration) returning number`,
  )
  assert.equal(last.rowCount, 1)
  const older = await type('doctor', { DATABASE_URL: url })
  assert.equal(older.code, 1)
  assert.match(
    older.output,
    /^BAD +database \S+: It has \d+ of the \d+ migrations of this program\. .*gatewatch migrate/m,
  )
  assert.equal((await type('status', { DATABASE_URL: url })).code, 65)
  await database.query(sql`insert into schema_migration (number, name, checksum) values (9999, '9999_later', '')`)
  assert.match((await type('doctor', { DATABASE_URL: url })).output, /^BAD +database \S+: A newer program/m)
  assert.equal((await type('status', { DATABASE_URL: url })).code, 65)
})

test('a port that another program has, and one that nobody has', async () => {
  const occupied = await type('doctor')
  assert.equal(occupied.code, 1)
  assert.match(occupied.output, /^BAD +service 127\.0\.0\.1:\d+: Another program answers there\. .*set PORT/m)
  const free = await type('doctor', { PORT: String(await freePort()) })
  assert.match(free.output, /^hmm +service 127\.0\.0\.1:\d+: Nobody answers there/m)
})

test('a DATA_DIR that is no folder, and a database and a Redis that are away: each is told by itself', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  const { code, output } = await type('doctor', {
    DATA_DIR: join(folder, 'file'),
    DATABASE_URL: `postgres://gatewatch:hunter2@127.0.0.1:${await freePort()}/x`,
    REDIS_URL: `redis://:hunter2@127.0.0.1:${await freePort()}`,
  })
  assert.equal(code, 1)
  assert.match(output, /^BAD +disk \S+: It cannot be used \(\S+ is no folder\)\. .*DATA_DIR\.$/m)
  assert.match(output, /^BAD +database: .*cannot be reached .*DATABASE_URL/m)
  assert.match(output, /^BAD +redis \S+: .*REDIS_URL/m)
  assert.doesNotMatch(output, /hunter2/)
})
