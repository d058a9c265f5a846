/** Errors of the database and the disk. Each message advises the operator. */
import { GatewatchError, reasonOf, systemCodeOf } from '../lib/errors.ts'

export class DatabaseUnreachableError extends GatewatchError {
  override readonly code = 'database_unreachable'
  override readonly retryable = true
  constructor(where: string, cause: unknown) {
    super(
      `The database at ${where} cannot be reached (${reasonOf(cause)}); check that it runs and that DATABASE_URL is right.`,
      { cause },
    )
  }
}

/** A connection pooler such as PgBouncer is between us and PostgreSQL. */
export class DatabasePooledError extends GatewatchError {
  override readonly code = 'database_pooled'
  override readonly retryable = false
  constructor(where: string, cause?: unknown) {
    super(
      `DATABASE_URL leads to a connection pooler at ${where} (such as PgBouncer), which drops the settings and notifications of a connection; use the address of PostgreSQL itself, and set DATABASE_CONNECTIONS to limit connections.`,
      { cause },
    )
  }
}

/** The connection is open but nothing arrives: the host lost power, or the network is cut. */
export class DatabaseSilentError extends GatewatchError {
  override readonly code = 'database_silent'
  override readonly retryable = true
  constructor() {
    super('The database stopped responding; check its host and the network to it.')
  }
}

export class DiskFullError extends GatewatchError {
  override readonly code = 'disk_full'
  override readonly retryable = false
  constructor(where: string, cause?: unknown) {
    super(`No space is left on the disk of ${where}; free some and start again. Stored data is not lost.`, {
      cause,
    })
  }
}

/** The embedded PostgreSQL could not be created or started. */
export class EmbeddedDatabaseError extends GatewatchError {
  override readonly code = 'embedded_database_failed'
  override readonly retryable = false
}

/** ENOSPC and EDQUOT come from the system, 53100 from PostgreSQL. */
export const isDiskFull = (thrown: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', '53100'].includes(systemCodeOf(thrown) ?? '')

/** System errors, SQLSTATEs and our own codes of a PostgreSQL or Redis that is unavailable at the moment. */
const OUTAGE_CODES: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the socket file of a local server
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '53100', // disk full
  '53300', // too many connections
  '57P01', // shut down by the administrator
  '57P02', // crash of another backend
  '57P03', // starting up
  'database_silent',
  'database_unreachable',
  'redis_refuses',
  'redis_unreachable',
])

/** Whether a database, Redis or node is temporarily unreachable: an expected error, because the service itself works. */
export const isOutage = (thrown: unknown): boolean =>
  isStoreOutage(thrown) || (thrown instanceof GatewatchError && thrown.retryable)

/** Whether the store, not the statement, failed: the same request can succeed later. */
export function isStoreOutage(thrown: unknown): boolean {
  const code = systemCodeOf(thrown) ?? ''
  return OUTAGE_CODES.has(code) || code.startsWith('08')
}
