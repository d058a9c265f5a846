/** PgBouncer in front of PostgreSQL is refused with a reason. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { testLog } from '../../../testing/support/log.ts'
import { freePort } from '../../../testing/support/port.ts'
import { eventually } from '../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../testing/support/temporary-folder.ts'
import { openDatabase, reachDatabase } from './database.ts'
import { DatabasePooledError } from './errors.ts'

const missing =
  spawnSync('pgbouncer', ['--version']).status === 0
    ? false
    : 'pgbouncer is not installed (on Debian: apt-get install pgbouncer)'
const { url } = await createTestDatabase()

async function startPgBouncer(settings: string): Promise<string> {
  const target = new URL(url.replace('@/', '@localhost/')) // a URL of a Unix socket has no host
  const port = await freePort()
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const host = target.searchParams.get('host') ?? target.hostname
  const [user, password] = [decodeURIComponent(target.username), decodeURIComponent(target.password)]
  const database = target.pathname.slice(1)
  writeFileSync(
    file,
    `[databases]\n${database} = host=${host} port=${target.searchParams.get('port') ?? 5432} user=${user} password=${password}\n` +
      `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n${settings}\n`,
    { mode: 0o644 },
  )
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...asUser, file], { stdio: 'ignore' })
  after(() => child.kill('SIGKILL'))
  const pooled = `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  await eventually(() => {
    assert.equal(child.exitCode, null, 'pgbouncer ended')
    return fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      (error: unknown) => (String((error as Error).cause).includes('ECONNREFUSED') ? undefined : true),
    )
  })
  return pooled
}

for (const [title, settings] of [
  ['refuses the settings of a connection', ''],
  ['ignores the settings of a connection', 'ignore_startup_parameters = options'],
] as const)
  test(`a pooler that ${title} is named as the reason`, { skip: missing }, async () => {
    const database = openDatabase({ url: await startPgBouncer(settings), log: testLog })
    try {
      await assert.rejects(
        reachDatabase(database, url),
        (error) => error instanceof DatabasePooledError && /such as PgBouncer/.test(error.message),
      )
    } finally {
      await database.end()
    }
  })
