/** Secrets this program makes for itself and keeps in files that only its account can read. */
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { systemCodeOf } from '../lib/errors.ts'

/**
 * Reads a secret, making it on first use. It is written whole under another name and then linked to its own: of several
 * processes one wins, and nobody ever reads half a secret.
 */
export function keepSecret(path: string): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error
  }
  try {
    writeFileSync(draft, randomBytes(36).toString('base64url'), { mode: 0o600, flag: 'wx' })
    linkSync(draft, path)
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}
