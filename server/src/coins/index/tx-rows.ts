/**
 * The table `txs`: number of a transaction → its id, its block and its place in the block's bytes.
 *
 * A row holds up to 118 neighbours of one block, because 118 ids with their sizes fill one page of the store.
 */
import { RowReader, RowWriter } from './bytes.ts'
import type { KvReader, KvWriter } from './kv.ts'
import { TXNUM_SIZE, txnumKey } from './layout.ts'

const PER_ROW = 118
const HEAD = 14

export type TxPlace = {
  readonly txid: Buffer
  readonly height: number
  /** Place among the block's transactions; 0 is the coinbase. */
  readonly index: number
  /** Place among the block's bytes. */
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

/** Keys of the rows of a block, to delete them. */
export function txRowKeys(firstTxnum: number, count: number): Buffer[] {
  const keys: Buffer[] = []
  for (let first = 0; first < count; first += PER_ROW) keys.push(txnumKey(firstTxnum + first))
  return keys
}

export function findTxPlace(reader: KvReader, txnum: number): TxPlace | undefined {
  const [found] = reader.range('txs', { lt: txnumKey(txnum + 1), reverse: true, limit: 1 })
  if (found === undefined) return undefined
  const { value } = found
  const at = txnum - found.key.readUIntBE(0, TXNUM_SIZE)
  const count = value.readUInt16BE(12)
  if (at >= count) return undefined
  const sizes = new RowReader(value, HEAD + count * 32)
  let offset = value.readUInt32BE(8)
  for (let i = 0; i < at; i++) offset += sizes.varint()
  return {
    txid: value.subarray(HEAD + at * 32, HEAD + (at + 1) * 32),
    height: value.readUInt32BE(0),
    index: value.readUInt32BE(4) + at,
    offset,
    size: sizes.varint(),
  }
}

/** Finds ids and heights of many transactions; fast where neighbours are asked for one after the other. */
export function txidFinder(
  reader: KvReader,
): (txnum: number) => { readonly txid: Buffer; readonly height: number } | undefined {
  let first = 0
  let row = Buffer.alloc(0)
  let count = 0
  return (txnum) => {
    if (txnum < first || txnum >= first + count) {
      const [found] = reader.range('txs', { lt: txnumKey(txnum + 1), reverse: true, limit: 1 })
      if (found === undefined) return undefined
      first = found.key.readUIntBE(0, TXNUM_SIZE)
      // A store may use the buffer of a value again for the next one.
      row = Buffer.from(found.value)
      count = row.readUInt16BE(12)
      if (txnum >= first + count) return undefined
    }
    const at = HEAD + (txnum - first) * 32
    return { txid: row.subarray(at, at + 32), height: row.readUInt32BE(0) }
  }
}

/** All ids of a block, 32 bytes each. */
export function readBlockTxids(reader: KvReader, firstTxnum: number, count: number): Buffer {
  const parts: Buffer[] = []
  for (const { value } of reader.range('txs', { gte: txnumKey(firstTxnum), lt: txnumKey(firstTxnum + count) })) {
    parts.push(value.subarray(HEAD, HEAD + value.readUInt16BE(12) * 32))
  }
  return Buffer.concat(parts)
}
