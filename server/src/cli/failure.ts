/** Turns every error into a message and an exit code (docs/errors.md). Stack traces are never printed. */
import { ConfigError } from '../config/config.ts'
import { GatewatchError, reasonOf } from '../lib/errors.ts'
import { scrub } from '../lib/log.ts'

/** From sysexits.h where it has a matching code. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  refused: 1,
  account_refused: 1,
  backup_unusable: 1,
  usage: 64,
  schema_newer: 65,
  schema_older: 65,
  migration_edited: 65,
  database_unreachable: 69,
  database_silent: 69,
  redis_unreachable: 69,
  redis_refuses: 69,
  embedded_database_failed: 69,
  cannot_listen: 71,
  disk_full: 74,
  config_invalid: 78,
}
const UNEXPECTED = 70

export function failureOf(thrown: unknown): { readonly lines: readonly string[]; readonly exitCode: number } {
  if (thrown instanceof ConfigError) {
    return {
      lines: ['The configuration is invalid:', ...thrown.faults.map((fault) => `  ${fault}`)].map(scrub),
      exitCode: EXIT_CODES[thrown.code] ?? UNEXPECTED,
    }
  }
  if (thrown instanceof GatewatchError)
    return { lines: [scrub(thrown.message)], exitCode: EXIT_CODES[thrown.code] ?? UNEXPECTED }
  return { lines: [scrub(`Unexpected error: ${reasonOf(thrown)}`)], exitCode: UNEXPECTED }
}
