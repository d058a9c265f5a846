/**
 * Parses blocks and verifies their merkle roots.
 *
 * The contents of an extension block are skipped: they have no addresses and no public amounts.
 */
import { ByteReader } from './byte-reader.ts'
import { ParseError } from './parse-error.ts'
import { isHogAddr } from './script.ts'
import { sha256dInto } from './sha256.ts'
import { at, LEAST_TX, readTx, type TxColumns, TxTable, txidInto } from './tx-table.ts'

export type ParseRules = { readonly mweb: boolean }

export type Block = {
  readonly bytes: Buffer
  /** 32 bytes in wire order. `hashHex` converts them to display order. */
  readonly hash: Buffer
  readonly prevHash: Buffer
  readonly txs: TxColumns
  /** Script keys of all outputs, if a parse thread has computed them. */
  readonly scriptKeys?: Buffer
  /** The txids of all transactions, 32 bytes each, in wire order. */
  readonly txids: Buffer
  /** Index of the HogEx, the transaction that carries the extension block's balance; -1 without one. */
  readonly hogEx: number
  readonly weight: number
  readonly strippedSize: number
}

/** A block that was parsed in the current thread. */
export type ParsedBlock = Block & { readonly txs: TxTable }

export const HEADER_SIZE = 80

/** Formats a hash in display order: hex with the bytes reversed. */
export function hashHex(hash: Buffer): string {
  return Buffer.from(hash.toReversed()).toString('hex')
}

export function hashFromHex(hex: string): Buffer {
  return Buffer.from(Buffer.from(hex, 'hex').toReversed())
}

export function headerHash(bytes: Buffer): Buffer {
  if (bytes.length < HEADER_SIZE) throw new ParseError('header: bytes missing', bytes.length)
  const hash = Buffer.allocUnsafe(32)
  sha256dInto(bytes, 0, HEADER_SIZE, hash, 0)
  return hash
}

export function parseBlock(bytes: Buffer, rules: ParseRules): ParsedBlock {
  const reader = new ByteReader(bytes)
  reader.skip(HEADER_SIZE, 'header')
  const count = reader.count(LEAST_TX, 'transactions')
  if (count === 0) throw new ParseError('block without transactions', HEADER_SIZE)
  const first = reader.at
  const txs = new TxTable(bytes)
  const txRules = { mweb: rules.mweb, alone: false }
  for (let i = 0; i < count; i++) {
    if (txs.mwebFlag[i - 1] === true) throw new ParseError('extension flag before the last transaction', reader.at)
    readTx(reader, txs, txRules)
  }
  const txids = Buffer.allocUnsafe(count * 32)
  for (let i = 0; i < count; i++) txidInto(txs, i, txids, i * 32)
  if (!merkleRoot(txids, count).equals(bytes.subarray(36, 68))) throw new ParseError('merkle root does not match', 36)
  checkTail(reader, txs)

  let strippedSize = first
  let witness = 0
  for (let i = 0; i < count; i++) {
    strippedSize += at(txs.stripped, i)
    witness += at(txs.witnessBytes, i)
  }
  return {
    bytes,
    hash: headerHash(bytes),
    prevHash: bytes.subarray(4, 36),
    txs,
    txids,
    hogEx: rules.mweb ? findHogEx(txs) : -1,
    weight: strippedSize * 4 + witness,
    strippedSize,
  }
}

/**
 * Computes the merkle root of `count` txids.
 *
 * A level with an odd number of hashes repeats its last one, so a block that contains that transaction twice has the
 * same root (CVE-2012-2459). Equal neighbors other than that repetition are refused.
 */
export function merkleRoot(ids: Buffer, count: number): Buffer {
  const level = Buffer.allocUnsafe((count + 1) * 32)
  ids.copy(level, 0, 0, count * 32)
  for (let length = count; length > 1; length = (length + 1) >> 1) {
    for (let i = 0; i + 1 < length; i += 2) {
      if (level.compare(level, (i + 1) * 32, (i + 2) * 32, i * 32, (i + 1) * 32) === 0) {
        throw new ParseError('merkle tree repeats a transaction')
      }
    }
    if (length % 2 === 1) level.copy(level, length * 32, (length - 1) * 32, length * 32)
    for (let i = 0; i < length; i += 2) sha256dInto(level, i * 32, (i + 2) * 32, level, i * 16)
  }
  return Buffer.from(level.subarray(0, 32))
}

/** Checks that nothing follows the last transaction, or an extension block if the HogEx announces one. */
function checkTail(reader: ByteReader, txs: TxTable): void {
  const left = reader.end - reader.at
  if (left === 0) return
  if (txs.mwebFlag.at(-1) !== true) throw new ParseError(`${left} bytes after the last transaction`, reader.at)
  const mark = reader.u8('extension block')
  if (mark > 1 || (mark === 0 && left > 1)) throw new ParseError('extension block mark', reader.at - 1)
}

/** A node with `rpcserialversion=1` omits the extension flag too. The HogEx is then recognized by its output script. */
function findHogEx(txs: TxTable): number {
  const index = txs.count - 1
  if (index < 1) return -1
  if (txs.mwebFlag[index] === true) return index
  const output = at(txs.firstOutput, index)
  return isHogAddr(txs.bytes, at(txs.script, output), at(txs.scriptEnd, output)) ? index : -1
}
