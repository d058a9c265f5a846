/**
 * Applies the numbered migrations in order, each in its own transaction, under one lock.
 *
 * A migration is never edited after its release: its checksum is stored and compared. It only adds (tables, columns with
 * defaults, functions), so that processes of the version before continue until they are replaced. One that removes or
 * changes something names itself in a comment `-- Breaks older versions: why`; older programs refuse its database.
 */

import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { GatewatchError } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import { allowLongWork, type Database, type DatabaseClient, type Queryable } from './database.ts'
import { readSqlFile, type Sql, sql } from './sql.ts'

export const MIGRATIONS_FOLDER = join(import.meta.dirname, '..', '..', 'migrations')
const MIGRATION_LOCK = 7_438_002

export type Migration = {
  readonly number: number
  readonly name: string
  readonly text: Sql
  readonly checksum: string
  /** Programs that do not have this migration must not use the database. */
  readonly breaksOlder: boolean
}

export class SchemaNewerError extends GatewatchError {
  override readonly code = 'schema_newer'
  override readonly retryable = false
  constructor(found: number, known: number) {
    super(
      `The database has migration ${found}, which this program does not have (it has those up to ${known}). Run the version that made it, or a later one. Nothing was changed.`,
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
    super(`${state}; start the service or run \`gatewatch migrate\`: both apply the missing migrations.`)
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
        breaksOlder: /^-- Breaks older versions: \S/m.test(text),
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
  /** The number of the newest of these that older programs must not run with. */
  readonly breaking: number | undefined
}

/** Reads which migrations the database has. */
export async function getSchema(database: Database, migrations = readMigrations()): Promise<Schema> {
  const { rows } = await database.query<{ made: boolean }>(
    sql`select to_regclass('schema_migration') is not null as made`,
  )
  if (rows[0]?.made !== true) return { applied: 0, known: migrations.length, beyond: undefined, breaking: undefined }
  const applied = await getApplied(database)
  const known = new Set(migrations.map(({ number }) => number))
  const beyond = applied.filter(({ number }) => !known.has(number))
  return {
    applied: applied.length - beyond.length,
    known: known.size,
    beyond: beyond.at(-1)?.number,
    breaking: beyond.findLast(({ breaksOlder }) => breaksOlder)?.number,
  }
}

type AppliedMigration = {
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly breaksOlder: boolean
}

/** The migrations of the database. The table itself may be of a version before the column `breaks_older`. */
async function getApplied(database: Queryable): Promise<readonly AppliedMigration[]> {
  const { rows } = await database.query<AppliedMigration>(
    sql`select number, name, checksum, coalesce((to_jsonb(m) ->> 'breaks_older')::boolean, false) as "breaksOlder"
     from schema_migration m order by number`,
  )
  return rows
}

/** For commands that only read: throws unless this program can use the schema of the database. */
export async function requireSchema(database: Database, migrations = readMigrations()): Promise<void> {
  const schema = await getSchema(database, migrations)
  if (schema.breaking !== undefined) throw new SchemaNewerError(schema.breaking, migrations.at(-1)?.number ?? 0)
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
  await client.query(
    sql`alter table schema_migration add column if not exists breaks_older boolean not null default false`,
  )
  const applied = await getApplied(client)
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const row of applied) {
    const migration = known.get(row.number)
    // A newer version has only added to the schema: this one may run next to it until it is replaced.
    if (migration === undefined && !row.breaksOlder) continue
    if (migration === undefined)
      throw new SchemaNewerError(row.number, Math.max(0, ...migrations.map(({ number }) => number)))
    if (migration.checksum !== row.checksum) throw new MigrationEditedError(migration.name)
    known.delete(row.number)
  }
  return [...known.values()]
}

async function applyOne(client: DatabaseClient, migration: Migration): Promise<void> {
  const { number, name, text, checksum, breaksOlder } = migration
  await client.query(text)
  await client.query(sql`insert into schema_migration (number, name, checksum, breaks_older) values ($1, $2, $3, $4)`, [
    number,
    name,
    checksum,
    breaksOlder,
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
