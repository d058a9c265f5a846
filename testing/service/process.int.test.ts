/** The program as a process: start, recovery, shutdown, and the errors of a failed start. */

import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { migrate } from '../../server/src/platform/migrate.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { testLog } from '../support/log.ts'
import { freePort } from '../support/port.ts'
import { eventually } from '../support/receivers.ts'
import {
  AUTH_SECRET,
  type Environment,
  REPOSITORY,
  spawnGatewatch,
  spawnService,
  untilReady,
} from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Processes whose command line names `folder`. */
const processesOn = (folder: string): string => spawnSync('pgrep', ['-fa', folder], { encoding: 'utf8' }).stdout
/** The database server deletes its pid file shortly before it exits. */
const untilNoProcessOn = (folder: string) => eventually(() => processesOn(folder) === '' || undefined)

async function run(args: readonly string[], options: { env?: Environment; cwd: string }) {
  const { exit, output } = spawnGatewatch(args, options)
  const { code } = await exit
  return { code, output: output() }
}

/** Not of one test, whose folders are deleted at its end. */
const installation = temporaryFolder()
let isInstalled = false

/** A folder with a stopped database, copied from one that was made once: to make it takes seconds. */
async function installedFolder(): Promise<string> {
  if (!isInstalled) {
    assert.equal((await run(['migrate'], { cwd: installation })).code, 0)
    await untilNoProcessOn(installation)
    isInstalled = true
  }
  const folder = temporaryFolder()
  execFileSync('cp', ['-a', join(installation, 'data'), folder])
  return folder
}

