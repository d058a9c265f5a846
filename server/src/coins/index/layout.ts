/**
 * Encodes and decodes the keys and rows of the index. docs/schema.md describes the same bytes.
 *
 * Every transaction has a number (`txnum`): its position in the chain. A script is identified by its script key, the
 * first ten bytes of its SHA-256. Keys sort, so a range yields the coins of an address by value and its history by age.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { readAmount, writeAmount } from './row-bytes.ts'

export const FORMAT_VERSION = 5

export const TXNUM_SIZE = 5
export const TXID_PREFIX_SIZE = 8
/** More than the outputs of any block that the weight limit allows. */
export const MAX_VOUT = 2 ** 20 - 1
/** The longest key of a script's coin. */
export const MAX_SCRIPT_COIN_KEY = SCRIPT_KEY_SIZE + 7 + TXNUM_SIZE + 3
export const HISTORY_KEY_SIZE = SCRIPT_KEY_SIZE + TXNUM_SIZE

export const metaKeys = {
  identity: Buffer.from('identity'),
  tip: Buffer.from('tip'),
  runs: Buffer.from('runs'),
  recent: Buffer.from('recent'),
  coinLog: Buffer.from('coinLog'),
} as const

export function heightKey(height: number): Buffer {
  const key = Buffer.allocUnsafe(4)
  key.writeUInt32BE(height)
  return key
}

export function txnumKey(txnum: number): Buffer {
  const key = Buffer.allocUnsafe(TXNUM_SIZE)
  key.writeUIntBE(txnum, 0, TXNUM_SIZE)
  return key
}

/** Half of a block hash: finding two blocks that share it is infeasible. */
export const hashKey = (hash: Buffer): Buffer => hash.subarray(0, 16)

/** Output indexes from here on take three bytes instead of one. Both forms sort by index. */
const LONG_VOUT = 0xf0

const voutSize = (vout: number): number => (vout < LONG_VOUT ? 1 : 3)

function writeVout(bytes: Buffer, vout: number, at: number): void {
  if (vout < LONG_VOUT) bytes[at] = vout
  else bytes.writeUIntBE(LONG_VOUT * 0x1_0000 + vout, at, 3)
}

function readVout(bytes: Buffer, at: number): number {
  const first = bytes[at] as number
  return first < LONG_VOUT ? first : bytes.readUIntBE(at, 3) - LONG_VOUT * 0x1_0000
}

/** Key of an unspent coin. Outpoints whose txids share the prefix share a row, with one entry each. */
export function coinKey(txid: Buffer, txidAt: number, vout: number): Buffer {
  const key = Buffer.allocUnsafe(TXID_PREFIX_SIZE + voutSize(vout))
  txid.copy(key, 0, txidAt, txidAt + TXID_PREFIX_SIZE)
  writeVout(key, vout, TXID_PREFIX_SIZE)
  return key
}

export const voutOfCoinKey = (key: Buffer): number => readVout(key, TXID_PREFIX_SIZE)

export type CoinEntry = { readonly txnum: number; readonly script: Buffer; readonly value: number }

/**
 * Amounts take one to seven bytes: the three highest bits are the number of bytes that follow, so that they sort by
 * amount. With all bits inverted, the largest sorts first.
 */
function amountSize(value: number): number {
  let size = 1
  for (let limit = 0x20; value >= limit; limit *= 0x1_00) size++
  return size
}

function writeSortedAmount(bytes: Buffer, value: number, at: number, size: number, mask: number): void {
  let rest = value
  for (let i = at + size - 1; i > at; i--) {
    bytes[i] = rest ^ mask
    rest = Math.floor(rest / 0x1_00)
  }
  bytes[at] = (((size - 1) << 5) | rest) ^ mask
}

const sortedAmountSize = (bytes: Buffer, at: number, mask: number): number => (((bytes[at] as number) ^ mask) >>> 5) + 1

function readSortedAmount(bytes: Buffer, at: number, size: number, mask: number): number {
  let value = ((bytes[at] as number) ^ mask) & 0x1f
  for (let i = at + 1; i < at + size; i++) value = value * 0x1_00 + ((bytes[i] as number) ^ mask)
  return value
}

