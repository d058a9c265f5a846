/**
 * The logger of the tests. A whole run writes all logs to one folder, so that the last test can search every line for
 * secrets. Otherwise logs are discarded.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '../../server/src/lib/log.ts'

const folder = process.env.GATEWATCH_TEST_LOGS

export function keepLog(text: string): void {
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, `${process.pid}.log`), text)
}

/** Registers a secret of a test for the search at the end of the run. */
export function keepSecretOfTest(secret: string): string {
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true })
    appendFileSync(join(folder, `${process.pid}.secrets`), `${secret}\n`)
  }
  return secret
}

export const testLog = createLogger({ level: 'debug', destination: { write: keepLog } })
