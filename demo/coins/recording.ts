/**
 * Plays back a regtest chain that Bitcoin Core or Litecoin Core made.
 *
 * The last blocks of the recording arrive one by one; their transactions wait in the mempool before, with invented
 * payments at several fee levels, which later blocks contain too. Headers are mined again with times of today, which
 * takes two hashes on regtest. Nothing checks Litecoin's proof of work, which would be another hash.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decodeAddress } from '../../server/src/coins/parse/address.ts'
import {
  HEADER_SIZE,
  hashFromHex,
  hashHex,
  headerHash,
  merkleRoot,
  parseBlock,
} from '../../server/src/coins/parse/block.ts'
import { decodeTransaction, parseTransaction, type Transaction } from '../../server/src/coins/parse/transaction.ts'
import {
  type Coin,
  compactSize,
  type InventedPayments,
  inventPayments,
  type Payment,
  SPLIT_INTO,
} from './invented-payments.ts'
import type { RecordedChain } from './recorded-chains.ts'

export const RECORDED_RULES = { mweb: false }
/** Blocks that arrive while the demo runs. */
export const HELD_BACK = 120
/** How many of them arrive at each interval: often at first, then so that they last a working day. */
const PACES = [
  { blocks: 45, everyMs: 20_000 },
  { blocks: 45, everyMs: 60_000 },
  { blocks: 30, everyMs: 900_000 },
] as const
/** Number of future blocks whose transactions are in the mempool. */
const AHEAD = 4
/** Blocks before the demo starts that contain invented payments already. */
const EARLIER = 36
const EARLIER_PAYMENTS = 12
/** A coinbase can be spent after this many blocks. */
const MATURITY = 100
const LARGE_COIN = 2_500_000_000

export type RecordedBlock = { readonly hash: string; readonly bytes: Buffer; readonly txs: readonly RecordedTx[] }

export type RecordedTx = {
  readonly txid: string
  readonly bytes: Buffer
  readonly vsize: number
  readonly weight: number
  readonly spends: readonly string[]
  /** Satoshis; 0 for a coinbase. */
  readonly fee: number
}

export type Waiting = RecordedTx & { readonly since: number }

export type Recording = {
  readonly chain: RecordedChain
  readonly height: () => number
  readonly block: (height: number) => RecordedBlock | undefined
  readonly find: (hash: string) => RecordedBlock | undefined
  readonly mempool: () => ReadonlyMap<string, Waiting>
  /** Connects the next block, if the recording has one. */
  readonly next: (now: number) => void
  /** Time until the next block; undefined after the last one. */
  readonly pauseMs: () => number | undefined
}

/** Time until the next block after `came` blocks have arrived. */
export function pauseAfter(came: number): number | undefined {
  let left = came
  for (const { blocks, everyMs } of PACES) {
    if (left < blocks) return everyMs
    left -= blocks
  }
  return undefined
}

export function openRecording(chain: RecordedChain, now: number): Recording {
  const showcase = decodeAddress(chain.network, chain.showcase).script
  const outputs = new Map<string, readonly number[]>()
  const describe = (tx: Transaction, bytes: Buffer): RecordedTx => {
    outputs.set(
      tx.txid,
      tx.outputs.map(({ value }) => value),
    )
    const spent = tx.inputs.flatMap(({ prevout }) => prevout ?? [])
    const paid = spent.reduce((sum, { txid, vout }) => sum + (outputs.get(txid)?.[vout] ?? 0), 0)
    const received = tx.outputs.reduce((sum, { value }) => sum + value, 0)
    return {
      txid: tx.txid,
      bytes,
      vsize: tx.vsize,
      weight: tx.weight,
      spends: spent.map(({ txid }) => txid),
      fee: spent.length === 0 ? 0 : paid - received,
    }
  }
  const created: Coin[][] = []
  const spent = new Set<string>()
  const note = (tx: Transaction, at: number): void => {
    for (const { prevout } of tx.inputs) if (prevout !== undefined) spent.add(`${prevout.txid}:${prevout.vout}`)
    for (const [vout, { value, script }] of tx.outputs.entries())
      if (!script.equals(showcase)) (created[at] ??= []).push({ txid: tx.txid, vout, value })
  }
  const blocks = readBlocks(chain).map((bytes, at): RecordedBlock => {
    const { hash, txs } = parseBlock(bytes, RECORDED_RULES)
    const described = Array.from({ length: txs.count }, (_, index) => {
      const tx = decodeTransaction(txs, index)
      note(tx, at)
      return describe(tx, bytes.subarray(txs.start[index], txs.end[index]))
    })
    return { hash: hashHex(hash), bytes, txs: described }
  })
  const last = readMempool(chain).map((bytes) => {
    const tx = parseTransaction(bytes, RECORDED_RULES)
    note(tx, blocks.length)
    return describe(tx, bytes)
  })

  const first = blocks.length - 1 - HELD_BACK
  const large = created
    .slice(1, first - EARLIER - MATURITY)
    .flat()
    .filter(({ txid, vout, value }) => value >= LARGE_COIN && !spent.has(`${txid}:${vout}`))
  const payments = inventPayments(large, showcase)
  const byHash = new Map<string, RecordedBlock>()
  const connect = (at: number, time: number, invented: readonly Payment[] = []): void => {
    const [recorded, parent] = [blocks[at], blocks[at - 1]]
    if (recorded === undefined) return
    const block = parent === undefined ? recorded : mineAgain(withPayments(recorded, invented), parent.hash, time)
    for (const payment of invented) payments.confirm(payment)
    blocks[at] = block
    byHash.set(block.hash, block)
  }

  let height = first
  for (let at = 0; at <= first; at += 1)
    connect(
      at,
      now - (first - at) * chain.network.blockInterval,
      at < first - EARLIER ? [] : earlierPayments(payments, at),
    )
  let queue: readonly Payment[] = []
  let mempool = new Map<string, Waiting>()
  const fill = (time: number): void => {
    queue = refill(payments, queue, { upTo: chain.waitingVsize, surge: surgeAt(height) })
    const coming = blocks.slice(height + 1, height + 1 + AHEAD).flatMap(({ txs }) => txs.slice(1))
    const isNearEnd = height + AHEAD >= blocks.length - 1
    const waiting = [...coming, ...(isNearEnd ? last : []), ...queue]
    mempool = new Map(waiting.map((tx) => [tx.txid, { ...tx, since: mempool.get(tx.txid)?.since ?? time }]))
  }
  fill(now)
  return {
    chain,
    height: () => height,
    block: (at) => (at <= height ? blocks[at] : undefined),
    find: (hash) => byHash.get(hash),
    mempool: () => mempool,
    next: (time) => {
      if (height + 1 >= blocks.length) return
      height += 1
      const mined = bestPaying(queue, chain.blockVsize)
      queue = queue.filter((payment) => !mined.includes(payment))
      connect(height, time, mined)
      fill(time)
    },
    pauseMs: () => pauseAfter(height - first),
  }
}

