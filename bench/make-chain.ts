/**
 * Builds a chain of a given size in block files of Core's format.
 *
 * Transactions have one to three inputs and two outputs. Four in five inputs spend one of the last few thousand coins, the
 * others a coin of any age. One output in three pays an address used before, a few of them very often. About 0.15 coins
 * per transaction stay unspent, as on Bitcoin mainnet.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Network } from '../server/src/coins/networks/network.ts'
import {
  type BuiltInput,
  type BuiltTx,
  buildBlock,
  buildCoinbase,
  buildTx,
  outputScriptOf,
  regtestGenesis,
  witnessScriptOf,
} from '../testing/coins/block-builder.ts'
import { seededRandom } from '../testing/support/random.ts'

const FILE_SIZE = 128 * 1024 * 1024

export type MadeChain = {
  readonly bytes: number
  readonly blocks: number
  readonly transactions: number
  readonly addresses: number
}

type Coin = { readonly txid: Buffer; readonly vout: number; readonly nonce: number; readonly value: number }

export function makeChain(
  network: Network,
  folder: string,
  options: { readonly megabytes: number; readonly blockBytes?: number; readonly seed?: number },
): MadeChain {
  const { megabytes, blockBytes = 1_000_000, seed = 1 } = options
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
    for (let count = random.chance(0.4) ? 1 : random.chance(0.6) ? 2 : 3; count > 0; count--) {
      const coin = takeCoin()
      if (coin === undefined) break
      inputs.push({ txid: coin.txid, vout: coin.vout, witness: witnessScriptOf(coin.nonce) })
      value += coin.value
    }
    if (value < 20_000) return undefined
    const fee = 200 + random.below(2_000)
    const first = 1_000 + random.below(value - fee - 2_000)
    const pays = [first, value - fee - first].map((amount) => ({ amount, to: payTo() }))
    const tx = buildTx(
      inputs,
      pays.map(({ amount, to }) => ({ value: amount, script: outputScriptOf(to) })),
    )
    return { tx, born: pays.map(({ amount, to }, vout) => ({ txid: tx.txid, vout, nonce: to, value: amount })) }
  }

  let last = regtestGenesis(network)
  write(last.bytes)
  let height = 0
  for (;;) {
    if (bytes >= megabytes * 1_000_000) break
    height++
    const txs: BuiltTx[] = []
    let size = 300
    // Coinbases of the first blocks have many outputs to spend.
    const wide = height <= 200 ? 40 : 1
    const to = Array.from({ length: wide }, payTo)
    const coinbase = buildCoinbase(
      height,
      to.map((pay) => ({ value: Math.floor(5_000_000_000 / wide), script: outputScriptOf(pay) })),
    )
    txs.push(coinbase)
    while (size < blockBytes) {
      const spent = spend()
      if (spent === undefined) {
        if (coins.length === 0) break
        continue
      }
      txs.push(spent.tx)
      size += spent.tx.bytes.length
      coins.push(...spent.born)
    }
    for (const [vout, pay] of to.entries()) {
      coins.push({ txid: coinbase.txid, vout, nonce: pay, value: Math.floor(5_000_000_000 / wide) })
    }
    last = buildBlock(last.hash, 1_700_000_000 + height * 600, txs)
    write(last.bytes)
    transactions += txs.length
  }
  closeSync(file)
  return { bytes, blocks: height + 1, transactions, addresses: nonce }
}
