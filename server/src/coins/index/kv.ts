/**
 * The small key-value interface the coin index stands on.
 *
 * Owns the promises: keys are byte strings in byte order, `write` is all or nothing and sees its own changes, and a
 * snapshot stays as it was while others write. `testing/coins/kv-conformance.ts` holds every engine to them.
 * Knows nothing of coins.
 */

/** Every table of the index. docs/schema.md draws each one byte by byte. */
export const tables = [
  'meta',
  'blocks',
  'hashes',
  'txs',
  'coins',
  'scriptCoins',
  'recentHistory',
  'recentTxids',
  'historyRuns',
  'txidRuns',
  'heavy',
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
  /** Ascending from `gte` to before `lt`; with `reverse` the same rows the other way round. */
  readonly range: (table: Table, range: KvRange) => Iterable<KvRow>
}

/** May be closed twice. */
export type KvSnapshot = KvReader & { readonly close: () => void }

export type KvWriter = KvReader & {
  readonly put: (table: Table, key: Buffer, value: Buffer) => void
  /** Writes unless the key is there; answers whether it wrote. */
  readonly insert: (table: Table, key: Buffer, value: Buffer) => boolean
  /** Answers whether the key was there. */
  readonly delete: (table: Table, key: Buffer) => boolean
}

export type Kv = {
  readonly snapshot: () => KvSnapshot
  /**
   * One atomic, durable change. Whatever `change` throws leaves nothing behind. Inside, only the writer is read: an
   * engine need not keep older states apart there.
   */
  readonly write: <T>(change: (writer: KvWriter) => T) => T
  readonly close: () => Promise<void>
}

/** Runs `read` against one state of the store. */
export function withSnapshot<T>(kv: Kv, read: (reader: KvReader) => T): T {
  const snapshot = kv.snapshot()
  try {
    return read(snapshot)
  } finally {
    snapshot.close()
  }
}

/** The same for what takes long enough to let others in between: the state stays the one it began with. */
export async function withSnapshotAsync<T>(kv: Kv, read: (reader: KvReader) => Promise<T>): Promise<T> {
  const snapshot = kv.snapshot()
  try {
    return await read(snapshot)
  } finally {
    snapshot.close()
  }
}

/** The first key after every key that starts with `prefix`; undefined when there is none. */
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
