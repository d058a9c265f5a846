/** Copies the coin indexes for a backup while their writer runs, and restores them. */
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'

const indexesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])

/** Copies all indexes to a folder. Returns their names, such as `btc-main`. */
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

/** Restores indexes from a backup into a data directory that does not contain them. */
export function restoreIndexes(folder: string, dataDir: string, names: readonly string[]): void {
  for (const name of names)
    cpSync(join(folder, 'coins', name), join(dataDir, 'coins', name), {
      recursive: true,
      errorOnExist: true,
      force: false,
    })
}