export function coinEntry(txnum: number, script: Buffer, scriptAt: number, value: number): Buffer {
  const size = amountSize(value)
  const entry = Buffer.allocUnsafe(TXNUM_SIZE + SCRIPT_KEY_SIZE + size)
  entry.writeUIntBE(txnum, 0, TXNUM_SIZE)
  script.copy(entry, TXNUM_SIZE, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
  writeSortedAmount(entry, value, TXNUM_SIZE + SCRIPT_KEY_SIZE, size, 0)
  return entry
}

export function readCoinEntries(row: Buffer): CoinEntry[] {
  const entries: CoinEntry[] = []
  for (let at = 0; at < row.length; ) {
    const txnum = row.readUIntBE(at, TXNUM_SIZE)
    const script = row.subarray(at + TXNUM_SIZE, at + TXNUM_SIZE + SCRIPT_KEY_SIZE)
    at += TXNUM_SIZE + SCRIPT_KEY_SIZE
    const size = sortedAmountSize(row, at, 0)
    entries.push({ txnum, script, value: readSortedAmount(row, at, size, 0) })
    at += size
  }
  return entries
}

/** Encodes the coins that share a row. */
export const coinRow = (entries: readonly CoinEntry[]): Buffer =>
  Buffer.concat(entries.map(({ txnum, script, value }) => coinEntry(txnum, script, 0, value)))

const INVERTED = 0xff

/** Key of a coin of a script. The most valuable coins sort first. */
export function scriptCoinKey(script: Buffer, scriptAt: number, value: number, txnum: number, vout: number): Buffer {
  const size = amountSize(value)
  const txnumAt = SCRIPT_KEY_SIZE + size
  const key = Buffer.allocUnsafe(txnumAt + TXNUM_SIZE + voutSize(vout))
  script.copy(key, 0, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
  writeSortedAmount(key, value, SCRIPT_KEY_SIZE, size, INVERTED)
  key.writeUIntBE(txnum, txnumAt, TXNUM_SIZE)
  writeVout(key, vout, txnumAt + TXNUM_SIZE)
  return key
}

export function readScriptCoinKey(key: Buffer): {
  readonly value: number
  readonly txnum: number
  readonly vout: number
} {
  const size = sortedAmountSize(key, SCRIPT_KEY_SIZE, INVERTED)
  const txnumAt = SCRIPT_KEY_SIZE + size
  return {
    value: readSortedAmount(key, SCRIPT_KEY_SIZE, size, INVERTED),
    txnum: key.readUIntBE(txnumAt, TXNUM_SIZE),
    vout: readVout(key, txnumAt + TXNUM_SIZE),
  }
}

export function historyKey(script: Buffer, scriptAt: number, txnum: number): Buffer {
  const key = Buffer.allocUnsafe(HISTORY_KEY_SIZE)
  script.copy(key, 0, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
  key.writeUIntBE(txnum, SCRIPT_KEY_SIZE, TXNUM_SIZE)
  return key
}

export function txidKey(txid: Buffer, txidAt: number, txnum: number): Buffer {
  const key = Buffer.allocUnsafe(TXID_PREFIX_SIZE + TXNUM_SIZE)
  txid.copy(key, 0, txidAt, txidAt + TXID_PREFIX_SIZE)
  key.writeUIntBE(txnum, TXID_PREFIX_SIZE, TXNUM_SIZE)
  return key
}

/** What the index stores about a block. `coins` and `amount` are the size and value of the UTXO set after it. */
export type BlockRow = {
  readonly header: Buffer
  readonly hash: Buffer
  readonly firstTxnum: number
  readonly txCount: number
  readonly size: number
  readonly weight: number
  readonly strippedSize: number
  readonly fees: number
  /** What the outputs of the coinbase transaction pay. It can be less than subsidy and fees. */
  readonly coinbaseAmount: number
  /** Fee rates at 10, 25, 50, 75 and 90 percent of the block's weight, smallest unit per virtual byte. */
  readonly feeRates: readonly number[]
  readonly hogEx: boolean
  /** Balance of the MWEB extension block after this block. */
  readonly mwebAmount: number
  readonly coins: number
  readonly amount: number
}

const BLOCK_ROW_SIZE = 212

export function blockRow(row: BlockRow): Buffer {
  const bytes = Buffer.allocUnsafe(BLOCK_ROW_SIZE)
  row.header.copy(bytes, 0)
  row.hash.copy(bytes, 80)
  bytes.writeUIntBE(row.firstTxnum, 112, TXNUM_SIZE)
  bytes.writeUInt32BE(row.txCount, 117)
  bytes.writeUInt32BE(row.size, 121)
  bytes.writeUInt32BE(row.weight, 125)
  bytes.writeUInt32BE(row.strippedSize, 129)
  writeAmount(bytes, row.fees, 133)
  for (let i = 0; i < 5; i++) bytes.writeDoubleBE(row.feeRates[i] ?? 0, 141 + i * 8)
  bytes[181] = row.hogEx ? 1 : 0
  writeAmount(bytes, row.mwebAmount, 182)
  bytes.writeUIntBE(row.coins, 190, 6)
  writeAmount(bytes, row.amount, 196)
  writeAmount(bytes, row.coinbaseAmount, 204)
  return bytes
}

export function readBlockRow(bytes: Buffer): BlockRow {
  return {
    header: bytes.subarray(0, 80),
    hash: bytes.subarray(80, 112),
    firstTxnum: bytes.readUIntBE(112, TXNUM_SIZE),
    txCount: bytes.readUInt32BE(117),
    size: bytes.readUInt32BE(121),
    weight: bytes.readUInt32BE(125),
    strippedSize: bytes.readUInt32BE(129),
    fees: readAmount(bytes, 133),
    feeRates: Array.from({ length: 5 }, (_, i) => bytes.readDoubleBE(141 + i * 8)),
    hogEx: bytes[181] === 1,
    mwebAmount: readAmount(bytes, 182),
    coins: bytes.readUIntBE(190, 6),
    amount: readAmount(bytes, 196),
    coinbaseAmount: readAmount(bytes, 204),
  }
}
