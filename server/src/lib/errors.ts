/**
 * The base class of every error that this program throws on purpose.
 *
 * It has a stable `code` and states whether a retry can help; subclasses add details as fields. `http/` and `cli/` map
 * codes to statuses and exit codes.
 */

export abstract class GatewatchError extends Error {
  /** Stable and public: listed in docs/errors.md. */
  abstract readonly code: string
  /** Whether the same call can succeed later. */
  abstract readonly retryable: boolean

  override get name(): string {
    return this.constructor.name
  }
}

/** The message of a thrown value, for a log line or an error message. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(reasonOf).join('; ')
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** Why `fetch` failed: its own message is "fetch failed", and the reason is the cause. */
export const fetchFault = (thrown: unknown): string =>
  reasonOf(thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown)

/**
 * Text of another program for a message: control characters, which a terminal would obey and PostgreSQL may refuse, become
 * spaces.
 */
export const printable = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}+/gu, ' ')

/** The `code` of a Node.js or PostgreSQL error (ENOSPC, 53100, …), or undefined. */
export function systemCodeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}
