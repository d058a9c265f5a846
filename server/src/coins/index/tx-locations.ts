/**
 * The table `txs`: maps a transaction number to its txid, its block and its location in the block's bytes.
 *
 * A row holds up to 118 consecutive transactions of one block: 118 txids with their sizes fill one LMDB page.
 */
import type { KvReader, KvWriter } from './kv.ts'
import { TXNUM_SIZE, txnumKey } from './layout.ts'
import { RowReader, RowWriter } from './row-bytes.ts'

const PER_ROW = 118
const HEAD = 14

export type TxLocation = {
  readonly txid: Buffer
  readonly height: number
  /** Index in the block; 0 is the coinbase. */
  readonly index: number
  /** Byte offset in the block. */
  readonly offset: number
  readonly size: number
}

const row = new RowWriter(4096)

export function putTxRows(
  writer: KvWriter,
  block: {
    readonly height: number
    readonly firstTxnum: number
    readonly txids: Buffer
    readonly starts: ArrayLike<number>
    readonly ends: ArrayLike<number>
  },
): void {
  const count = block.starts.length
  for (let first = 0; first < count; first += PER_ROW) {
    const end = Math.min(count, first + PER_ROW)
    row.uint(block.height, 4)
    row.uint(first, 4)
    row.uint(block.starts[first] as number, 4)
    row.uint(end - first, 2)
    row.slice(block.txids, first * 32, end * 32)
    for (let i = first; i < end; i++) row.varint((block.ends[i] as number) - (block.starts[i] as number))
    writer.put('txs', txnumKey(block.firstTxnum + first), row.take())
  }
}

/** Returns the keys of a block's rows. */
export function txRowKeys(firstTxnum: number, count: number): Buffer[] {
  const keys: Buffer[] = []
  for (let first = 0; first < count; first += PER_ROW) keys.push(txnumKey(firstTxnum + first))
  return keys
}

/** A row and the number of its first transaction. */
type TxRow = { readonly first: number; readonly count: number; readonly value: Buffer }

/** Finds rows by transaction number. Caches the last row, because callers often read consecutive transactions. */
function rowFinder(reader: KvReader): (txnum: number) => TxRow | undefined {
  let row: TxRow = { first: 0, count: 0, value: Buffer.alloc(0) }
  return (txnum) => {
    if (txnum < row.first || txnum >= row.first + row.count) {
      const [found] = reader.range('txs', { lt: txnumKey(txnum + 1), reverse: true, limit: 1 })
      if (found === undefined) return undefined
      const { key, value } = found
      row = { first: key.readUIntBE(0, TXNUM_SIZE), count: value.readUInt16BE(12), value }
    }
    return txnum < row.first + row.count ? row : undefined
  }
}

const txidAt = ({ value }: TxRow, at: number): Buffer => value.subarray(HEAD + at * 32, HEAD + (at + 1) * 32)

/** Returns a function that finds locations of many transactions, fast for consecutive ones. */
export function locationFinder(reader: KvReader): (txnum: number) => TxLocation | undefined {
  const findRow = rowFinder(reader)
  return (txnum) => {
    const row = findRow(txnum)
    if (row === undefined) return undefined
    const { value, count } = row
    const at = txnum - row.first
    const sizes = new RowReader(value, HEAD + count * 32)
    let offset = value.readUInt32BE(8)
    for (let i = 0; i < at; i++) offset += sizes.varint()
    return {
      txid: txidAt(row, at),
      height: value.readUInt32BE(0),
      index: value.readUInt32BE(4) + at,
      offset,
      size: sizes.varint(),
    }
  }
}

export const findTxLocation = (reader: KvReader, txnum: number): TxLocation | undefined => locationFinder(reader)(txnum)

/** Like `locationFinder`, but for txids and heights only, which saves adding up the sizes in the row. */
export function txidFinder(
  reader: KvReader,
): (txnum: number) => { readonly txid: Buffer; readonly height: number } | undefined {
  const findRow = rowFinder(reader)
  return (txnum) => {
    const row = findRow(txnum)
    return row === undefined ? undefined : { txid: txidAt(row, txnum - row.first), height: row.value.readUInt32BE(0) }
  }
}

/** Reads all txids of a block, 32 bytes each. */
export function readBlockTxids(reader: KvReader, firstTxnum: number, count: number): Buffer {
  const parts: Buffer[] = []
  for (const { value } of reader.range('txs', { gte: txnumKey(firstTxnum), lt: txnumKey(firstTxnum + count) })) {
    parts.push(value.subarray(HEAD, HEAD + value.readUInt16BE(12) * 32))
  }
  return Buffer.concat(parts)
}
