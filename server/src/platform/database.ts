/** The pool of connections to PostgreSQL, and its transactions. */
import type { Socket } from 'node:net'
import {
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryResult,
  type QueryResultRow,
  type Submittable,
  types,
} from 'pg'
import { Gauge } from 'prom-client'
import { reasonOf, systemCodeOf } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import { DatabasePooledError, DatabaseSilentError, DatabaseUnreachableError } from './errors.ts'
import { type Sql, sql } from './sql.ts'
import type { Vault } from './vault.ts'

/** A statement that PostgreSQL prepares once per connection under `name`, or, without a name, parses each time. */
export type Statement = { readonly name?: string; readonly text: Sql; readonly values?: readonly unknown[] }

/** The pool, or the client of a running transaction. */
export type Queryable = {
  // oxlint-disable-next-line typescript/no-explicit-any -- a caller that names no row type reads any column, as in pg
  query<Row extends QueryResultRow = any>(
    statement: Sql | Statement,
    values?: readonly unknown[],
  ): Promise<QueryResult<Row>>
  /** The keys of sealed columns (`sealed-columns.ts`). */
  readonly vault?: Vault | undefined
}
/** A statement with parameters in PostgreSQL's text format. It is prepared once per connection. */
export type PreparedStatement = {
  readonly name: string
  readonly text: Sql
  readonly values: readonly (string | null)[]
}
/** Receives the columns of a row in PostgreSQL's text format. */
type OnRow = (columns: readonly (string | null)[]) => void
/** One connection, taken from the pool until it is released. */
export type DatabaseClient = Queryable &
  Omit<PoolClient, 'query'> & {
    /**
     * Runs one statement in its own transaction, and passes each row to `onRow` before the transaction commits. Resolves
     * when it has committed, or rejects: then the rows are void.
     */
    readonly queryAhead: (statement: PreparedStatement, onRow: OnRow) => Promise<void>
  }
/** The pool of connections to PostgreSQL. */
export type Database = Queryable & Omit<Pool, 'query' | 'connect'> & { connect(): Promise<DatabaseClient> }
/** For statements that only read: the pool, or a replica that falls back to the primary. */
export type ReadDatabase = Pick<Database, 'query' | 'connect'>

