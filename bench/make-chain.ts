/**
 * Builds a chain of a given size in block files of Core's format, shaped like the whole of Bitcoin mainnet.
 *
 * A transaction has 2.3 inputs, 2.5 outputs and 490 bytes on average: mainnet had 750 GB of blocks for 1.35 billion
 * transactions in 2026, which includes the data of inscriptions. 0.15 coins per transaction stay unspent: 167 million after 980 million transactions, by a dump of
 * the UTXO set of March 2024. Scripts of all types are spent with scripts and witnesses of their usual sizes; their shares
 * are an estimate for the whole history. Four in five inputs spend one of the last few thousand coins, the others a coin of
 * any age. One output in three pays an address used before, a few of them very often.
 *
 * With `forNode` Core accepts the chain, except for its signatures: it has proof of work, subsidies, maturity of coinbases
 * and witness commitments, and ends with empty blocks. `-assumevalid` of the last block then covers all the others.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Network } from '../server/src/coins/networks/network.ts'
import { sha256 } from '../server/src/coins/parse/sha256.ts'
import {
  type BuiltBlock,
  type BuiltInput,
  type BuiltTx,
  buildBlock,
  buildCoinbase,
  buildTx,
  buildValidBlock,
  regtestGenesis,
} from '../testing/coins/block-builder.ts'
import { seededRandom } from '../testing/support/random.ts'

const FILE_SIZE = 128 * 1024 * 1024

export type MadeChain = {
  readonly bytes: number
  readonly blocks: number
  readonly transactions: number
  readonly addresses: number
  /** Unspent outputs. */
  readonly coins: number
  /** The hash of the last block. */
  readonly tip: Buffer
}

/** Core verifies the scripts of blocks that two weeks of work do not cover yet. */
const EMPTY_BLOCKS = 2_100
const MATURITY = 100
const HALVING = 150
const SUBSIDY = 5_000_000_000

type ScriptKind = {
  /** Outputs of this kind of a hundred. */
  readonly share: number
  readonly prefix: readonly number[]
  readonly hashSize: number
  readonly suffix: readonly number[]
  /** Sizes of the input script and of the witness that spend it. */
  readonly inputScript: number
  readonly witness: number
}

const KINDS: readonly ScriptKind[] = [
  // P2PKH with a compressed key.
  { share: 45, prefix: [0x76, 0xa9, 20], hashSize: 20, suffix: [0x88, 0xac], inputScript: 107, witness: 0 },
  // P2WPKH.
  { share: 24, prefix: [0, 20], hashSize: 20, suffix: [], inputScript: 0, witness: 106 },
  // P2SH: most often 2-of-3 keys.
  { share: 12, prefix: [0xa9, 20], hashSize: 20, suffix: [0x87], inputScript: 254, witness: 0 },
  // P2SH of P2WPKH.
  { share: 7, prefix: [0xa9, 20], hashSize: 20, suffix: [0x87], inputScript: 23, witness: 106 },
  // P2TR by key.
  { share: 9, prefix: [0x51, 32], hashSize: 32, suffix: [], inputScript: 0, witness: 64 },
  // P2WSH of 2-of-3 keys.
  { share: 3, prefix: [0, 32], hashSize: 32, suffix: [], inputScript: 0, witness: 252 },
]

function kindOf(nonce: number): ScriptKind {
  let rest = (Math.imul(nonce, 0x9e37_79b1) >>> 0) % 100
  for (const kind of KINDS) {
    rest -= kind.share
    if (rest < 0) return kind
  }
  throw new RangeError('the shares of the script kinds are not 100')
}

function scriptOf(nonce: number): Buffer {
  const { prefix, hashSize, suffix } = kindOf(nonce)
  const seed = Buffer.alloc(4)
  seed.writeUInt32LE(nonce)
  return Buffer.concat([Buffer.from(prefix), sha256(seed).subarray(0, hashSize), Buffer.from(suffix)])
}

/** Bytes of signatures and keys: not valid, because nothing checks them. */
const SIGNATURES = Buffer.alloc(300, 0x5a)
/** An output with data, which cannot be spent. */
const DATA_SCRIPT = Buffer.concat([Buffer.from([0x6a, 20]), Buffer.alloc(20, 1)])

type Coin = { readonly txid: Buffer; readonly vout: number; readonly nonce: number; readonly value: number }

