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
  requireKnownSchema,
  requireSchema,
  SchemaNewerError,
} from './migrate.ts'
import { type Sql, sql } from './sql.ts'

const { database } = await createTestDatabase({ migrated: false })

const migration = (number: number, text: Sql, breaksOlder = false): Migration => ({
  number,
  name: `${number}`,
  text,
  checksum: text,
  breaksOlder,
})
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

test('a version before stays usable while a migration only adds, and is refused when one breaks it', async () => {
  assert.equal(await migrate(database, testLog, [first]), 0)
  await requireSchema(database, [first])
  await assert.rejects(requireKnownSchema(database, [first]), SchemaNewerError, 'a backup would lack what was added')
  await database.query(sql`update schema_migration set breaks_older = true where number = 2`)
  await assert.rejects(requireSchema(database, [first]), SchemaNewerError)
  await assert.rejects(
    migrate(database, testLog, [first]),
    (error) => error instanceof SchemaNewerError && /migration 2.*up to 1/.test(error.message),
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

/** The migrations of the first release: no version before it has to continue with them. */
const FIRST_RELEASE = 12

test('the migrations of this program only add, or state that they break older versions', () => {
  for (const { number, name, text, breaksOlder } of readMigrations())
    if (number > FIRST_RELEASE && !breaksOlder)
      assert.deepEqual(findBreakingStatements(text), [], `${name}: add "-- Breaks older versions: why"`)
})

test('statements that break running processes of the version before are found', () => {
  for (const text of [
    'drop table contract',
    'alter table a drop column b',
    'alter table a rename column b to c',
    'alter table a rename to b',
    'alter table a alter column b type text',
    'alter table a alter b set not null',
    'alter table a add column b text not null',
    'drop function f(int)',
    'truncate a',
    'delete from a',
  ])
    assert.equal(findBreakingStatements(text).length, 1, text)
  for (const text of [
    '-- drop table a\ncreate table b (c int not null)',
    'alter table a add column b text',
    "alter table a add column b text not null default ''",
    'alter table a add column b text, add column c int not null default 0',
    'create or replace function f() returns void language plpgsql as $$ begin delete from a; end $$',
    'create index concurrently i on a (b)',
    'alter table a drop constraint c, add constraint c check (b > 0)',
    'alter table a alter column b drop not null',
  ])
    assert.deepEqual(findBreakingStatements(text), [], text)
})

test('the migrations of this program are named and numbered', () => {
  const migrations = readMigrations()
  assert.equal(migrations[0]?.name, '0001_platform')
})

/** The statements after which processes of the version before fail: they remove, rename, change or require something. */
function findBreakingStatements(text: string): readonly string[] {
  const statements = text
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\$\$.*?\$\$/gs, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
  const breaks =
    /^(drop|truncate|delete|rename)\b|^alter table\b.*\b(drop(?! constraint| not null)|rename)\b|^alter table\b.*\balter (column )?\w+ (set data |)(type|set not null)\b/i
  const requires = (statement: string): boolean =>
    /^alter table/i.test(statement) &&
    statement
      .split(/,(?![^(]*\))/)
      .some((part) => /\badd column\b.*\bnot null\b/i.test(part) && !/\b(default|generated)\b/i.test(part))
  return statements.filter((statement) => breaks.test(statement) || requires(statement))
}
