/** Every failure ends in one sentence and an exit code (docs/errors.md), never in a stack trace. */
import { ConfigError } from '../config/config.ts'
import { GatewatchError, reasonOf } from '../lib/errors.ts'
import { scrub } from '../lib/log.ts'

/** After sysexits.h, where it has a word for it. */
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

export function failureOf(thrown: unknown): { readonly sentences: readonly string[]; readonly exitCode: number } {
  if (thrown instanceof ConfigError) {
    return {
      sentences: ['The configuration has faults:', ...thrown.faults.map((fault) => `  ${fault}`)].map(scrub),
      exitCode: EXIT_CODES[thrown.code] ?? UNEXPECTED,
    }
  }
  if (thrown instanceof GatewatchError)
    return { sentences: [scrub(thrown.message)], exitCode: EXIT_CODES[thrown.code] ?? UNEXPECTED }
  return { sentences: [scrub(`Unexpected: ${reasonOf(thrown)}`)], exitCode: UNEXPECTED }
}
