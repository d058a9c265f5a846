import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemCodeOf } from './errors.ts'

/**
 * Creates a folder and those above it, and returns the first that was missing. Node's own recursive creation never ends
 * where ENOENT means that nothing can be created, as in /proc.
 */
export function makeFolders(path: string): string | undefined {
  const missing: string[] = []
  for (let at = path; !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const folder of missing)
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // Another process may create it at the same time.
      if (systemCodeOf(error) !== 'EEXIST') throw error
    }
  return missing[0]
}
