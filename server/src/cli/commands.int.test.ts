/** Commands of both products, run as processes on a test database. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startFakeCore } from '../../../testing/coins/fake-core.ts'
import { recordedBlocks } from '../../../testing/coins/fixtures.ts'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { testLog } from '../../../testing/support/log.ts'
import { freePort } from '../../../testing/support/port.ts'
import { AUTH_SECRET, GATEWATCH, REPOSITORY, spawnGatewatch } from '../../../testing/support/service.ts'
import { temporaryFolder } from '../../../testing/support/temporary-folder.ts'
import { enterIndex } from '../coins/index/index-marker.ts'
import { indexPath } from '../coins/index/index-writer.ts'
import { bitcoinRegtest } from '../coins/networks/bitcoin.ts'
import { parseBlock } from '../coins/parse/block.ts'
import { ownVersion } from '../lib/version.ts'
import { migrate, readMigrations } from '../platform/migrate.ts'
import { sql } from '../platform/sql.ts'

const { url, database } = await createTestDatabase()
const bare = await createTestDatabase({ migrated: false })
const cwd = temporaryFolder()

const run = (...args: readonly string[]) => runOn(url, args)

async function runOn(databaseUrl: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { exit, output } = spawnGatewatch(args, { cwd, env: { DATABASE_URL: databaseUrl, AUTH_SECRET, ...env } })
  const { code } = await exit
  return { code, output: output().trim() }
}

test('a command that reads refuses a folder without a database, and makes none', async () => {
  const dataDir = join(cwd, 'mistyped')
  for (const typed of [['status'], ['account', 'list'], ['backup', join(cwd, 'backup')]]) {
    const { exit, output } = spawnGatewatch(typed, { cwd, env: { DATA_DIR: dataDir } })
    assert.equal((await exit).code, 1, output())
    assert.match(output(), /There is no database in .*mistyped.*\. .* set DATA_DIR/, typed.join(' '))
  }
  for (const folder of [dataDir, join(cwd, 'backup')]) assert.equal(existsSync(folder), false, folder)
})

test('contract add watches a contract and names it', async () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const added = await run('contract', 'add', 'base', address, '--name', 'Vault', '--protocol', 'Acme', '--json')
  assert.deepEqual(JSON.parse(added.output), {
    chain: 'base',
    address: address.toLowerCase(),
    name: 'Vault',
    protocol: 'Acme',
    isNew: true,
  })
  assert.match((await run('contract', 'add', '8453', address.toLowerCase())).output, /already watched/)
  const { rows } = await database.query(
    sql`select c.name, p.label, c.source from contract c join protocol p on p.id = c.protocol_id where c.chain_id = 8453`,
  )
  assert.deepEqual(rows, [{ name: 'Vault', label: 'Acme', source: 'manual' }])
})

test('contract add refuses a name or a protocol that the operator page refuses', async () => {
  const address = '0x00000000000000000000000000000000000000a1'
  for (const [option, value, fault] of [
    ['--name', '', '--name must have 1 to 128 characters.'],
    ['--name', 'a'.repeat(129), '--name must have 1 to 128 characters.'],
    ['--name', 'a\nb', '--name must not contain control characters.'],
    ['--protocol', ' ', '--protocol must have 1 to 128 characters.'],
  ] as const) {
    const { code, output } = await run('contract', 'add', 'base', address, option, value)
    assert.deepEqual([code, output], [64, fault])
  }
  const { rows } = await database.query(sql`select from contract where address = decode($1, 'hex')`, [address.slice(2)])
  assert.deepEqual(rows, [])
})

test('contract add and subscribe report that a chain has no endpoint', async () => {
  const address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
  const email = 'a@example.org'
  await run('account', 'create', '--email', email, '--password', 'a long password 1')
  const note =
    'No endpoint of polygon is configured here: nothing is read from it. Set POLYGON_RPC_URL where the service runs.'
  for (const args of [
    ['contract', 'add', 'polygon', address],
    ['subscribe', email, 'polygon', address],
  ]) {
    assert.equal((await run(...args)).output.split('\n').at(-1), note)
    const { output } = await runOn(url, args, { POLYGON_RPC_URL: `http://127.0.0.1:${await freePort()}` })
    assert.doesNotMatch(output, /No endpoint/)
  }
})

test('contract add rejects an unknown chain and an invalid address', async () => {
  assert.deepEqual((await run('contract', 'add', 'solana', '0x1')).code, 64)
  const mistyped = await run('contract', 'add', 'base', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
  assert.deepEqual(
    [mistyped.code, mistyped.output],
    [64, 'ADDRESS has a wrong EIP-55 checksum: a character was mistyped.'],
  )
})

test('registry import imports the whole file or nothing, and reports every error', async () => {
  const row = {
    chain: 'ethereum',
    address: '0x000000000000000000000000000000000000dead',
    name: 'Burn',
    protocol: 'None',
    kind: 'ownable',
    source: 'ours',
  }
  writeFileSync(join(cwd, 'good.json'), JSON.stringify([row]))
  const good = await run('registry', 'import', 'good.json', '--json')
  assert.equal(good.code, 0, good.output)
  assert.equal(JSON.parse(good.output).added, 1)
  // Some editors write a byte order mark.
  writeFileSync(join(cwd, 'least.json'), `\uFEFF${JSON.stringify([{ chain: 'base', address: row.address }])}`)
  assert.equal(JSON.parse((await run('registry', 'import', 'least.json', '--json')).output).added, 1)
  writeFileSync(join(cwd, 'bad.json'), JSON.stringify([row, { ...row, address: 'nope' }, { ...row, chain: 'mars' }]))
  const bad = await run('registry', 'import', 'bad.json')
  assert.equal(bad.code, 1)
  assert.match(bad.output, /Nothing was imported[\s\S]*2[\s\S]*3/)
  assert.equal((await run('registry', 'import', 'missing.json')).code, 1)
  writeFileSync(join(cwd, 'text.json'), 'x: [\n')
  assert.equal(
    (await run('registry', 'import', 'text.json')).output,
    `Cannot read text.json as JSON: Unexpected token 'x', "x: [ " is not valid JSON.`,
  )
})

test('registry import reports why a URL cannot be read', async () => {
  const host = `127.0.0.1:${await freePort()}`
  const { code, output } = await run('registry', 'import', `http://${host}/list`)
  assert.deepEqual([code, output], [1, `Cannot read http://${host}/list as JSON: connect ECONNREFUSED ${host}.`])
})

test('mcp names the option or the setting that is not a URL', async () => {
  const option = await runOn(url, ['mcp', '--url', 'localhost:8080'], { GATEWATCH_URL: 'http://127.0.0.1:8080' })
  assert.deepEqual([option.code, option.output], [64, '--url must be an http or https URL.'])
  const setting = await runOn(url, ['mcp'], { GATEWATCH_URL: 'localhost:8080' })
  assert.deepEqual([setting.code, setting.output], [64, 'GATEWATCH_URL must be an http or https URL.'])
})

test('verify and reindex report a chain that is not configured', async () => {
  assert.equal((await run('verify', 'doge')).code, 64)
  assert.match((await run('verify', 'ltc')).output, /ltc is not configured\. Set LTC_RPC_URL/)
  assert.equal((await run('reindex', 'btc')).code, 1)
})

test('verify reports a node that cannot be reached, and the setting to check', async () => {
  const host = `127.0.0.1:${await freePort()}`
  const { code, output } = await runOn(url, ['verify', 'btc'], { BTC_RPC_URL: `http://u:secret@${host}` })
  assert.equal(code, 69, output)
  assert.match(output, new RegExp(`^btc: the node cannot be used \\(${host}: .*ECONNREFUSED.*\\)`))
  assert.match(output, /Check that it runs and that BTC_RPC_URL is right\.$/)
})

test('a chain without an endpoint and block files that cannot be read are refused alike', async () => {
  for (const words of [
    ['poll', 'base'],
    ['probe', 'base', `0x${'1'.repeat(40)}`],
  ]) {
    const { code, output } = await run(...words)
    assert.equal(code, 1, output)
    assert.match(output, /^No endpoint is configured for base\. .*BASE_RPC_URL\.$/)
  }
  const { code, output } = await runOn(url, ['verify', 'btc'], { BTC_BLOCKS_DIR: join(cwd, 'missing') })
  assert.equal(code, 1, output)
  assert.match(output, /^The block files cannot be used \(.*missing: ENOENT.*\)\. Check BTC_BLOCKS_DIR\.$/)
})

test('reindex refuses to delete an index that another process uses', async () => {
  const core = await startFakeCore()
  after(core.stop)
  core.chain = recordedBlocks()
    .slice(0, 2)
    .map((bytes) => parseBlock(bytes, { mweb: false }))
  const dataDir = temporaryFolder()
  after(enterIndex(indexPath(dataDir, bitcoinRegtest)))
  const { code, output } = await runOn(url, ['reindex', 'btc'], { BTC_RPC_URL: core.url, DATA_DIR: dataDir })
  assert.match(output, new RegExp(`in use by process ${process.pid}\\. Stop every process`))
  assert.equal(code, 1)
})

test('commands that only read report an empty database and leave it empty', async () => {
  for (const args of [
    ['backup', join(cwd, 'nothing')],
    ['account', 'list'],
    ['key', 'list', 'a@example.org'],
  ]) {
    const { code, output } = await runOn(bare.url, args)
    assert.equal(code, 65, args.join(' '))
    assert.match(output, /The database is empty/)
  }
  const { rows } = await bare.database.query(sql`select 1 from pg_tables where schemaname = 'public'`)
  assert.deepEqual(rows, [])
})

test('a backup does not migrate the database, so that the older version that runs on it can restore it', async () => {
  const older = readMigrations().slice(0, -1)
  await migrate(bare.database, testLog, older)
  const folder = join(cwd, 'older')
  assert.equal((await runOn(bare.url, ['backup', folder])).code, 0)
  const { rows } = await bare.database.query(sql`select 1 from schema_migration`)
  assert.equal(rows.length, older.length)
  const { migrations } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { migrations: unknown[] }
  assert.equal(migrations.length, older.length)
})

test('a folder that cannot take a backup is refused with the reason', async () => {
  const file = join(cwd, 'a-file')
  writeFileSync(file, '')
  for (const [folder, reason] of [
    [file, `Cannot use ${file}: it is not a folder. Name a new folder.`],
    [join(file, 'below'), `Cannot create ${join(file, 'below')}: ENOTDIR: not a directory`],
  ] as const) {
    const { code, output } = await run('backup', folder)
    assert.equal(code, 1, output)
    assert.ok(output.startsWith(reason), output)
  }
})

test('output that a full disk does not take is an error', { skip: !existsSync('/dev/full') && 'no /dev/full' }, () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [GATEWATCH, 'chain', 'list'], {
    cwd,
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  closeSync(full)
  assert.equal(status, 74)
  assert.match(stderr, /^The output cannot be written: .*ENOSPC.*\n$/)
})

test('the command of the installation works by a link, without npm and without Node on the PATH', () => {
  const link = join(cwd, 'gatewatch')
  symlinkSync(join(REPOSITORY, 'bin', 'gatewatch'), link)
  const { stdout, stderr } = spawnSync(link, ['--version'], { env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' })
  assert.deepEqual([stdout, stderr], [`gatewatch ${ownVersion()}\n`, ''])
})
