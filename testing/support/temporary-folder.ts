import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** A folder in the temporary folder, gone after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatewatch-test-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
