/**
 * Plays back a Bitcoin regtest chain that Bitcoin Core made.
 *
 * The last blocks of the recording arrive one by one; their transactions wait in the mempool before. Headers are mined
 * again with times of today, which takes two hashes on regtest; the transactions are those of the recording.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { hashFromHex, hashHex, headerHash, parseBlock } from '../../server/src/coins/parse/block.ts'
import { decodeTransaction, parseTransaction, type Transaction } from '../../server/src/coins/parse/transaction.ts'

const RECORDING = join(import.meta.dirname, '..', '..', 'testing', 'fixtures', 'btc-regtest')
export const RECORDED_RULES = { mweb: false }
/** Blocks that arrive while the demo runs. */
export const HELD_BACK = 120
/** How many of them arrive at each interval: often at first, then so that they last a working day. */
const PACES = [
  { blocks: 45, everyMs: 20_000 },
  { blocks: 45, everyMs: 60_000 },
  { blocks: 30, everyMs: 900_000 },
] as const
/** Time between the blocks that are there when the demo starts. */
const BLOCK_SECONDS = 600
/** Number of future blocks whose transactions are in the mempool. */
const AHEAD = 4

export type RecordedBlock = { readonly hash: string; readonly bytes: Buffer; readonly txs: readonly RecordedTx[] }

export type RecordedTx = {
  readonly txid: string
  readonly hex: string
  readonly vsize: number
  readonly weight: number
  readonly spends: readonly string[]
  /** Satoshis; 0 for a coinbase. */
  readonly fee: number
}

export type Waiting = RecordedTx & { readonly since: number }

export type Recording = {
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

export function openRecording(now: number): Recording {
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
      hex: bytes.toString('hex'),
      vsize: tx.vsize,
      weight: tx.weight,
      spends: spent.map(({ txid }) => txid),
      fee: spent.length === 0 ? 0 : paid - received,
    }
  }
  const blocks = readBlocks().map((bytes): RecordedBlock => {
    const { hash, txs } = parseBlock(bytes, RECORDED_RULES)
    const described = Array.from({ length: txs.count }, (_, at) =>
      describe(decodeTransaction(txs, at), bytes.subarray(txs.start[at], txs.end[at])),
    )
    return { hash: hashHex(hash), bytes, txs: described }
  })
  const byHash = new Map<string, RecordedBlock>()
  const connect = (at: number, time: number): void => {
    const [recorded, parent] = [blocks[at], blocks[at - 1]]
    if (recorded === undefined) return
    const block = parent === undefined ? recorded : mineAgain(recorded, parent.hash, time)
    blocks[at] = block
    byHash.set(block.hash, block)
  }
  const last = readMempool().map((bytes) => describe(parseTransaction(bytes, RECORDED_RULES), bytes))

  const first = blocks.length - 1 - HELD_BACK
  let height = first
  for (let at = 0; at <= first; at += 1) connect(at, now - (first - at) * BLOCK_SECONDS)
  let mempool = new Map<string, Waiting>()
  const fill = (time: number): void => {
    const coming = blocks.slice(height + 1, height + 1 + AHEAD).flatMap(({ txs }) => txs.slice(1))
    const isNearEnd = height + AHEAD >= blocks.length - 1
    const waiting = isNearEnd ? [...coming, ...last] : coming
    mempool = new Map(waiting.map((tx) => [tx.txid, { ...tx, since: mempool.get(tx.txid)?.since ?? time }]))
  }
  fill(now)
  return {
    height: () => height,
    block: (at) => (at <= height ? blocks[at] : undefined),
    find: (hash) => byHash.get(hash),
    mempool: () => mempool,
    next: (time) => {
      if (height + 1 >= blocks.length) return
      height += 1
      connect(height, time)
      fill(time)
    },
    pauseMs: () => pauseAfter(height - first),
  }
}

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
function readBlocks(): readonly Buffer[] {
  const file = gunzipSync(readFileSync(join(RECORDING, 'blocks.dat.gz')))
  const blocks: Buffer[] = []
  for (let at = 0; at < file.length; ) {
    const length = file.readUInt32LE(at + 4)
    blocks.push(file.subarray(at + 8, at + 8 + length))
    at += 8 + length
  }
  return blocks
}

function readMempool(): readonly Buffer[] {
  const entries = JSON.parse(readFileSync(join(RECORDING, 'mempool.json'), 'utf8')) as readonly { hex: string }[]
  return entries.map(({ hex }) => Buffer.from(hex, 'hex'))
}
