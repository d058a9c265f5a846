/**
 * The key-value interface on LMDB: one memory-mapped file, many reading processes, one writer.
 *
 * Chosen for its reads (docs/coin-index.md has the figures) and for a commit that is a pointer swap: after a crash at
 * any point the file holds the last commit. Keys inserted in ascending order behind the last one are appended, which
 * fills pages to the brim; the index arranges its bulk so that most are.
 */
import { existsSync, mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RangeIterable, type Transaction } from 'lmdb'
import { IndexWriteError } from './index-errors.ts'
import type { Kv, KvRange, KvReader, KvRow, KvWriter, Table } from './kv.ts'
import { tables } from './kv.ts'

/**
 * Addresses reserved, not memory or disk: more than any chain's index will need, so that the file never has to be
 * mapped anew under the feet of readers in other processes.
 */
const ADDRESS_SPACE = 2 ** 40

type Store = Database<Buffer, Buffer>

const binary = { encoding: 'binary', keyEncoding: 'binary' } as const
const APPEND = { append: true }
const NO_OVERWRITE = { noOverwrite: true }

export type LmdbOptions = {
  /** A folder; made when missing. */
  readonly path: string
  /** Another process writes; this one opens what is there. */
  readonly readOnly?: boolean
  /** Trades durability of the last commits for speed, for tests on throw-away stores. */
  readonly noSync?: boolean
}

function rangeOptions(range: KvRange, transaction: Transaction | undefined): Record<string, unknown> {
  const { gte, lt, reverse = false, limit } = range
  const options: Record<string, unknown> = reverse
    ? { start: lt, end: gte, reverse, exclusiveStart: true, inclusiveEnd: true }
    : { start: gte, end: lt }
  if (limit !== undefined) options['limit'] = limit
  if (transaction !== undefined) options['transaction'] = transaction
  return options
}

function readerOf(storeOf: (table: Table) => Store, transaction?: Transaction): KvReader {
  const options = transaction === undefined ? undefined : { transaction }
  const get = (table: Table, key: Buffer): Buffer | undefined => storeOf(table).get(key, options)
  return {
    get,
    getMany: (table, keys) => keys.map((key) => get(table, key)),
    range: (table, range): RangeIterable<KvRow> => storeOf(table).getRange(rangeOptions(range, transaction)),
  }
}

function writerOf(storeOf: (table: Table) => Store): KvWriter {
  const lastKeys = new Map<Table, Buffer>()
  const reader = readerOf(storeOf)

  /** Whether `key` comes after all keys of the table; remembers it if so. */
  function isLast(table: Table, key: Buffer): boolean {
    let last = lastKeys.get(table)
    if (last === undefined) {
      const [row] = reader.range(table, { reverse: true, limit: 1 })
      last = row?.key ?? Buffer.alloc(0)
      lastKeys.set(table, last)
    }
    if (key.compare(last) <= 0) return false
    lastKeys.set(table, key)
    return true
  }

  return {
    ...reader,
    put: (table, key, value) => {
      if (isLast(table, key)) storeOf(table).putSync(key, value, APPEND)
      else storeOf(table).putSync(key, value)
    },
    insert: (table, key, value) => {
      if (isLast(table, key)) {
        storeOf(table).putSync(key, value, APPEND)
        return true
      }
      // The declared result is void, but the native call tells whether it wrote.
      return (storeOf(table).putSync(key, value, NO_OVERWRITE) as unknown) !== false
    },
    delete: (table, key) => {
      // The deleted key may have been the last one; the next put asks again.
      lastKeys.delete(table)
      return storeOf(table).removeSync(key)
    },
  }
}

function findFreeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return undefined
  }
}

/** Whether somebody has made a store there: one that is only read is not made. */
export const lmdbExists = (path: string): boolean => existsSync(join(path, 'data.mdb'))

export function openLmdbKv(options: LmdbOptions): Kv {
  const { path, readOnly = false, noSync = false } = options
  if (!readOnly) mkdirSync(path, { recursive: true })
  const root = open<Buffer, Buffer>({
    path,
    ...binary,
    maxDbs: tables.length + 2,
    maxReaders: 512,
    readOnly,
    noSync,
    // Without it a commit returns only when it is on disk, and nothing is pending when the process dies.
    overlappingSync: false,
    mapSize: ADDRESS_SPACE,
  })
  const stores = new Map<Table, Store>(tables.map((table) => [table, root.openDB(table, binary)]))
  const storeOf = (table: Table): Store => {
    const store = stores.get(table)
    if (store === undefined) throw new RangeError(`no table ${table}`)
    return store
  }

  return {
    snapshot: () => {
      // Without this the thread's cached transaction may be older than the last commit of another process.
      root.resetReadTxn()
      const transaction = root.useReadTransaction()
      let isOpen = true
      const close = (): void => {
        if (isOpen) transaction.done()
        isOpen = false
      }
      return { ...readerOf(storeOf, transaction), close }
    },
    write: <T>(change: (writer: KvWriter) => T): T => {
      try {
        return root.transactionSync(() => change(writerOf(storeOf)))
      } catch (error) {
        // LMDB's own errors carry the system's number; on a full disk that is EIO, because half a page went in.
        if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') throw error
        throw new IndexWriteError(path, findFreeBytes(path), error)
      }
    },
    close: () => root.close(),
  }
}
