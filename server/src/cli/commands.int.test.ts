/** Commands of both products, as typed, on a database of their own. */

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { testLog } from '../../../testing/support/log.ts'
import { AUTH_SECRET, spawnGatewatch } from '../../../testing/support/service.ts'
import { temporaryFolder } from '../../../testing/support/temporary-folder.ts'
import { migrate, readMigrations } from '../platform/migrate.ts'
import { sql } from '../platform/sql.ts'

const { url, database } = await createTestDatabase()
const bare = await createTestDatabase({ migrated: false })
const cwd = temporaryFolder()

const type = (...args: readonly string[]) => typeOn(url, args)

async function typeOn(databaseUrl: string, args: readonly string[]) {
  const { exit, output } = spawnGatewatch(args, { cwd, env: { DATABASE_URL: databaseUrl, AUTH_SECRET } })
  const { code } = await exit
  return { code, output: output().trim() }
}

test('contract add puts a contract under watch and names it', async () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const added = await type('contract', 'add', 'base', address, '--name', 'Vault', '--protocol', 'Acme', '--json')
  assert.deepEqual(JSON.parse(added.output), {
    chain: 'base',
    address: address.toLowerCase(),
    name: 'Vault',
    protocol: 'Acme',
    isNew: true,
  })
  assert.match((await type('contract', 'add', '8453', address.toLowerCase())).output, /already under watch/)
  const { rows } = await database.query(
    sql`select c.name, p.label, c.source from contract c join protocol p on p.id = c.protocol_id where c.chain_id = 8453`,
  )
  assert.deepEqual(rows, [{ name: 'Vault', label: 'Acme', source: 'manual' }])
})

test('contract add refuses what is no chain or no address', async () => {
  assert.deepEqual((await type('contract', 'add', 'solana', '0x1')).code, 64)
  const mistyped = await type('contract', 'add', 'base', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
  assert.deepEqual(
    [mistyped.code, mistyped.output],
    [64, 'ADDRESS has a wrong EIP-55 checksum: a character was mistyped'],
  )
})

test('registry import takes a whole list or nothing, and names every fault', async () => {
  const row = {
    chain: 'ethereum',
    address: '0x000000000000000000000000000000000000dead',
    name: 'Burn',
    protocol: 'None',
    kind: 'ownable',
    source: 'ours',
  }
  writeFileSync(join(cwd, 'good.json'), JSON.stringify([row]))
  const good = await type('registry', 'import', 'good.json', '--json')
  assert.equal(good.code, 0, good.output)
  assert.equal(JSON.parse(good.output).added, 1)
  writeFileSync(join(cwd, 'bad.json'), JSON.stringify([row, { ...row, address: 'nope' }, { ...row, chain: 'mars' }]))
  const bad = await type('registry', 'import', 'bad.json')
  assert.equal(bad.code, 1)
  assert.match(bad.output, /nothing was brought in[\s\S]*2[\s\S]*3/)
  assert.equal((await type('registry', 'import', 'missing.json')).code, 1)
})

test('verify and reindex say which chain is not configured', async () => {
  assert.equal((await type('verify', 'doge')).code, 64)
  assert.match((await type('verify', 'ltc')).output, /ltc is not configured: set LTC_RPC_URL/)
  assert.equal((await type('reindex', 'btc')).code, 1)
})

test('who only looks at an empty database is told so, and leaves it empty', async () => {
  for (const args of [
    ['backup', join(cwd, 'nothing')],
    ['account', 'list'],
    ['key', 'list', 'a@example.org'],
  ]) {
    const { code, output } = await typeOn(bare.url, args)
    assert.equal(code, 65, args.join(' '))
    assert.match(output, /The database is empty/)
  }
  const { rows } = await bare.database.query(sql`select 1 from pg_tables where schemaname = 'public'`)
  assert.deepEqual(rows, [])
})

test('a backup leaves the schema as it is: the older program that runs on it can restore it', async () => {
  const older = readMigrations().slice(0, -1)
  await migrate(bare.database, testLog, older)
  const folder = join(cwd, 'older')
  assert.equal((await typeOn(bare.url, ['backup', folder])).code, 0)
  const { rows } = await bare.database.query(sql`select 1 from schema_migration`)
  assert.equal(rows.length, older.length)
  const { migrations } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { migrations: unknown[] }
  assert.equal(migrations.length, older.length)
})