describe('embedded database', () => {
  const notRoot =
    process.getuid?.() === 0
      ? false
      : 'only for root: its home is closed to others, and its database runs as another account'

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} ends the program with exit code 0 and no process left`, async () => {
      // The first one makes its database itself.
      const folder = signal === 'SIGTERM' ? temporaryFolder() : await installedFolder()
      const service = await spawnService({}, folder)
      assert.notEqual(processesOn(folder), '')
      service.child.kill(signal)
      assert.deepEqual(await service.exit, { code: 0, signal: null })
      await untilNoProcessOn(folder)
    })
  }

  test('after kill -9 of the program the next start takes over its database', async () => {
    const folder = await installedFolder()
    const first = await spawnService({}, folder)
    assert.equal(
      (await run(['account', 'create', '--email', 'a@example.org', '--password', 'long-enough-1'], { cwd: folder }))
        .code,
      0,
    )
    first.child.kill('SIGKILL')
    await first.exit
    assert.notEqual(processesOn(folder), '', 'the database still runs')
    const second = await spawnService({}, folder)
    assert.match((await run(['account', 'list'], { cwd: folder })).output, /a@example\.org/)
    await second.stop()
    await untilNoProcessOn(folder)
  })

  test('after kill -9 of the program and its database the next start recovers all data', async () => {
    const folder = await installedFolder()
    const first = await spawnService({}, folder)
    await run(['account', 'create', '--email', 'b@example.org', '--password', 'long-enough-1'], { cwd: folder })
    const [postmaster = ''] = readFileSync(join(folder, 'data', 'demo', 'postgres', 'postmaster.pid'), 'utf8').split(
      '\n',
    )
    first.child.kill('SIGKILL')
    process.kill(Number(postmaster), 'SIGKILL')
    await first.exit
    const second = await spawnService({}, folder)
    assert.match((await run(['account', 'list'], { cwd: folder })).output, /b@example\.org/)
    await second.stop()
  })

  test('a pid file with the pid of an unrelated process does not prevent the start', async (t) => {
    const folder = await installedFolder()
    const data = join(folder, 'data', 'demo', 'postgres')
    // A process of the account that the server runs as: PostgreSQL itself detects the others.
    const { uid, gid } = statSync(data)
    const unrelated = spawn('sleep', ['infinity'], { uid, gid, stdio: 'ignore' })
    t.after(() => unrelated.kill())
    const lock = `${unrelated.pid}\n${data}\n1\n5432\n/tmp\n\n\nready\n`
    writeFileSync(join(data, 'postmaster.pid'), lock)
    writeFileSync(join(folder, 'data', 'demo', 'socket', '.s.PGSQL.5432.lock'), lock)
    assert.equal((await run(['migrate'], { cwd: folder })).code, 0)
  })

  test("nor does one with the pid of another account's process", { skip: notRoot }, () => {
    // The user nobody may not inspect process 1.
    const folder = temporaryFolder()
    execFileSync('chmod', ['777', folder])
    // Becomes nobody only after loading, because the repository may be in a folder that nobody cannot enter.
    const script = `import { findPostmaster } from ${JSON.stringify(join(REPOSITORY, 'server/src/platform/postgres/postmaster.ts'))}
      import { writeFileSync } from 'node:fs'
      process.setgid(65_534)
      process.setuid(65_534)
      writeFileSync('postmaster.pid', '1\\n${folder}\\n1\\n5432\\n/tmp\\n\\n\\nready\\n')
      process.exit(findPostmaster('${folder}') === undefined ? 0 : 1)`
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder })
  })

  test('a crashed database is joined again, and no other command stops it', async () => {
    const folder = await installedFolder()
    const service = await spawnService({}, folder)
    const postmaster = () =>
      readFileSync(join(folder, 'data', 'demo', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
    const first = postmaster()
    process.kill(Number(first), 'SIGKILL')
    await eventually(() => /joining it again/.test(service.output()) || undefined)
    await untilReady(service.url)
    assert.notEqual(postmaster(), first)
    assert.equal((await run(['account', 'list'], { cwd: folder })).code, 0)
    await untilReady(service.url)
    await service.stop()
    await untilNoProcessOn(folder)
  })

  test('several processes that start at the same time share one database', async () => {
    const folder = temporaryFolder()
    const results = await Promise.all([1, 2, 3].map(() => run(['migrate'], { cwd: folder })))
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 0, 0],
      results.map(({ output }) => output).join(),
    )
    await untilNoProcessOn(folder)
    assert.deepEqual(
      readdirSync(join(folder, 'data', 'demo')).filter((name) => name.includes('making')),
      [],
    )
  })

  test('two installations run at the same time', async () => {
    const [one, two] = [
      await spawnService({}, await installedFolder()),
      await spawnService({}, await installedFolder()),
    ]
    assert.notEqual(one.url, two.url)
    await Promise.all([one.stop(), two.stop()])
  })

  test('a folder whose path is too long for a socket', async () => {
    const folder = join(temporaryFolder(), 'deep'.repeat(20), 'deeper'.repeat(10))
    mkdirSync(folder, { recursive: true })
    assert.equal((await run(['migrate'], { cwd: folder })).code, 0)
  })

  test('started as root from a folder that others cannot enter', { skip: notRoot }, async () => {
    const folder = mkdtempSync(join(homedir(), 'gatewatch-test-'))
    after(() => rmSync(folder, { recursive: true, force: true }))
    execFileSync('chmod', ['700', folder])
    const service = await spawnService({}, folder)
    await service.stop()
  })
})

describe('a failed start prints one sentence and has an exit code', () => {
  const failing = async (name: string, options: { env?: Environment; cwd: string }, code: number, sentence: RegExp) => {
    const result = await run(['start'], options)
    assert.equal(result.code, code, result.output)
    assert.match(result.output, sentence)
    assert.doesNotMatch(result.output, /\n\s+at |node:internal|hunter2/, `${name}: no stack trace, no password`)
  }

  test('an invalid .env: every fault at once, exit 78', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.env'), 'PORT=eighty\nthis is no setting\nLOG_LEVEL="info\n')
    await failing('.env', { cwd: folder }, 78, /\.env line 2[\s\S]*\.env line 3[\s\S]*PORT: must be a whole number/)
  })

  test('an unreadable .env and a DATA_DIR that is not a folder, exit 78', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.env'))
    await failing('.env folder', { cwd: folder }, 78, /\.env: cannot be read/)
    const other = temporaryFolder()
    writeFileSync(join(other, 'data'), '')
    await failing('data file', { cwd: other }, 78, /DATA_DIR: .* is not a writable folder/)
  })

  test('a port in use, exit 71, and the embedded database stops again', async () => {
    const folder = await installedFolder()
    const port = await freePort()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    await failing(
      'port',
      { cwd: folder, env: { PORT: String(port) } },
      71,
      /Cannot listen on 127\.0\.0\.1:\d+: another program uses this port/,
    )
    other.close()
    await untilNoProcessOn(folder)
  })

  test('an unreachable database, exit 69', async () => {
    const env = { DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${await freePort()}/x`, AUTH_SECRET }
    await failing(
      'database',
      { cwd: temporaryFolder(), env },
      69,
      /The database at 127\.0\.0\.1:\d+\/x cannot be reached \(.*ECONNREFUSED.*\)/,
    )
  })

  test('an unreachable Redis, exit 69', async () => {
    const env = { REDIS_URL: `redis://:hunter2@127.0.0.1:${await freePort()}`, PORT: String(await freePort()) }
    await failing('redis', { cwd: temporaryFolder(), env }, 69, /Redis at 127\.0\.0\.1:\d+ cannot be reached/)
  })

  test('a newer schema, exit 65, and no change', async () => {
    const { url, database } = await createTestDatabase()
    await migrate(database, testLog)
    await database.query(
      sql`insert into schema_migration (number, name, checksum, breaks_older) values (9999, '9999_future', 'x', true)`,
    )
    await failing(
      'schema',
      { cwd: temporaryFolder(), env: { DATABASE_URL: url, AUTH_SECRET } },
      65,
      /The database has migration 9999, which this program does not have \(it has those up to \d+\)/,
    )
    assert.equal((await database.query(sql`select 1 from schema_migration where number = 9999`)).rowCount, 1)
  })

  const cannotMount =
    spawnSync('sh', [
      '-c',
      'd=$(mktemp -d) && mount -t tmpfs -o size=1m none "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s',
    ]).status === 0
      ? false
      : 'this account may not mount a file system'
  test('a full disk, exit 74; with free space it starts again without loss', { skip: cannotMount }, async () => {
    const folder = temporaryFolder()
    const disk = join(folder, 'data')
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'none', disk])
    try {
      await failing('disk', { cwd: folder }, 74, /No space is left on the disk of .*data/)
      execFileSync('mount', ['-o', 'remount,size=400m', disk])
      assert.equal(
        (await run(['account', 'create', '--email', 'c@example.org', '--password', 'long-enough-1'], { cwd: folder }))
          .code,
        0,
      )
      writeFileSync(join(disk, 'filler'), Buffer.alloc(1024))
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=1M'])
      const full = await run(['start'], { cwd: folder, env: { PORT: String(await freePort()) } })
      assert.equal(full.code, 74, full.output)
      await untilNoProcessOn(folder)
      rmSync(join(disk, 'filler'))
      assert.match((await run(['account', 'list'], { cwd: folder })).output, /c@example\.org/)
    } finally {
      execFileSync('umount', [disk])
    }
  })

  test('an unknown command, exit 64; an empty database, exit 65; an impossible request, exit 1', async () => {
    const cwd = temporaryFolder()
    assert.equal((await run(['dance'], { cwd })).code, 64)
    assert.equal((await run(['key', 'create'], { cwd })).code, 64)
    assert.equal((await run(['account', 'create', '--email', 'x', '--bogus'], { cwd })).code, 64)
    const list = async (database: { readonly url: string }) =>
      run(['key', 'list', 'nobody@example.org'], { cwd, env: { DATABASE_URL: database.url, AUTH_SECRET } })
    const unused = await list(await createTestDatabase({ migrated: false }))
    assert.deepEqual([unused.code, /^The database is empty: .*gatewatch migrate/m.test(unused.output)], [65, true])
    const unknown = await list(await createTestDatabase())
    assert.deepEqual(
      [unknown.code, unknown.output.trim()],
      [1, 'There is no account for nobody@example.org. List accounts with: gatewatch account list'],
    )
  })
})

