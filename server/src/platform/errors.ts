/** What can be wrong with the ground itself: each is one sentence to the operator, with what to do. */
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

/** It closed nothing and answers nothing: the host lost its power, or the way to it is cut. */
export class DatabaseSilentError extends GatewatchError {
  override readonly code = 'database_silent'
  override readonly retryable = true
  constructor() {
    super('The database does not answer any more; check its host and the way to it.')
  }
}

export class DiskFullError extends GatewatchError {
  override readonly code = 'disk_full'
  override readonly retryable = false
  constructor(where: string, cause?: unknown) {
    super(`No space is left on the disk of ${where}; free some and start again: nothing that was stored is lost.`, {
      cause,
    })
  }
}

/** The embedded PostgreSQL could not be made or started. */
export class EmbeddedDatabaseError extends GatewatchError {
  override readonly code = 'embedded_database_failed'
  override readonly retryable = false
}

/** ENOSPC and EDQUOT come from the system, 53100 from PostgreSQL. */
export function isDiskFull(thrown: unknown): boolean {
  return (
    ['ENOSPC', 'EDQUOT', '53100'].includes(systemCodeOf(thrown) ?? '') ||
    /No space left on device|Disk quota exceeded/.test(reasonOf(thrown))
  )
}