export function makeChain(
  network: Network,
  folder: string,
  options: {
    readonly megabytes: number
    readonly blockBytes?: number
    readonly seed?: number
    readonly forNode?: boolean
  },
): MadeChain {
  const { megabytes, blockBytes = 1_000_000, seed = 1, forNode = false } = options
  mkdirSync(folder, { recursive: true })
  const random = seededRandom(seed)
  const magic = Buffer.from(network.magic, 'hex')
  const coins: Coin[] = []
  let nonce = 0
  let file = -1
  let fileNumber = 0
  let filled = FILE_SIZE
  let bytes = 0
  let transactions = 0

  const write = (block: Buffer): void => {
    if (filled + block.length > FILE_SIZE) {
      if (file >= 0) closeSync(file)
      file = openSync(join(folder, `blk${String(fileNumber++).padStart(5, '0')}.dat`), 'w')
      filled = 0
    }
    const frame = Buffer.alloc(8)
    magic.copy(frame)
    frame.writeUInt32LE(block.length, 4)
    writeSync(file, Buffer.concat([frame, block]))
    filled += block.length + 8
    bytes += block.length
  }
  const inputCount = (): number => {
    const draw = random.next()
    return draw < 0.6 ? 1 : draw < 0.82 ? 2 : draw < 0.94 ? random.between(3, 5) : random.between(6, 20)
  }
  const outputCount = (): number => {
    const draw = random.next()
    return draw < 0.2 ? 1 : draw < 0.85 ? 2 : draw < 0.95 ? random.between(3, 5) : random.between(6, 20)
  }
  const payTo = (): number => {
    if (nonce < 100 || random.chance(0.67)) return ++nonce
    return random.chance(0.1) ? 1 + random.below(20) : 1 + random.below(nonce)
  }
  const takeCoin = (): Coin | undefined => {
    const { length } = coins
    if (length === 0) return undefined
    const at = random.chance(0.8) ? length - 1 - random.below(Math.min(length, 3_000)) : random.below(length)
    const coin = coins[at]
    const last = coins.pop()
    if (last !== undefined && at < coins.length) coins[at] = last
    return coin
  }
  const spend = (): { readonly tx: BuiltTx; readonly born: readonly Coin[] } | undefined => {
    const inputs: BuiltInput[] = []
    let value = 0
    for (let count = inputCount(); count > 0; count--) {
      const coin = takeCoin()
      if (coin === undefined) break
      const { inputScript, witness } = kindOf(coin.nonce)
      inputs.push({
        txid: coin.txid,
        vout: coin.vout,
        script: SIGNATURES.subarray(0, inputScript),
        ...(witness === 0 ? {} : { witness: SIGNATURES.subarray(0, witness) }),
      })
      value += coin.value
    }
    const count = outputCount()
    if (value < 4_000 * count) return undefined
    const each = Math.floor((value - 1_000 - random.below(1_000)) / count)
    const pays = Array.from({ length: count }, payTo)
    const outputs = pays.map((to) => ({ value: each, script: scriptOf(to) }))
    const data = random.chance(0.1) ? [{ value: 0, script: DATA_SCRIPT }] : []
    const tx = buildTx(inputs, [...outputs, ...data])
    return { tx, born: pays.map((to, vout) => ({ txid: tx.txid, vout, nonce: to, value: each })) }
  }

  let last: BuiltBlock = regtestGenesis(network)
  write(last.bytes)
  let height = 0
  /** Of coinbases, by the height of their block. */
  const immature = new Map<number, readonly Coin[]>()
  for (let empty = 0; empty < EMPTY_BLOCKS; ) {
    const isFull = bytes >= megabytes * 1_000_000
    if (isFull && !forNode) break
    if (isFull) empty++
    height++
    const txs: BuiltTx[] = []
    let size = 300
    // Coinbases of the first blocks have many outputs to spend.
    const wide = height <= 200 ? 40 : 1
    const to = Array.from({ length: wide }, payTo)
    const value = Math.floor((forNode ? SUBSIDY / 2 ** Math.floor(height / HALVING) : SUBSIDY) / wide)
    const rewards = to.map((pay) => ({ value, script: scriptOf(pay) }))
    const limit = isFull ? 0 : blockBytes
    while (size < limit) {
      const spent = spend()
      if (spent === undefined) {
        if (coins.length === 0) break
        continue
      }
      txs.push(spent.tx)
      size += spent.tx.bytes.length
      coins.push(...spent.born)
    }
    const time = 1_700_000_000 + height * 600
    const coinbase = forNode ? undefined : buildCoinbase(height, rewards)
    const block =
      coinbase === undefined
        ? buildValidBlock(last.hash, time, { height, rewards, txs })
        : { ...buildBlock(last.hash, time, [coinbase, ...txs]), coinbase }
    immature.set(
      height,
      to.map((pay, vout) => ({ txid: block.coinbase.txid, vout, nonce: pay, value })),
    )
    const mature = forNode ? height + 1 - MATURITY : height
    coins.push(...(immature.get(mature) ?? []))
    immature.delete(mature)
    last = block
    write(last.bytes)
    transactions += txs.length + 1
  }
  closeSync(file)
  return { bytes, blocks: height + 1, transactions, addresses: nonce, coins: coins.length, tip: last.hash }
}
