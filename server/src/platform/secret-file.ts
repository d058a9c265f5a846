/** Secrets that the program generates and stores in files readable only by its account. */
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { systemCodeOf } from '../lib/errors.ts'

/**
 * Reads a secret, or generates it on first use. It is written to a temporary file and then linked to its name, so that
 * several processes agree on one secret, and none reads an incomplete one.
 */
export function readOrCreateSecret(path: string, make = () => randomBytes(36).toString('base64url')): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error
  }
  try {
    writeFileSync(draft, make(), { mode: 0o600, flag: 'wx' })
    linkSync(draft, path)
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}
