/** Restores a backup into an empty database: its migrations, its rows, then the newer migrations. */

import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { copyFromStream } from '../copy.ts'
import { allowLongWork, type Database, type DatabaseClient, inTransaction } from '../database.ts'
import { holdDeliveries } from '../deliveries/delivery-hold.ts'
import { type Migration, migrateInTransaction, readMigrations } from '../migrate.ts'
import { identifier, joinSql, type Sql, sql } from '../sql.ts'
import { tableFile } from './dump.ts'
import { BackupError, type Manifest } from './manifest.ts'

/** Deliveries are held: the original may still run, and must not send the same alerts. */
export async function loadDatabase(database: Database, folder: string, backup: Manifest): Promise<void> {
  await requireEmpty(database)
  // One transaction for schema and rows, so that a failed restore leaves the database empty.
  await inTransaction(database, async (client) => {
    await allowLongWork(client, 'transaction')
    await migrateInTransaction(client, migrationsOf(backup))
    await emptyTables(client, backup)
    for (const table of backup.tables) await loadTable(client, folder, table)
    for (const sequence of backup.sequences) await advanceSequence(client, sequence)
    await migrateInTransaction(client)
    await holdDeliveries(client, `This is a restored copy of the backup of ${backup.madeAt}.`)
  })
  await inTransaction(database, async (client) => {
    await allowLongWork(client, 'transaction')
    await client.query(sql`analyze`)
  })
}

/** More ids than the original can have given out after the backup. */
const UNUSED_IDS = 1_000_000_000

/**
 * Continues far beyond the backup. Readers of the original have cursors and ids of rows that were stored after the backup:
 * the copy must neither give these ids to other rows nor add rows before those cursors, where no reader would find them.
 */
async function advanceSequence(
  client: DatabaseClient,
  { name, value, isCalled }: Manifest['sequences'][number],
): Promise<void> {
  await client.query(
    sql`select setval(seqrelid, $2::bigint + case when seqtypid = 'bigint'::regtype then $3::bigint else 0 end, $4)
     from pg_sequence where seqrelid = $1::regclass`,
    [identifier(name), value, UNUSED_IDS, isCalled],
  )
}

/** Rows of two installations must never mix. */
async function requireEmpty(database: Database): Promise<void> {
  const { rows } = await database.query<{ used: boolean }>(
    sql`select to_regclass('schema_migration') is not null as used`,
  )
  if (rows[0]?.used === true)
    throw new BackupError('The database is not empty. Restore into an empty one (a new DATA_DIR or DATABASE_URL).')
}

/** The migrations of the backup, which this program must have unchanged. */
function migrationsOf({ migrations, version }: Manifest): readonly Migration[] {
  const known = readMigrations()
  return migrations.map(({ number, checksum }) => {
    const migration = known.find((candidate) => candidate.number === number)
    if (migration?.checksum !== checksum)
      throw new BackupError(
        `The backup has migration ${number}, which this program does not have, or has with other content. Restore it with the program that made it (Gatewatch ${version}) or a later one.`,
      )
    return migration
  })
}

/** Migrations insert some rows, which the backup contains too. */
async function emptyTables(client: DatabaseClient, { tables }: Manifest): Promise<void> {
  for (const { name, partition } of tables)
    if (partition !== undefined)
      // The bounds are a text that PostgreSQL returned when the backup was made.
      await client.query(
        sql`create table if not exists ${identifier(name)} partition of ${identifier(partition.of)} ${partition.bounds as Sql}`,
      )
  await client.query(
    sql`truncate ${joinSql(
      tables.map(({ name }) => identifier(name)),
      sql`, `,
    )}`,
  )
}

async function loadTable(
  client: DatabaseClient,
  folder: string,
  { name, columns, rows }: Manifest['tables'][number],
): Promise<void> {
  const table = identifier(name)
  // The triggers ran when these rows were first stored.
  await client.query(sql`alter table ${table} disable trigger user`)
  const target = copyFromStream(client, sql`copy ${table} (${joinSql(columns.map(identifier), sql`, `)}) from stdin`)
  try {
    await pipeline(createReadStream(tableFile(folder, name)), createGunzip(), target)
  } catch (error) {
    throw new BackupError(`The backup's table ${name} cannot be read; nothing was restored.`, { cause: error })
  }
  if (target.rowCount !== rows)
    throw new BackupError(
      `The backup's table ${name} has ${target.rowCount} rows instead of ${rows}; nothing was restored.`,
    )
  await client.query(sql`alter table ${table} enable trigger user`)
}
