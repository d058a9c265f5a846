/** A block as the API returns it. */
import { ApiError } from '../../lib/http/api-error.ts'
import { findBlockRow, findHeight, findTip } from '../index/coin-index.ts'
import { type KvReader, withSnapshot } from '../index/kv.ts'
import type { BlockRow } from '../index/layout.ts'
import { readBlockTxids } from '../index/tx-locations.ts'
import { subsidyAt } from '../networks/network.ts'
import { hashFromHex, hashHex } from '../parse/block.ts'
import { difficultyOf } from './amounts.ts'
import type { ServedChain } from './served-chain.ts'

export const blockNotFound = ({ network }: ServedChain, what: string): ApiError =>
  new ApiError({
    status: 404,
    code: 'BLOCK_NOT_FOUND',
    message: `Block ${what} is not on ${network.chain}. Check the hash or height and the chain.`,
  })

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
/** The time of a block, in seconds since 1970. */
export const timeOf = (row: BlockRow): number => row.header.readUInt32LE(68)

export function findBlock(reader: KvReader, hashOrHeight: string): { height: number; row: BlockRow } | undefined {
  const isHash = /^[0-9a-f]{64}$/.test(hashOrHeight)
  const height = isHash ? findHeight(reader, hashFromHex(hashOrHeight)) : Number(hashOrHeight)
  const row = height === undefined ? undefined : findBlockRow(reader, height)
  return height === undefined || row === undefined ? undefined : { height, row }
}

/** BIP 113: the median of the times of this block and the ten before it. */
function medianTime(reader: KvReader, height: number): number {
  const times: number[] = []
  for (let at = height; at >= 0 && times.length < 11; at--) {
    const row = findBlockRow(reader, at)
    if (row !== undefined) times.push(timeOf(row))
  }
  times.sort((a, b) => a - b)
  return times[times.length >> 1] ?? 0
}

/** Reads a block from one snapshot of the index. */
export function getBlock(chain: ServedChain, hashOrHeight: string, withTxids: boolean) {
  return withSnapshot(chain.index.kv, (reader) => {
    const found = findBlock(reader, hashOrHeight)
    if (found === undefined) throw blockNotFound(chain, hashOrHeight)
    const { height, row } = found
    const { header, feeRates } = row
    const txids = readBlockTxids(reader, row.firstTxnum, row.txCount)
    const txid = (index: number): string => hashHex(txids.subarray(index * 32, (index + 1) * 32))
    const next = findBlockRow(reader, height + 1)
    return {
      hash: hashHex(row.hash),
      height,
      confirmations: (findTip(reader)?.height ?? height) - height + 1,
      version: header.readInt32LE(0),
      merkleRoot: hashHex(header.subarray(36, 68)),
      timestamp: isoOf(timeOf(row)),
      medianTime: isoOf(medianTime(reader, height)),
      nonce: header.readUInt32LE(76),
      bits: header.readUInt32LE(72).toString(16).padStart(8, '0'),
      difficulty: difficultyOf(header.readUInt32LE(72)),
      size: row.size,
      weight: row.weight,
      strippedSize: row.strippedSize,
      txCount: row.txCount,
      previousBlockHash: height === 0 ? null : hashHex(header.subarray(4, 36)),
      nextBlockHash: next === undefined ? null : hashHex(next.hash),
      reward: row.coinbaseAmount,
      subsidy: subsidyAt(chain.network, height),
      totalFees: row.fees,
      feeRates: feeRatesView(feeRates),
      ...(row.hogEx ? { mweb: { hogexTxid: txid(row.txCount - 1), amount: row.mwebAmount } } : {}),
      ...(withTxids ? { txids: Array.from({ length: row.txCount }, (_, index) => txid(index)) } : {}),
    }
  })
}

function feeRatesView([p10 = 0, p25 = 0, p50 = 0, p75 = 0, p90 = 0]: readonly number[]) {
  const round = (rate: number): number => Math.round(rate * 1000) / 1000
  return { p10: round(p10), p25: round(p25), p50: round(p50), p75: round(p75), p90: round(p90) }
}

/** The last `count` blocks up to the height `to`, newest first, from one snapshot of the index. */
export function getBlocks(
  chain: ServedChain,
  { to, count }: { readonly to?: number | undefined; readonly count: number },
) {
  return withSnapshot(chain.index.kv, (reader) => {
    const tip = findTip(reader)?.height ?? -1
    const last = Math.min(to ?? tip, tip)
    const blocks = Array.from({ length: Math.min(count, last + 1) }, (_, depth) => {
      const height = last - depth
      const row = findBlockRow(reader, height)
      if (row === undefined) throw blockNotFound(chain, String(height))
      const { size, weight, txCount, fees, feeRates } = row
      return {
        hash: hashHex(row.hash),
        height,
        timestamp: isoOf(timeOf(row)),
        size,
        weight,
        txCount,
        totalFees: fees,
        feeRates: feeRatesView(feeRates),
      }
    })
    return { chain: chain.network.chain, tip, blocks }
  })
}

/** Headers of consecutive blocks, 80 bytes each in hexadecimal. */
export function getHeaders(chain: ServedChain, from: number, count: number) {
  return withSnapshot(chain.index.kv, (reader) => {
    const headers: string[] = []
    for (let height = from; headers.length < count; height++) {
      const row = findBlockRow(reader, height)
      if (row === undefined) break
      headers.push(row.header.toString('hex'))
    }
    if (headers.length === 0) throw blockNotFound(chain, String(from))
    return { chain: chain.network.chain, from, count: headers.length, headers }
  })
}

/**
 * The last block whose time is not after `seconds`.
 *
 * Times of blocks can go back, their median times cannot: a block is later than the median time before it. So no block
 * after the first one with a later median time can be the one, and of the eleven before it most are earlier.
 */
export function getBlockAtTime(chain: ServedChain, seconds: number) {
  return withSnapshot(chain.index.kv, (reader) => {
    const tip = findTip(reader)?.height ?? -1
    let low = 0
    let high = tip
    while (low < high) {
      const middle = (low + high) >> 1
      if (medianTime(reader, middle) >= seconds) high = middle
      else low = middle + 1
    }
    for (let height = high; height >= 0; height--) {
      const row = findBlockRow(reader, height)
      if (row === undefined || timeOf(row) > seconds) continue
      const times = { timestamp: isoOf(timeOf(row)), medianTime: isoOf(medianTime(reader, height)) }
      return { chain: chain.network.chain, hash: hashHex(row.hash), height, confirmations: tip - height + 1, ...times }
    }
    const [name, first] = [chain.network.chain, findBlockRow(reader, 0)]
    throw new ApiError({
      status: 404,
      code: 'BLOCK_NOT_FOUND',
      message: `${name} has no block at or before ${isoOf(seconds)}.${first === undefined ? '' : ` Its first block is from ${isoOf(timeOf(first))}.`}`,
    })
  })
}
