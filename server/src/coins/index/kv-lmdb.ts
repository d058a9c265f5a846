/**
 * The key-value store on LMDB: one memory-mapped file, many reading processes, one writer.
 *
 * Chosen for its read speed and its atomic commits: after a crash at any point the file contains the last commit.
 * A key after all others is written in append mode, which fills pages completely; the index writes most of its rows in
 * that order.
 */
import { statfsSync } from 'node:fs'
import { type Database, open, type RangeIterable, type Transaction } from 'lmdb'
import { makeFolders } from '../../lib/folders.ts'
import { IndexWriteError } from './index-errors.ts'
import type { Kv, KvRange, KvReader, KvRow, KvWriter, Table } from './kv.ts'
import { tables } from './kv.ts'

/**
 * Reserved address space, not memory or disk: more than any chain's index needs, so that the map never has to be resized
 * while other processes read.
 */
const ADDRESS_SPACE = 2 ** 40

type Store = Database<Buffer, Buffer>

const binary = { encoding: 'binary', keyEncoding: 'binary' } as const
const APPEND = { append: true }
const NO_OVERWRITE = { noOverwrite: true }

export type LmdbOptions = {
  /** A folder, created if missing. */
  readonly path: string
  /** Open an existing store that another process writes. */
  readonly readOnly?: boolean
  /** Do not flush commits to disk: faster, for tests only. */
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

  /** Returns whether `key` is after all keys of the table, and records it as the new last key. */
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
      // The declared type is void, but the native call returns whether it wrote.
      return (storeOf(table).putSync(key, value, NO_OVERWRITE) as unknown) !== false
    },
    delete: (table, key) => {
      // The deleted key may have been the last one, so the next put looks it up again.
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

export function openLmdbKv(options: LmdbOptions): Kv {
  const { path, readOnly = false, noSync = false } = options
  if (!readOnly) makeFolders(path)
  const root = open<Buffer, Buffer>({
    path,
    ...binary,
    maxDbs: tables.length + 2,
    maxReaders: 512,
    readOnly,
    noSync,
    // A commit returns only after it is on disk, so nothing is pending when the process is killed.
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
      // Otherwise the thread's cached read transaction may be older than the last commit of another process.
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
        // Errors of LMDB have a numeric code. On a full disk it is EIO, because the write was partial.
        if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') throw error
        throw new IndexWriteError(path, findFreeBytes(path), error)
      }
    },
    close: () => root.close(),
  }
}
