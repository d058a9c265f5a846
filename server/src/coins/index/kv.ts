/**
 * The key-value store interface of the coin index.
 *
 * Keys are byte strings in byte order. A write is atomic and sees its own changes. A snapshot does not change while
 * others write. `testing/coins/kv-conformance.ts` tests every implementation.
 */

/** The tables of the index. docs/schema.md describes each one byte by byte. */
export const tables = [
  'meta',
  'blocks',
  'hashes',
  'txs',
  'coins',
  'scriptCoins',
  'coinRuns',
  'recentHistory',
  'recentTxids',
  'historyRuns',
  'txidRuns',
  'runTotals',
  'undo',
] as const

export type Table = (typeof tables)[number]

export type KvRow = { readonly key: Buffer; readonly value: Buffer }

export type KvRange = {
  readonly gte?: Buffer
  readonly lt?: Buffer
  readonly reverse?: boolean
  readonly limit?: number
}

export type KvReader = {
  readonly get: (table: Table, key: Buffer) => Buffer | undefined
  readonly getMany: (table: Table, keys: readonly Buffer[]) => (Buffer | undefined)[]
  /** Rows from `gte` (inclusive) to `lt` (exclusive) in ascending order; with `reverse` in descending order. */
  readonly range: (table: Table, range: KvRange) => Iterable<KvRow>
}

/** A consistent state of the store. Closing it twice is allowed. */
export type KvSnapshot = KvReader & { readonly close: () => void }

export type KvWriter = KvReader & {
  readonly put: (table: Table, key: Buffer, value: Buffer) => void
  /** Writes the row unless the key exists. Returns whether it wrote. */
  readonly insert: (table: Table, key: Buffer, value: Buffer) => boolean
  /** Returns whether the key existed. */
  readonly delete: (table: Table, key: Buffer) => boolean
}

export type Kv = {
  readonly snapshot: () => KvSnapshot
  /**
   * Commits one atomic, durable change. If `change` throws, nothing is written. `change` must read through the writer
   * only, not through a snapshot.
   */
  readonly write: <T>(change: (writer: KvWriter) => T) => T
  readonly close: () => Promise<void>
}

/** Runs `read` on a snapshot. */
export function withSnapshot<T>(kv: Kv, read: (reader: KvReader) => T): T {
  const snapshot = kv.snapshot()
  try {
    return read(snapshot)
  } finally {
    snapshot.close()
  }
}

/** Runs an asynchronous `read` on one snapshot. */
export async function withSnapshotAsync<T>(kv: Kv, read: (reader: KvReader) => Promise<T>): Promise<T> {
  const snapshot = kv.snapshot()
  try {
    return await read(snapshot)
  } finally {
    snapshot.close()
  }
}

/** Returns the first key after all keys with this prefix; undefined if there is none. */
export function prefixEnd(prefix: Buffer): Buffer | undefined {
  const end = Buffer.from(prefix)
  for (let i = end.length - 1; i >= 0; i--) {
    const byte = end[i] ?? 0
    if (byte < 0xff) {
      end[i] = byte + 1
      return end.subarray(0, i + 1)
    }
  }
  return undefined
}

export function prefixRange(prefix: Buffer): KvRange {
  const lt = prefixEnd(prefix)
  return lt === undefined ? { gte: prefix } : { gte: prefix, lt }
}
