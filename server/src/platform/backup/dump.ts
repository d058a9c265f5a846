/**
 * Dumps the rows of every table to files, in one snapshot, while the service runs.
 *
 * The embedded PostgreSQL has no pg_dump. The migrations define the schema, so that the rows suffice.
 */

import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { copyToStream } from '../copy.ts'
import { allowLongWork, type Database, type DatabaseClient } from '../database.ts'
import { identifier, joinSql, sql } from '../sql.ts'
import type { Manifest } from './manifest.ts'
import { type DumpedTable, getSequences, getTables } from './tables.ts'

type Dumped = Pick<Manifest, 'migrations' | 'tables' | 'sequences'>

export const tableFile = (folder: string, table: string): string => join(folder, 'tables', `${table}.copy.gz`)

export async function dumpDatabase(database: Database, folder: string): Promise<Dumped> {
  await mkdir(join(folder, 'tables'), { recursive: true })
  const client = await database.connect()
  try {
    await client.query(sql`begin isolation level repeatable read read only`)
    await allowLongWork(client, 'transaction')
    const tables: Dumped['tables'] = []
    for (const table of await getTables(client))
      tables.push({ ...table, columns: [...table.columns], rows: await dumpTable(client, table, folder) })
    const { rows: migrations } = await client.query<Dumped['migrations'][number]>(
      sql`select number, checksum from schema_migration order by number`,
    )
    // Sequences are not transactional: read last, they are never behind the rows.
    const sequences = [...(await getSequences(client))]
    return { migrations, tables, sequences }
  } finally {
    client.release(true) // closes the connection, which a fault may have left in the middle of a copy
  }
}

async function dumpTable(client: DatabaseClient, { name, columns }: DumpedTable, folder: string): Promise<number> {
  const rows = copyToStream(
    client,
    sql`copy ${identifier(name)} (${joinSql(columns.map(identifier), sql`, `)}) to stdout`,
  )
  await pipeline(rows, createGzip({ level: 1 }), createWriteStream(tableFile(folder, name), { mode: 0o600 }))
  return rows.rowCount
}
