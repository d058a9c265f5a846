/** Runs test files one after the other in one process. What a file sets up ends with it, as in a process of its own. */
import { join } from 'node:path'
import { test } from 'node:test'
import { startFile } from './report/file-times.ts'

const root = join(import.meta.dirname, '..')

export function runFiles(files: readonly string[]): void {
  for (const file of files)
    test(file, async (t) => {
      startFile(file)
      const loading = import(join(root, file))
      // The first test of a file would start at once, before the rest of the file is loaded.
      await t.test('loads', async () => void (await loading))
    })
}
