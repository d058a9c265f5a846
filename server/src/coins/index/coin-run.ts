/**
 * A run of the coin log: numbered pages in the store, and what the writer keeps in memory to find a coin with one read:
 * the first outpoint of every page, and a Bloom filter of all outpoints (about 12 bits each).
 */
import { Float64Column } from '../parse/columns.ts'
import { CoinPageReader, CoinPageWriter, type CoinRecord } from './coin-page.ts'
import type { KvReader, KvRow } from './kv.ts'
import { prefixRange } from './kv.ts'

export type CoinRun = {
  readonly id: number
  /** As of sorted runs. */
  readonly level: number
  readonly records: number
}

/** The first 53 bits of a txid, which a number holds exactly. */
const positionOf = (high: number, low: number): number => high * 0x20_0000 + (low >>> 11)

export function coinRunKey(id: number, page: number): Buffer {
  const key = Buffer.allocUnsafe(8)
  key.writeUInt32BE(id)
  key.writeUInt32BE(page, 4)
  return key
}

/** Answers whether a run may contain an outpoint. About one in fifty answers is a false yes. */
class OutpointFilter {
  readonly #words: Uint32Array
  readonly #mask: number

  constructor(records: number) {
    let bits = 1_024
    while (bits < records * 8 && bits < 2 ** 31) bits *= 2
    this.#words = new Uint32Array(bits / 32)
    this.#mask = bits - 1
  }

  add(high: number, low: number, vout: number): void {
    const words = this.#words
    const first = (high ^ Math.imul(vout, 0x9e37_79b1)) & this.#mask
    const second = (low ^ Math.imul(vout, 0x85eb_ca6b)) & this.#mask
    const third = (first + Math.imul(second, 0xc2b2_ae35)) & this.#mask
    words[first >>> 5] = (words[first >>> 5] as number) | (1 << (first & 31))
    words[second >>> 5] = (words[second >>> 5] as number) | (1 << (second & 31))
    words[third >>> 5] = (words[third >>> 5] as number) | (1 << (third & 31))
  }

  has(high: number, low: number, vout: number): boolean {
    const words = this.#words
    const first = (high ^ Math.imul(vout, 0x9e37_79b1)) & this.#mask
    if (((words[first >>> 5] as number) & (1 << (first & 31))) === 0) return false
    const second = (low ^ Math.imul(vout, 0x85eb_ca6b)) & this.#mask
    if (((words[second >>> 5] as number) & (1 << (second & 31))) === 0) return false
    const third = (first + Math.imul(second, 0xc2b2_ae35)) & this.#mask
    return ((words[third >>> 5] as number) & (1 << (third & 31))) !== 0
  }
}

/** Where the records of a run are, in memory. */
export class CoinRunIndex {
  readonly id: number
  readonly level: number
  #records = 0
  readonly #filter: OutpointFilter
  readonly #positions = new Float64Column()
  readonly #page = new CoinPageReader()

  constructor(id: number, level: number, expected: number) {
    this.id = id
    this.level = level
    this.#filter = new OutpointFilter(expected)
  }

  get run(): CoinRun {
    return { id: this.id, level: this.level, records: this.#records }
  }

  get pages(): number {
    return this.#positions.length
  }

  addPage(high: number, low: number): void {
    this.#positions.push(positionOf(high, low))
  }

  add(high: number, low: number, vout: number): void {
    this.#filter.add(high, low, vout)
    this.#records++
  }

  /** Calls `take` with the records of an outpoint. */
  find(reader: KvReader, high: number, low: number, vout: number, take: (record: CoinRecord) => void): void {
    if (!this.#filter.has(high, low, vout)) return
    const position = positionOf(high, low)
    for (let page = this.#firstPage(position); page < this.pages && this.#positions.at(page) <= position; page++) {
      const bytes = reader.get('coinRuns', coinRunKey(this.id, page))
      if (bytes === undefined) throw new RangeError(`page ${page} of coin run ${this.id} is missing`)
      const record = this.#page.open(bytes)
      while (record.next()) {
        if (record.high > high || (record.high === high && record.low > low)) return
        if (record.high === high && record.low === low && record.vout === vout) take(record)
      }
    }
  }

  /** Returns the last page that begins before a position: the first that may contain it. */
  #firstPage(position: number): number {
    let low = 0
    let high = this.pages
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#positions.at(middle) < position) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}

/** Writes sorted records as pages of a run, and builds its index. */
export class CoinRunWriter {
  readonly index: CoinRunIndex
  readonly #put: (key: Buffer, page: Buffer) => void
  readonly #page = new CoinPageWriter()

  constructor(put: (key: Buffer, page: Buffer) => void, id: number, level: number, expected: number) {
    this.#put = put
    this.index = new CoinRunIndex(id, level, expected)
  }

  add(record: CoinRecord): void {
    if (this.#page.count === 0) this.index.addPage(record.high, record.low)
    this.#page.add(record)
    this.index.add(record.high, record.low, record.vout)
    if (this.#page.isFull) this.#flush()
  }

  #flush(): void {
    this.#put(coinRunKey(this.index.id, this.index.pages - 1), this.#page.take())
  }

  finish(): CoinRunIndex {
    if (this.#page.count > 0) this.#flush()
    return this.index
  }
}

/** Reads the records of a run in order. The fields of `record` are those of the current one, after `next` returned true. */
export class CoinRunReader {
  readonly record = new CoinPageReader()
  readonly #rows: Iterator<KvRow>

  constructor(reader: KvReader, id: number) {
    const prefix = Buffer.allocUnsafe(4)
    prefix.writeUInt32BE(id)
    this.#rows = reader.range('coinRuns', prefixRange(prefix))[Symbol.iterator]()
  }

  next(): boolean {
    while (!this.record.next()) {
      const row = this.#rows.next()
      if (row.done === true) return false
      this.record.open(row.value.value)
    }
    return true
  }

  close(): void {
    this.#rows.return?.()
  }
}

/** Reads the index of a run back from its pages. */
export function readCoinRunIndex(reader: KvReader, { id, level, records }: CoinRun): CoinRunIndex {
  const index = new CoinRunIndex(id, level, records)
  const source = new CoinRunReader(reader, id)
  let page: Buffer | undefined
  while (source.next()) {
    const { record } = source
    if (record.bytes !== page) index.addPage(record.high, record.low)
    page = record.bytes
    index.add(record.high, record.low, record.vout)
  }
  return index
}
