/**
 * The one way to PostgreSQL: a pool, and a transaction on it.
 *
 * Owns how values travel: `bigint` columns become numbers and refuse to lose digits.
 */
import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { systemCodeOf } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import { DatabaseUnreachableError } from './errors.ts'

/** What a store needs: the pool, or the client of a running transaction. */
export type Queryable = Pick<PoolClient, 'query'>
export type Database = Pool
/** What answers are read from: the pool, or a replica with the primary behind it. */
export type ReadDatabase = Pick<Database, 'query' | 'connect'>

export function exactInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number exactly`)
  return value
}

const typeParsers: NonNullable<PoolConfig['types']> = {
  getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? exactInteger : types.getTypeParser(oid, format)),
}

export type DatabaseOptions = { readonly url: string; readonly log: Logger; readonly connections?: number }

export function openDatabase({ url, log, connections = 20 }: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: 'gatewatch',
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    types: typeParsers,
    // A query that holds a request longer than this is a fault, not an answer. Long work sets its own limit.
    // Nothing here is worth compiling: PostgreSQL's JIT takes seconds over a plan with many partitions, every time anew.
    options: '-c statement_timeout=30s -c timezone=UTC -c jit=off',
  })
  // A connection that breaks (the server restarted) while nothing is asked of it would otherwise end the process: the
  // pool hears of idle ones, but of one that is lent out, between two statements of a transaction, only we can.
  // On the way out the server may be faster than our goodbye. The error itself carries the whole connection with it.
  pool.on('error', (error) => {
    const facts = { code: systemCodeOf(error), reason: error.message }
    if (!pool.ending) log.warn(facts, 'a database connection broke; the next query opens another')
  })
  pool.on('connect', (client) => client.on('error', (error) => log.debug({ err: error }, 'a connection in use broke')))
  return pool
}

const STILL_STARTING = '57P03'

/** Answers when the database does; one that is still starting gets time, one that is not there gets none. */
export async function reachDatabase(database: Database, url: string, patienceMs = 30_000): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    try {
      await database.query('select 1')
      return
    } catch (error) {
      if (systemCodeOf(error) !== STILL_STARTING || Date.now() > deadline)
        throw new DatabaseUnreachableError(placeOf(url), error)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** Host and database of a connection URL, without user and password. */
export function placeOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null
    ? 'DATABASE_URL'
    : `${parsed.host || parsed.searchParams.get('host') || 'localhost'}${parsed.pathname}`
}

/** Runs `work` in one transaction; whatever it throws rolls everything back. */
export async function inTransaction<T>(database: Database, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await database.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError))
    throw error
  } finally {
    client.release(broken)
  }
}
