/**
 * Applies the numbered migrations in order, each in its own transaction, under one lock.
 *
 * A migration is never edited after its release: its checksum is stored and compared. A schema newer than this program
 * is refused, because the old code would write rows that the new code does not expect.
 */

import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { GatewatchError } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import { allowLongWork, type Database, type DatabaseClient } from './database.ts'
import { readSqlFile, type Sql, sql } from './sql.ts'

export const MIGRATIONS_FOLDER = join(import.meta.dirname, '..', '..', 'migrations')
const MIGRATION_LOCK = 7_438_002

export type Migration = {
  readonly number: number
  readonly name: string
  readonly text: Sql
  readonly checksum: string
}

export class SchemaNewerError extends GatewatchError {
  override readonly code = 'schema_newer'
  override readonly retryable = false
  constructor(found: number, known: number) {
    super(
      `The database has schema ${found}, this program has schemas up to ${known}; start the newer version. Nothing was changed.`,
    )
  }
}

/** Thrown by commands that only read; the service applies what is missing. */
export class SchemaOlderError extends GatewatchError {
  override readonly code = 'schema_older'
  override readonly retryable = false
  constructor({ applied, known }: Schema) {
    const state =
      applied === 0
        ? 'The database is empty: the service has not run with it yet'
        : `The database has ${applied} of the ${known} migrations of this version`
    super(`${state}; start the service, which applies them, or run \`gatewatch migrate\`.`)
  }
}

export class MigrationEditedError extends GatewatchError {
  override readonly code = 'migration_edited'
  override readonly retryable = false
  constructor(name: string) {
    super(
      `Migration ${name} was applied to this database with other content; restore the file, and write a new migration for the change.`,
    )
  }
}

export function readMigrations(folder: string = MIGRATIONS_FOLDER): readonly Migration[] {
  const migrations = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const [, digits, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
      if (digits === undefined || name === undefined)
        throw new Error(`${file}: a migration is named 0001_what_it_does.sql`)
      const text = readSqlFile(join(folder, file))
      return {
        number: Number(digits),
        name: `${digits}_${name}`,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      }
    })
  if (new Set(migrations.map(({ number }) => number)).size !== migrations.length)
    throw new Error('two migrations carry the same number')
  return migrations
}

/** Applies the missing migrations inside the transaction of `client`, so that a failure leaves nothing behind. */
export async function migrateInTransaction(client: DatabaseClient, migrations = readMigrations()): Promise<void> {
  for (const migration of await findMissingMigrations(client, migrations)) await applyOne(client, migration)
}

/** Applies the missing migrations and returns their number. */
export async function migrate(
  database: Database,
  log: Logger,
  migrations: readonly Migration[] = readMigrations(),
): Promise<number> {
  const client = await database.connect()
  try {
    await allowLongWork(client, 'session')
    await client.query(sql`select pg_advisory_lock($1)`, [MIGRATION_LOCK])
    const missing = await findMissingMigrations(client, migrations)
    for (const migration of missing) {
      await apply(client, migration)
      log.info({ migration: migration.name }, 'migration applied')
    }
    return missing.length
  } finally {
    client.release(true) // closes the connection, which releases the lock and drops the changed timeout
  }
}

export type Schema = {
  /** How many migrations the database has, and how many this program has. */
  readonly applied: number
  readonly known: number
  /** The number of the newest migration that this program does not have. */
  readonly beyond: number | undefined
}

/** Reads which migrations the database has. */
export async function getSchema(database: Database, migrations = readMigrations()): Promise<Schema> {
  const { rows } = await database.query<{ made: boolean }>(
    sql`select to_regclass('schema_migration') is not null as made`,
  )
  if (rows[0]?.made !== true) return { applied: 0, known: migrations.length, beyond: undefined }
  const applied = await database.query<{ number: number }>(sql`select number from schema_migration order by number`)
  const known = new Set(migrations.map(({ number }) => number))
  const beyond = applied.rows.findLast(({ number }) => !known.has(number))?.number
  return { applied: applied.rows.length, known: known.size, beyond }
}

/** For commands that only read: throws unless the database has exactly this program's schema. */
export async function requireSchema(database: Database, migrations = readMigrations()): Promise<void> {
  const schema = await requireKnownSchema(database, migrations)
  if (schema.applied < schema.known) throw new SchemaOlderError(schema)
}

/** For backups: throws unless this program has all migrations of the database. */
export async function requireKnownSchema(database: Database, migrations = readMigrations()): Promise<Schema> {
  const schema = await getSchema(database, migrations)
  if (schema.beyond !== undefined) throw new SchemaNewerError(schema.beyond, migrations.at(-1)?.number ?? 0)
  if (schema.applied === 0) throw new SchemaOlderError(schema)
  return schema
}

/** The first migration that the database lacks; undefined if it has all, or more: a newer version may run already. */
export async function findMissingMigration(
  database: Database,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  const { rows } = await database.query<{ number: number }>(sql`select number from schema_migration`)
  const applied = new Set(rows.map(({ number }) => number))
  return migrations.find(({ number }) => !applied.has(number))?.name
}

async function findMissingMigrations(
  client: DatabaseClient,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  await client.query(sql`create table if not exists schema_migration (
    number int primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`)
  const { rows: applied } = await client.query<{ number: number; name: string; checksum: string }>(
    sql`select number, name, checksum from schema_migration order by number`,
  )
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const row of applied) {
    const migration = known.get(row.number)
    if (migration === undefined)
      throw new SchemaNewerError(row.number, Math.max(0, ...migrations.map(({ number }) => number)))
    if (migration.checksum !== row.checksum) throw new MigrationEditedError(migration.name)
    known.delete(row.number)
  }
  return [...known.values()]
}

async function applyOne(client: DatabaseClient, { number, name, text, checksum }: Migration): Promise<void> {
  await client.query(text)
  await client.query(sql`insert into schema_migration (number, name, checksum) values ($1, $2, $3)`, [
    number,
    name,
    checksum,
  ])
}

async function apply(client: DatabaseClient, migration: Migration): Promise<void> {
  await client.query(sql`begin`)
  try {
    await applyOne(client, migration)
    await client.query(sql`commit`)
  } catch (error) {
    await client.query(sql`rollback`)
    throw error
  }
}
