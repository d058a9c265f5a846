/**
 * The one base of every error this program throws on purpose.
 *
 * Owns what a loop and an error page need to know: a stable `code`, whether trying again can help, and the
 * facts as named fields of the subclass. Knows neither HTTP nor exit codes; `http/` and `cli/` map codes there.
 */

export abstract class GatewatchError extends Error {
  /** Stable and public: listed in docs/errors.md. */
  abstract readonly code: string
  /** Loops ask only this. */
  abstract readonly retryable: boolean

  override get name(): string {
    return this.constructor.name
  }
}

/** The message of whatever was thrown, for a log line or a sentence to a person. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(reasonOf).join('; ')
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The `code` a Node or PostgreSQL error carries (ENOSPC, 53100, …), undefined where there is none. */
export function systemCodeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}
