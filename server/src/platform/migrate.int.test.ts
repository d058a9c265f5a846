import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { testLog } from '../../../testing/support/log.ts'
import {
  findMissingMigration,
  type Migration,
  MigrationEditedError,
  migrate,
  readMigrations,
  SchemaNewerError,
} from './migrate.ts'
import { type Sql, sql } from './sql.ts'

const { database } = await createTestDatabase({ migrated: false })

const migration = (number: number, text: Sql): Migration => ({ number, name: `${number}`, text, checksum: text })
const first = migration(1, sql`create table one (n int)`)
const second = migration(2, sql`create table two (n int)`)

test('several processes may migrate at once: each migration is applied exactly once', async () => {
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database, testLog, [first, second])))
  assert.equal(
    applied.reduce((sum, count) => sum + count),
    2,
  )
  assert.equal(await findMissingMigration(database, [first, second]), undefined)
  assert.equal(await findMissingMigration(database, [first]), undefined, 'an older version stays ready')
  assert.equal(await findMissingMigration(database, [first, second, migration(3, sql``)]), '3')
})

test('a schema newer than the program is refused, and nothing changes', async () => {
  await assert.rejects(
    migrate(database, testLog, [first]),
    (error) => error instanceof SchemaNewerError && /schema 2.*up to 1/.test(error.message),
  )
})

test('a migration that was edited after it was applied is refused', async () => {
  await assert.rejects(migrate(database, testLog, [{ ...first, checksum: 'edited' }, second]), MigrationEditedError)
})

test('a failing migration is rolled back, and the ones before it stay', async () => {
  const broken = migration(3, sql`create table three (n int); select 1/0`)
  await assert.rejects(migrate(database, testLog, [first, second, broken]), /division by zero/)
  const { rows } = await database.query(
    sql`select to_regclass('two') is not null as two, to_regclass('three') is null as no_three`,
  )
  assert.deepEqual(rows, [{ two: true, no_three: true }])
})

test('the migrations of this program are named and numbered', () => {
  const migrations = readMigrations()
  assert.equal(migrations[0]?.name, '0001_platform')
})
