/** doctor and status report what is wrong and change nothing. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { freePort } from '../../../../testing/support/port.ts'
import { AUTH_SECRET, type Environment, spawnGatewatch } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { migrate } from '../../platform/migrate.ts'
import { sql } from '../../platform/sql.ts'

const empty = await createTestDatabase({ migrated: false })
const otherProgram = createServer((_request, response) => response.end('hello'))
await new Promise<void>((resolve) => otherProgram.listen(0, '127.0.0.1', resolve))
after(() => otherProgram.close())
const taken = String((otherProgram.address() as AddressInfo).port)

async function run(command: string, more: Environment = {}) {
  const cwd = temporaryFolder()
  const env = { DATABASE_URL: empty.url, AUTH_SECRET, DATA_DIR: cwd, PORT: taken, ...more }
  const { exit, output } = spawnGatewatch([command], { cwd, env })
  return { code: (await exit).code, output: output() }
}

test('an empty database is reported and stays empty', async () => {
  const status = await run('status')
  assert.equal(status.code, 65)
  assert.match(
    status.output,
    /^The database is empty: .* run `gatewatch migrate`: both apply the missing migrations\.$/m,
  )
  assert.match((await run('doctor')).output, /^WARN +database \S+: It is empty: /m)
  const { rows } = await empty.database.query<{ tables: number }>(
    sql`select count(*)::int as tables from pg_tables where schemaname = 'public'`,
  )
  assert.equal(rows[0]?.tables, 0)
})

test('an older and a newer schema are reported', async () => {
  const { database, url } = await createTestDatabase()
  await migrate(database, testLog)
  const last = await database.query<{ number: number }>(
    sql`delete from schema_migration where number = (select max(number) from schema_migration) returning number`,
  )
  assert.equal(last.rowCount, 1)
  const older = await run('doctor', { DATABASE_URL: url })
  assert.equal(older.code, 1)
  assert.match(older.output, /^FAIL +database \S+: It has \d+ of \d+ migrations\. .*gatewatch migrate/m)
  assert.equal((await run('status', { DATABASE_URL: url })).code, 65)
  await database.query(sql`insert into schema_migration (number, name, checksum, breaks_older)
      values (9999, '9999_later', '', true)`)
  assert.match(
    (await run('doctor', { DATABASE_URL: url })).output,
    /^FAIL +database \S+: It has migration 9999, which this program does not have/m,
  )
  assert.equal((await run('status', { DATABASE_URL: url })).code, 65)
})

test('a port of another program and a free port are reported', async () => {
  const occupied = await run('doctor')
  assert.equal(occupied.code, 1)
  assert.match(occupied.output, /^FAIL +service 127\.0\.0\.1:\d+: Another program responds there\. .*set PORT/m)
  const free = await run('doctor', { PORT: String(await freePort()) })
  assert.match(free.output, /^WARN +service 127\.0\.0\.1:\d+: Nothing responds there/m)
})

test('an unusable DATA_DIR, an unreachable database and an unreachable Redis are all reported', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  const { code, output } = await run('doctor', {
    DATA_DIR: join(folder, 'file'),
    DATABASE_URL: `postgres://gatewatch:hunter2@127.0.0.1:${await freePort()}/x`,
    REDIS_URL: `redis://:hunter2@127.0.0.1:${await freePort()}`,
  })
  assert.equal(code, 1)
  assert.match(output, /^FAIL +disk \S+: .*\(\S+ is not a folder\)\. .*DATA_DIR\.$/m)
  assert.match(output, /^FAIL +database: .*cannot be reached .*DATABASE_URL/m)
  assert.match(output, /^FAIL +redis \S+: .*REDIS_URL/m)
  assert.doesNotMatch(output, /hunter2/)
})

test('a node and a Telegram server that do not respond are reported with the reason and the setting', async () => {
  const [node, telegram] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
  const { output } = await run('doctor', {
    LTC_RPC_URL: `http://u:hunter2@${node}`,
    TELEGRAM_BOT_TOKEN: '1:hunter2',
    TELEGRAM_API_URL: `http://${telegram}`,
  })
  const lines = output.split('\n').map((line) => line.replace(/ +/, ' '))
  const refused = (host: string) => `connect ECONNREFUSED ${host}`
  assert.ok(lines.includes(`FAIL ltc ${node}: ${node}: getblockhash: ${refused(node)}. Check LTC_RPC_URL.`), output)
  const advice = 'Check TELEGRAM_API_URL and the outgoing network.'
  assert.ok(lines.includes(`FAIL telegram ${telegram}: ${refused(telegram)}. ${advice}`), output)
  assert.doesNotMatch(output, /hunter2/)
})
