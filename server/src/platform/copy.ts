/**
 * `COPY … FROM STDIN` through the driver's own protocol hooks: many rows, one statement, no parameters.
 */
import type { Connection, PoolClient, Submittable } from 'pg'
import { type CopyStreamQuery, type CopyToStreamQuery, from, to } from 'pg-copy-streams'
import type { DatabaseClient } from './database.ts'
import type { Sql } from './sql.ts'

/** The driver's `query` also takes objects with protocol hooks, which our `DatabaseClient` hides. */
const submit = <T extends Submittable>(client: DatabaseClient, query: T): T =>
  (client as unknown as PoolClient).query(query)

/** The writable stream of a `copy … from stdin`. */
export const copyFromStream = (client: DatabaseClient, statement: Sql): CopyStreamQuery =>
  submit(client, from(statement))

/** The readable stream of a `copy … to stdout`. */
export const copyToStream = (client: DatabaseClient, statement: Sql): CopyToStreamQuery => submit(client, to(statement))

/** Text is handed over in pieces of this size: one long string would be copied whole several times. */
const PIECE_CHARACTERS = 262_144

type CopyConnection = Connection & {
  readonly sendCopyFromChunk: (chunk: Buffer) => void
  readonly endCopyFrom: () => void
}

/** `lines` are in COPY's text format, each with its line end. The number of rows copied. */
export async function copyIn(client: DatabaseClient, statement: Sql, lines: readonly string[]): Promise<number> {
  return await new Promise<number>((resolve, reject) => {
    let copied = 0
    const copy: Submittable & Record<string, unknown> = {
      submit: (connection: Connection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) => {
        for (const piece of piecesOf(lines)) connection.sendCopyFromChunk(Buffer.from(piece))
        connection.endCopyFrom()
      },
      handleCommandComplete: ({ text }: { readonly text: string }) => {
        copied = Number(/\d+$/.exec(text)?.[0] ?? 0)
      },
      handleError: reject, // the driver forgets a query that failed: no `handleReadyForQuery` follows
      handleReadyForQuery: () => resolve(copied),
    }
    submit(client, copy)
  })
}

function* piecesOf(lines: readonly string[]): Generator<string> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
