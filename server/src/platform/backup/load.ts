/** A backup back into an empty database: the schema it was made under, its rows, then what the program added since. */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Logger } from '../../lib/log.ts'
import { allowLongWork, type Database, inTransaction } from '../database.ts'
import { type Migration, migrate, readMigrations } from '../migrate.ts'
import { tableFile } from './dump.ts'
import { BackupError, type Manifest } from './manifest.ts'
import { quoted } from './tables.ts'

export async function loadDatabase(
  { database, log }: { readonly database: Database; readonly log: Logger },
  folder: string,
  backup: Manifest,
): Promise<void> {
  await refuseUsed(database)
  await migrate(database, log, migrationsOf(backup))
  await inTransaction(database, async (client) => {
    await allowLongWork(client, 'transaction')
    await emptyTables(client, backup)
    for (const table of backup.tables) await loadTable(client, folder, table)
    for (const { name, value, isCalled } of backup.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [quoted(name), value, isCalled])
  })
  await migrate(database, log)
  await database.query('analyze')
}

/** Rows of two services must never mix. */
async function refuseUsed(database: Database): Promise<void> {
  const { rows } = await database.query<{ used: boolean }>("select to_regclass('schema_migration') is not null as used")
  if (rows[0]?.used === true)
    throw new BackupError('The database is in use already: restore into an empty one (a new DATA_DIR or DATABASE_URL).')
}

/** The migrations the backup was made under, which this program must know, unedited. */
function migrationsOf({ migrations, version }: Manifest): readonly Migration[] {
  const known = readMigrations()
  return migrations.map(({ number, checksum }) => {
    const migration = known.find((candidate) => candidate.number === number)
    if (migration?.checksum !== checksum)
      throw new BackupError(
        `The backup was made by Gatewatch ${version}, which is newer: restore it with that version.`,
      )
    return migration
  })
}

/** A migration may have put rows in, and triggers must not act on rows that already bear their marks. */
async function emptyTables(client: PoolClient, { tables }: Manifest): Promise<void> {
  for (const { name, partition } of tables)
    if (partition !== undefined)
      await client.query(
        `create table if not exists ${quoted(name)} partition of ${quoted(partition.of)} ${partition.bounds}`,
      )
  await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
}

async function loadTable(
  client: PoolClient,
  folder: string,
  { name, columns, rows }: Manifest['tables'][number],
): Promise<void> {
  const table = quoted(name)
  await client.query(`alter table ${table} disable trigger user`)
  const target = client.query(copyFrom(`copy ${table} (${columns.map(quoted).join(', ')}) from stdin`))
  try {
    await pipeline(createReadStream(tableFile(folder, name)), createGunzip(), target)
  } catch (error) {
    throw new BackupError(`The backup's table ${name} cannot be read; nothing was restored.`, { cause: error })
  }
  if (target.rowCount !== rows)
    throw new BackupError(
      `The backup's table ${name} has ${target.rowCount} rows instead of ${rows}; nothing was restored.`,
    )
  await client.query(`alter table ${table} enable trigger user`)
}
