/** Copies of the coin indexes as they stand, taken while their writer goes on, and put back. */
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'

const indexesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])

/** The names of what was copied: `btc-main`. */
export async function copyIndexes(dataDir: string, folder: string): Promise<readonly string[]> {
  const names = indexesIn(join(dataDir, 'coins'))
  for (const name of names) {
    const to = join(folder, 'coins', name)
    mkdirSync(to, { recursive: true })
    const store = open({ path: join(dataDir, 'coins', name), readOnly: true })
    try {
      await store.backup(to, false)
    } finally {
      await store.close()
    }
  }
  return names
}

/** Into a folder that holds no index yet. */
export function restoreIndexes(folder: string, dataDir: string, names: readonly string[]): void {
  for (const name of names)
    cpSync(join(folder, 'coins', name), join(dataDir, 'coins', name), {
      recursive: true,
      errorOnExist: true,
      force: false,
    })
}