describe('stopping', () => {
  test('a process without HTTP runs until it is stopped', async () => {
    const { url, database } = await createTestDatabase()
    const { child, exit } = spawnGatewatch(['start'], {
      cwd: temporaryFolder(),
      env: { DATABASE_URL: url, AUTH_SECRET, ROLES: 'deliver' },
    })
    const isThere = async () =>
      (
        await database.query(
          sql`select 1 from pg_stat_activity where datname = current_database() and application_name = 'gatewatch' and pid <> pg_backend_pid()`,
        )
      ).rowCount !== 0
    await eventually(async () => (await isThere()) || undefined)
    child.kill('SIGTERM')
    assert.deepEqual(await exit, { code: 0, signal: null })
  })

  test('a request under way is answered before the program ends', async () => {
    const { url, database } = await createTestDatabase()
    const service = await spawnService({ DATABASE_URL: url, AUTH_SECRET })
    // Holds the row every sign-up throttle needs, so that the request stays under way for as long as we like.
    const blocker = await database.connect()
    await blocker.query(sql`begin; lock table request_counter in access exclusive mode`)
    const pending = fetch(`${service.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify({ email: 'a@example.org', password: 'whatever-1' }),
    })
    const isWaiting = async () =>
      (
        await database.query(
          sql`select 1 from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%take_requests%'`,
        )
      ).rowCount === 1
    await eventually(async () => (await isWaiting()) || undefined)
    service.child.kill('SIGTERM')
    await eventually(() => /stopping/.test(service.output()) || undefined)
    await blocker.query(sql`rollback`)
    blocker.release()
    assert.equal((await pending).status, 401)
    assert.deepEqual(await service.exit, { code: 0, signal: null })
  })
})
