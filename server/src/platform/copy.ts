/** `COPY` in both directions: many rows in one statement, without parameters. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient, Submittable } from 'pg'
import { type CopyStreamQuery, type CopyToStreamQuery, from, to } from 'pg-copy-streams'
import type { DatabaseClient } from './database.ts'
import type { Sql } from './sql.ts'

/** The driver's `query` also accepts streams, which the type `DatabaseClient` hides. */
const submit = <T extends Submittable>(client: DatabaseClient, query: T): T =>
  (client as unknown as PoolClient).query(query)

/** The writable stream of a `copy … from stdin`. */
export const copyFromStream = (client: DatabaseClient, statement: Sql): CopyStreamQuery =>
  submit(client, from(statement))

/** The readable stream of a `copy … to stdout`. */
export const copyToStream = (client: DatabaseClient, statement: Sql): CopyToStreamQuery => submit(client, to(statement))

/** Copies rows in COPY's text format, each with its newline. Returns their number. */
export const copyIn = (client: DatabaseClient, statement: Sql, rows: readonly string[]): Promise<number> =>
  copyText(client, statement, chunksOf(rows))

/** As `copyIn`, with text of any number of rows in each chunk. */
export async function copyText(client: DatabaseClient, statement: Sql, chunks: Iterable<Buffer>): Promise<number> {
  const stream = copyFromStream(client, statement)
  await pipeline(Readable.from(chunks), stream)
  return stream.rowCount
}

/** One string of all rows would be copied whole several times. */
const CHUNK_CHARACTERS = 262_144

function* chunksOf(rows: readonly string[]): Generator<Buffer> {
  let chunk = ''
  for (const row of rows) {
    chunk += row
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  if (chunk !== '') yield Buffer.from(chunk)
}
