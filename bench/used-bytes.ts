/** Measures how many bytes the tables of a coin index use. */
import { open } from 'lmdb'
import { type Table, tables } from '../server/src/coins/index/kv.ts'

/** Bytes of the pages that each table uses, without free pages. */
export async function usedBytes(path: string): Promise<Map<Table, number>> {
  const root = open({ path, readOnly: true, maxDbs: tables.length + 2 })
  const used = new Map<Table, number>()
  for (const table of tables) {
    const stats = root.openDB(table, {}).getStats() as Record<string, number>
    const pages =
      (stats['treeBranchPageCount'] ?? 0) + (stats['treeLeafPageCount'] ?? 0) + (stats['overflowPages'] ?? 0)
    used.set(table, pages * (stats['pageSize'] ?? 4_096))
  }
  await root.close()
  return used
}