/** Parses a `bigint` column. */
export function exactInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number exactly`)
  return value
}

const typeParsers: NonNullable<PoolConfig['types']> = {
  getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? exactInteger : types.getTypeParser(oid, format)),
}

/** PostgreSQL stores no NUL character, so a text with one equals no stored text. */
export const isStorable = (text: string): boolean => !text.includes('\0')

export type DatabaseOptions = {
  readonly url: string
  readonly log: Logger
  readonly connections?: number
  readonly silentMs?: number
  /** The keys of sealed columns, for connections that read them. */
  readonly vault?: Vault | undefined
}

/**
 * A connection that is not used for this long is closed. Another one takes tens of milliseconds to open and to prepare its
 * statements, and a request that runs several statements at once would wait for that.
 */
const IDLE_MS = 600_000
/** A statement that takes longer is canceled. Long work sets its own limit. */
const STATEMENT_MS = 30_000
/** The server cancels every statement sooner: a connection that is silent for this long is lost. */
const SILENT_MS = STATEMENT_MS + 10_000

export function openDatabase({ url, log, connections = 20, silentMs = SILENT_MS, vault }: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: 'gatewatch',
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    types: typeParsers,
    // PostgreSQL's JIT takes seconds to compile a plan with many partitions, at every execution.
    options: `-c statement_timeout=${STATEMENT_MS} -c timezone=UTC -c jit=off`,
  })
  // Without these handlers a connection that breaks between statements would end the process: the pool's handler gets
  // errors of idle connections, the client's those of connections in use. The error refers to the whole connection, so
  // only its code and message are logged. While the pool closes, errors are expected.
  pool.on('error', (error) => {
    const facts = { code: systemCodeOf(error), reason: error.message }
    if (!pool.ending) log.warn(facts, 'a database connection broke; the next query opens another')
  })
  const unreachable = (error: unknown): never => {
    throw isPlainError(error) ? new DatabaseUnreachableError(databaseLocation(url), error) : error
  }
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a connection in use broke'))
    destroyWhenSilent(client)
    rejectWith(client, 'query', unreachable)
    const ahead = {
      queryAhead: (statement: PreparedStatement, onRow: OnRow) => queryAhead(client, statement, onRow),
    }
    rejectWith(ahead, 'queryAhead', unreachable)
    Object.assign(client, ahead, { vault })
  })
  rejectWith(pool, 'query', unreachable)
  rejectWith(pool, 'connect', unreachable)
  pool.on('acquire', (client) => socketOf(client).setTimeout(silentMs))
  return Object.assign(pool, { vault }) as unknown as Database // the handler of 'connect' completes its clients
}

/**
 * The driver throws a bare `Error` without a code where a connection broke, timed out or is closed. What the server
 * reports is a `DatabaseError`, what the system reports has a code, and our own faults are of other classes.
 */
const isPlainError = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error && systemCodeOf(error) === undefined

/** Replaces a method that returns a promise by one whose rejections go through `rethrow`. */
function rejectWith<Name extends string>(
  owner: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  rethrow: (error: unknown) => never,
): void {
  const method = owner[name].bind(owner) as (...args: unknown[]) => unknown
  owner[name] = (...args: unknown[]) => {
    const result = method(...args)
    return result instanceof Promise ? result.catch(rethrow) : result // callbacks and streams return no promise
  }
}

/** The methods of the driver's connection that send messages. Each returns at once. */
type Connection = {
  readonly stream: Socket
  /** The prepared statements of the connection, by name: known ones, and those it was just sent. */
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
  readonly parse: (statement: { readonly name: string; readonly text: string }) => void
  readonly bind: (portal: { readonly statement: string; readonly values: readonly (string | null)[] }) => void
  readonly execute: () => void
  readonly flush: () => void
  readonly sync: () => void
}

/**
 * Runs a statement whose rows are sent when they are known. Otherwise PostgreSQL sends them with the result of the commit,
 * for which it waits until the disk has written it. The driver's own query object parses columns by their types, which
 * takes longer than all the rest.
 */
function queryAhead(client: PoolClient, { name, text, values }: PreparedStatement, onRow: OnRow): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = {
      name,
      text,
      submit: (connection: Connection) => {
        const { stream, parsedStatements, submittedNamedStatements } = connection
        stream.cork()
        if (parsedStatements[name] === undefined && submittedNamedStatements[name] === undefined) {
          connection.parse({ name, text })
          submittedNamedStatements[name] = text
        }
        connection.bind({ statement: name, values })
        connection.execute()
        connection.flush()
        connection.sync()
        stream.uncork()
      },
      handleDataRow: ({ fields }: { readonly fields: readonly (string | null)[] }) => onRow(fields),
      handleCommandComplete: () => {},
      handleError: reject,
      handleReadyForQuery: () => resolve(),
    }
    client.query(query as unknown as Submittable)
  })
}

/** Fields of the driver's client that its types lack. */
type ClientInternals = { readonly connection: Connection; readonly readyForQuery: boolean }
const socketOf = (client: object): Socket => (client as unknown as ClientInternals).connection.stream

/**
 * Destroys a connection on which nothing arrives while a statement runs. A host that lost its power closes no
 * connection, and TCP gives up only after a quarter of an hour. The driver's `query_timeout` does not suffice: it leaves
 * the connection open, includes the time in the client's queue, and cuts off long copies.
 */
function destroyWhenSilent(client: object): void {
  const socket = socketOf(client)
  socket.on('timeout', () => {
    if ((client as unknown as ClientInternals).readyForQuery) return // no statement runs
    const read = socket.bytesRead
    // If this process was busy or stopped, the response may have arrived unread.
    setImmediate(() => {
      if (socket.bytesRead === read) socket.destroy(new DatabaseSilentError())
    })
  })
}

/** Lifts the time limit of statements until the client is released or, with `transaction`, until the transaction ends. */
export async function allowLongWork(client: DatabaseClient, scope: 'session' | 'transaction'): Promise<void> {
  await client.query(scope === 'session' ? sql`set statement_timeout = 0` : sql`set local statement_timeout = 0`)
  socketOf(client).setTimeout(0)
}

const CANNOT_CONNECT_NOW = '57P03'

/** Waits while the database is starting up. Throws at once if it cannot be reached. */
export async function reachDatabase(database: Database, url: string, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      // A pooler that ignores the settings of the connection would also lose its notifications and locks.
      const { rows } = await database.query<{ kept: boolean }>(sql`select current_setting('jit') = 'off' as kept`)
      if (rows[0]?.kept !== true) throw new DatabasePooledError(databaseLocation(url))
      return
    } catch (error) {
      if (error instanceof DatabasePooledError) throw error
      if (/unsupported startup parameter/i.test(reasonOf(error)))
        throw new DatabasePooledError(databaseLocation(url), error)
      if (systemCodeOf(error) !== CANNOT_CONNECT_NOW || Date.now() > deadline)
        throw new DatabaseUnreachableError(databaseLocation(url), error)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** Host, or folder of the Unix socket, and database of a connection URL, without user and password. */
export function databaseLocation(url: string): string {
  // The embedded database has no host before its name, which is no valid URL.
  const parsed = URL.parse(url.replace(/@\//, '@localhost/'))
  if (parsed === null) return 'DATABASE_URL'
  return `${parsed.searchParams.get('host') ?? (parsed.host || 'localhost')}${parsed.pathname}`
}

/** Runs `work` in one transaction, and rolls back if it throws. */
export async function inTransaction<T>(database: Database, work: (client: DatabaseClient) => Promise<T>): Promise<T> {
  const client = await database.connect()
  let broken: Error | undefined
  try {
    await client.query(sql`begin`)
    const result = await work(client)
    await client.query(sql`commit`)
    return result
  } catch (error) {
    await client.query(sql`rollback`).catch((rollbackError: Error) => (broken = rollbackError))
    throw error
  } finally {
    client.release(broken)
  }
}

/** Registers metrics of the pools: requests that wait for a connection are the first sign of a slow database. */
export function measureConnections(metrics: Metrics, pools: Readonly<Record<string, Database>>): void {
  metrics.registerMetric(
    new Gauge({
      name: 'gatewatch_database_connections',
      help: 'Connections of this process to PostgreSQL: open, idle, and requests that wait for one',
      labelNames: ['pool', 'state'],
      registers: [],
      collect() {
        for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
          this.set({ pool, state: 'open' }, totalCount)
          this.set({ pool, state: 'idle' }, idleCount)
          this.set({ pool, state: 'waiting' }, waitingCount)
        }
      },
    }),
  )
}