/** Fee rates rise and fall within about fifty blocks. */
const surgeAt = (height: number): number => 1.8 + Math.sin(height / 8)

/** The payments of a block before the demo starts. The first block makes the coins for them. */
function earlierPayments(payments: InventedPayments, height: number): readonly Payment[] {
  if (payments.coins() === 0)
    return [payments.split(), payments.split(), payments.split()].flatMap((each) => each ?? [])
  return Array.from({ length: EARLIER_PAYMENTS }, () => payments.pay(surgeAt(height))).flatMap((each) => each ?? [])
}

/** Adds payments until the mempool is as large as it should be, and makes coins before they run out. */
function refill(
  payments: InventedPayments,
  queue: readonly Payment[],
  { upTo, surge }: { readonly upTo: number; readonly surge: number },
): readonly Payment[] {
  const added: Payment[] = []
  let vsize = queue.reduce((sum, payment) => sum + payment.vsize, 0)
  while (vsize < upTo) {
    const payment = payments.pay(surge)
    if (payment === undefined) break
    added.push(payment)
    vsize += payment.vsize
  }
  const split = payments.coins() < SPLIT_INTO ? payments.split() : undefined
  return [...queue, ...added, ...(split === undefined ? [] : [split])]
}

const rateOf = ({ fee, vsize }: Payment): number => fee / vsize

/** The payments that a miner takes. */
function bestPaying(queue: readonly Payment[], blockVsize: number): readonly Payment[] {
  let room = blockVsize
  return queue
    .toSorted((a, b) => rateOf(b) - rateOf(a))
    .filter(({ vsize }) => {
      if (vsize > room) return false
      room -= vsize
      return true
    })
}

/** The block with further transactions at its end. */
function withPayments(block: RecordedBlock, payments: readonly Payment[]): RecordedBlock {
  if (payments.length === 0) return block
  const txs = [...block.txs, ...payments]
  const body = block.bytes.subarray(HEADER_SIZE + compactSize(block.txs.length).length)
  const bytes = Buffer.concat([
    block.bytes.subarray(0, HEADER_SIZE),
    compactSize(txs.length),
    body,
    ...payments.map((payment) => payment.bytes),
  ])
  merkleRoot(Buffer.concat(txs.map(({ txid }) => hashFromHex(txid))), txs.length).copy(bytes, MERKLE_ROOT_AT)
  return { ...block, bytes, txs }
}

const MERKLE_ROOT_AT = 36
const TIME_AT = 68
const BITS_AT = 72
const NONCE_AT = 76

/** The block with another parent and time. */
function mineAgain(block: RecordedBlock, parent: string, time: number): RecordedBlock {
  const bytes = Buffer.from(block.bytes)
  hashFromHex(parent).copy(bytes, 4)
  bytes.writeUInt32LE(time, TIME_AT)
  // The first byte of the bits is the length of the target, the others are its first digits.
  const bits = bytes.readUInt32LE(BITS_AT)
  const target = BigInt(bits & 0xff_ffff) << BigInt(8 * ((bits >>> 24) - 3))
  for (let nonce = 0; ; nonce += 1) {
    bytes.writeUInt32LE(nonce, NONCE_AT)
    const hash = hashHex(headerHash(bytes))
    if (BigInt(`0x${hash}`) <= target) return { ...block, hash, bytes }
  }
}

/** In the format of Core's block files: magic, length, block. */
function readBlocks({ folder }: RecordedChain): readonly Buffer[] {
  const file = gunzipSync(readFileSync(join(folder, 'blocks.dat.gz')))
  const blocks: Buffer[] = []
  for (let at = 0; at < file.length; ) {
    const length = file.readUInt32LE(at + 4)
    blocks.push(file.subarray(at + 8, at + 8 + length))
    at += 8 + length
  }
  return blocks
}

function readMempool({ folder }: RecordedChain): readonly Buffer[] {
  const entries = JSON.parse(readFileSync(join(folder, 'mempool.json'), 'utf8')) as readonly { hex: string }[]
  return entries.map(({ hex }) => Buffer.from(hex, 'hex'))
}
