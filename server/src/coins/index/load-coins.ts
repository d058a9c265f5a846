/**
 * Ends an initial sync: appends all coins of the log to the B-trees `coins` and `scriptCoins`, in the order of their keys,
 * so that every page is written once and full.
 *
 * Takes many commits. An interrupted load continues after the last key of each table.
 */
import { setImmediate } from 'node:timers/promises'
import { sortByPrefixes } from '../parse/columns.ts'
import type { CoinIndex } from './coin-index.ts'
import { CoinLog, deleteUnusedCoinPages, hasCoinLog } from './coin-log.ts'
import { CoinRunReader } from './coin-run.ts'
import { type Kv, type KvReader, type Table, withSnapshot } from './kv.ts'
import { coinEntry, coinKey, MAX_SCRIPT_COIN_KEY, metaKeys, scriptCoinKey, TXID_PREFIX_SIZE } from './layout.ts'

const ROWS_PER_COMMIT = 200_000
/** Coins that are sorted by script at a time: about 400 MB. */
const COINS_PER_PASS = 8_000_000

/** Whether a load was interrupted: some coins are in the tables, and all of them still in the log. */
export const isLoadingCoins = (reader: KvReader): boolean =>
  hasCoinLog(reader) && [...reader.range('coins', { limit: 1 })].length > 0

/** Loads the coins of the log, if the index has one. A load that the signal ends continues at the next call. */
export async function loadCoins(
  { kv, limits }: CoinIndex,
  { coinsPerPass = COINS_PER_PASS, signal }: { readonly coinsPerPass?: number; readonly signal?: AbortSignal } = {},
): Promise<void> {
  if (!withSnapshot(kv, hasCoinLog)) return
  const run = new CoinLog(kv, limits.mergeWidth).mergeAll()
  if (run !== undefined) {
    const counts = await loadByOutpoint(kv, run, signal)
    await loadByScript(kv, run, counts, coinsPerPass, signal)
    if (signal?.aborted === true) return
  }
  kv.write((writer) => writer.delete('meta', metaKeys.coinLog))
  deleteUnusedCoinPages(kv)
}

/** Collects rows with ascending keys and appends them to a table. Skips those that an interrupted load has written. */
class TableLoader {
  readonly #kv: Kv
  readonly #table: Table
  readonly #after: Buffer
  #rows: [Buffer, Buffer][] = []

  constructor(kv: Kv, table: Table) {
    this.#kv = kv
    this.#table = table
    const [last] = withSnapshot(kv, (reader) => [...reader.range(table, { reverse: true, limit: 1 })])
    this.#after = Buffer.from(last?.key ?? Buffer.alloc(0))
  }

  put(key: Buffer, value: Buffer): void {
    if (key.compare(this.#after) <= 0) return
    this.#rows.push([key, value])
  }

  get isFull(): boolean {
    return this.#rows.length >= ROWS_PER_COMMIT
  }

  async flush(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    if (rows.length === 0) return
    this.#kv.write((writer) => {
      for (const [key, value] of rows) writer.put(this.#table, key, value)
    })
    // Lets a signal arrive.
    await setImmediate()
  }
}

/** Loads the table `coins`. Returns the number of coins by the first two bytes of their scripts. */
async function loadByOutpoint(kv: Kv, run: number, signal: AbortSignal | undefined): Promise<Uint32Array> {
  const counts = new Uint32Array(0x1_0000)
  const loader = new TableLoader(kv, 'coins')
  const snapshot = kv.snapshot()
  try {
    const source = new CoinRunReader(snapshot, run)
    const prefixBytes = Buffer.alloc(TXID_PREFIX_SIZE)
    let key: Buffer = Buffer.alloc(0)
    let value: Buffer = Buffer.alloc(0)
    while (source.next()) {
      const { high, low, vout, txnum, bytes, scriptAt, value: amount } = source.record
      const prefix = bytes.readUInt16BE(scriptAt)
      counts[prefix] = (counts[prefix] as number) + 1
      prefixBytes.writeUInt32BE(high)
      prefixBytes.writeUInt32BE(low, 4)
      const next = coinKey(prefixBytes, 0, vout)
      const entry = coinEntry(txnum, bytes, scriptAt, amount)
      if (next.equals(key)) {
        // Txids that share the prefix share the row, in the order of their transaction numbers.
        value = Buffer.concat([value, entry])
        continue
      }
      if (key.length > 0) loader.put(key, value)
      if (loader.isFull) await loader.flush()
      if (signal?.aborted === true) return counts
      key = next
      value = entry
    }
    if (key.length > 0) loader.put(key, value)
    await loader.flush()
  } finally {
    snapshot.close()
  }
  return counts
}

/** Loads the table `scriptCoins`: reads the run once for each range of scripts that fits into memory. */
async function loadByScript(
  kv: Kv,
  run: number,
  counts: Uint32Array,
  coinsPerPass: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const loader = new TableLoader(kv, 'scriptCoins')
  for (let from = 0; from < counts.length; ) {
    if (signal?.aborted === true) return
    let total = counts[from] as number
    let to = from + 1
    while (to < counts.length && total + (counts[to] as number) <= coinsPerPass) total += counts[to++] as number
    if (total > 0) await loadRange(kv, run, loader, { from, to, total }, signal)
    from = to
  }
}

async function loadRange(
  kv: Kv,
  run: number,
  loader: TableLoader,
  { from, to, total }: { readonly from: number; readonly to: number; readonly total: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const keys = Buffer.allocUnsafe(total * MAX_SCRIPT_COIN_KEY)
  const sizes = new Uint8Array(total)
  const prefixes = new Uint32Array(total)
  let count = 0
  const snapshot = kv.snapshot()
  try {
    const source = new CoinRunReader(snapshot, run)
    while (source.next()) {
      const { txnum, vout, bytes, scriptAt, value } = source.record
      const prefix = bytes.readUInt16BE(scriptAt)
      if (prefix < from || prefix >= to) continue
      sizes[count] = scriptCoinKey(bytes, scriptAt, value, txnum, vout).copy(keys, count * MAX_SCRIPT_COIN_KEY)
      prefixes[count++] = bytes.readUInt32BE(scriptAt)
    }
  } finally {
    snapshot.close()
  }
  const at = (row: number): number => row * MAX_SCRIPT_COIN_KEY
  const end = (row: number): number => at(row) + (sizes[row] as number)
  const compare = (a: number, b: number): number => keys.compare(keys, at(b), end(b), at(a), end(a))
  const empty = Buffer.alloc(0)
  for (const row of sortByPrefixes(prefixes, compare)) {
    loader.put(keys.subarray(at(row), end(row)), empty)
    if (loader.isFull) await loader.flush()
    if (signal?.aborted === true) return
  }
  await loader.flush()
}
