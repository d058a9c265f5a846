/**
 * Encodes and decodes the keys and rows of the index. docs/schema.md describes the same bytes.
 *
 * Every transaction has a number (`txnum`): its position in the chain. A script is identified by its script key, the
 * first ten bytes of its SHA-256. Keys sort, so a range yields the coins of an address by value and its history by age.
 */
import { SCRIPT_KEY_SIZE } from '../parse/script.ts'
import { readAmount, writeAmount } from './row-bytes.ts'

export const FORMAT_VERSION = 4

export const TXNUM_SIZE = 5
export const TXID_PREFIX_SIZE = 8
export const VOUT_SIZE = 3
export const MAX_VOUT = 2 ** (8 * VOUT_SIZE) - 1
export const COIN_KEY_SIZE = TXID_PREFIX_SIZE + VOUT_SIZE
/** Transaction number, script key, amount. */
export const COIN_ENTRY_SIZE = TXNUM_SIZE + SCRIPT_KEY_SIZE + 7
export const SCRIPT_COIN_KEY_SIZE = SCRIPT_KEY_SIZE + 7 + TXNUM_SIZE + VOUT_SIZE
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

/** Key of an unspent coin. Outpoints whose txids share the prefix share a row, with one entry each. */
export function coinKey(txid: Buffer, txidAt: number, vout: number): Buffer {
  const key = Buffer.allocUnsafe(COIN_KEY_SIZE)
  txid.copy(key, 0, txidAt, txidAt + TXID_PREFIX_SIZE)
  key.writeUIntBE(vout, TXID_PREFIX_SIZE, VOUT_SIZE)
  return key
}

export type CoinEntry = { readonly txnum: number; readonly script: Buffer; readonly value: number }

// Script coins are keyed by this maximum minus their amount, so that the largest sort first.
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER

function writeUint56(bytes: Buffer, value: number, at: number): void {
  bytes.writeUIntBE(Math.floor(value / 0x1_0000_0000), at, 3)
  bytes.writeUInt32BE(value % 0x1_0000_0000, at + 3)
}

function readUint56(bytes: Buffer, at: number): number {
  return bytes.readUIntBE(at, 3) * 0x1_0000_0000 + bytes.readUInt32BE(at + 3)
}

export function coinEntry(txnum: number, script: Buffer, scriptAt: number, value: number): Buffer {
  const entry = Buffer.allocUnsafe(COIN_ENTRY_SIZE)
  entry.writeUIntBE(txnum, 0, TXNUM_SIZE)
  script.copy(entry, TXNUM_SIZE, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
  writeUint56(entry, value, TXNUM_SIZE + SCRIPT_KEY_SIZE)
  return entry
}

export function readCoinEntries(row: Buffer): CoinEntry[] {
  const entries: CoinEntry[] = []
  for (let at = 0; at < row.length; at += COIN_ENTRY_SIZE) {
    entries.push({
      txnum: row.readUIntBE(at, TXNUM_SIZE),
      script: row.subarray(at + TXNUM_SIZE, at + TXNUM_SIZE + SCRIPT_KEY_SIZE),
      value: readUint56(row, at + TXNUM_SIZE + SCRIPT_KEY_SIZE),
    })
  }
  return entries
}

/** Encodes the coins that share a row. */
export const coinRow = (entries: readonly CoinEntry[]): Buffer =>
  Buffer.concat(entries.map(({ txnum, script, value }) => coinEntry(txnum, script, 0, value)))

/** Key of a coin of a script. The most valuable coins sort first. */
export function scriptCoinKey(script: Buffer, scriptAt: number, value: number, txnum: number, vout: number): Buffer {
  const key = Buffer.allocUnsafe(SCRIPT_COIN_KEY_SIZE)
  script.copy(key, 0, scriptAt, scriptAt + SCRIPT_KEY_SIZE)
  writeUint56(key, MAX_AMOUNT - value, SCRIPT_KEY_SIZE)
  key.writeUIntBE(txnum, SCRIPT_KEY_SIZE + 7, TXNUM_SIZE)
  key.writeUIntBE(vout, SCRIPT_KEY_SIZE + 7 + TXNUM_SIZE, VOUT_SIZE)
  return key
}

export function readScriptCoinKey(key: Buffer): {
  readonly value: number
  readonly txnum: number
  readonly vout: number
} {
  return {
    value: MAX_AMOUNT - readUint56(key, SCRIPT_KEY_SIZE),
    txnum: key.readUIntBE(SCRIPT_KEY_SIZE + 7, TXNUM_SIZE),
    vout: key.readUIntBE(SCRIPT_KEY_SIZE + 7 + TXNUM_SIZE, VOUT_SIZE),
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
