/**
 * Random chains with reorganizations, and a simple model of their UTXO sets.
 *
 * The model is a map of coins per block and shares only the parser's hashes with the index. One seed gives one scenario:
 * the best chains that a node has in turn.
 */
import { bitcoinRegtest } from '../../server/src/coins/networks/bitcoin.ts'
import type { Network } from '../../server/src/coins/networks/network.ts'
import type { BlockSource } from '../../server/src/coins/node/block-source.ts'
import { hashHex } from '../../server/src/coins/parse/block.ts'
import { type Random, seededRandom } from '../support/random.ts'
import {
  type BuiltBlock,
  type BuiltInput,
  type BuiltOutput,
  type BuiltTx,
  buildBlock,
  buildCoinbase,
  buildTx,
  outputScriptOf,
  regtestGenesis,
} from './block-builder.ts'

/** A small undo depth, so that pruning, flushing and compaction happen in short chains. */
export const simNetwork: Network = { ...bitcoinRegtest, undoDepth: 8 }

export type ModelCoin = {
  readonly txid: Buffer
  readonly vout: number
  readonly value: number
  readonly script: string
}

/** A block and the UTXO set after it. */
export type ModelBlock = BuiltBlock & { readonly coins: ReadonlyMap<string, ModelCoin> }

export type Scenario = {
  /** Best chains, each as its blocks from the genesis block on. */
  readonly chains: readonly (readonly ModelBlock[])[]
}

const outpointKey = (txid: Buffer, vout: number): string => `${txid.toString('hex')}:${vout}`

function randomScript(random: Random): Buffer {
  const choice = random.below(20)
  if (choice === 0) return Buffer.from([0x6a, 2, random.below(256), 1])
  if (choice === 1) return Buffer.alloc(0)
  if (choice === 2) return Buffer.alloc(10_000 + random.below(3), 0x51)
  // Few addresses, so that they are reused.
  return outputScriptOf(random.below(30))
}

function isSpendable(script: Buffer): boolean {
  return script[0] !== 0x6a && script.length <= 10_000
}

/** Builds a coinbase that may repeat an earlier one byte for byte, as two of 2010 do (BIP 30). */
function randomCoinbase(random: Random, height: number, branch: number): BuiltTx & { outputs: BuiltOutput[] } {
  const repeats = random.chance(0.08)
  const outputs = repeats
    ? [{ value: 7_777, script: outputScriptOf(1) }]
    : Array.from({ length: 1 + random.below(3) }, () => ({ value: random.below(5e9), script: randomScript(random) }))
  return { ...buildCoinbase(repeats ? 1 : height, outputs, repeats ? 1 : branch), outputs }
}

function randomBlock(random: Random, parent: ModelBlock, height: number, branch: number): ModelBlock {
  const coins = new Map(parent.coins)
  const create = (txid: Buffer, outputs: readonly BuiltOutput[]): void => {
    for (const [vout, { value, script }] of outputs.entries()) {
      if (isSpendable(script)) {
        coins.set(outpointKey(txid, vout), { txid, vout, value, script: script.toString('hex') })
      }
    }
  }
  const coinbase = randomCoinbase(random, height, branch)
  create(coinbase.txid, coinbase.outputs)
  const txs: BuiltTx[] = [coinbase]
  for (let count = random.below(7); count > 0; count--) {
    const names = [...coins.keys()]
    const inputs: BuiltInput[] = []
    let value = 0
    for (let i = 1 + random.below(3); i > 0 && names.length > 0; i--) {
      // The last coins were created in this block.
      const at = random.chance(0.4)
        ? names.length - 1 - random.below(Math.min(4, names.length))
        : random.below(names.length)
      const [name] = names.splice(at, 1)
      const coin = name === undefined ? undefined : coins.get(name)
      if (coin === undefined || name === undefined) continue
      coins.delete(name)
      value += coin.value
      inputs.push({ txid: coin.txid, vout: coin.vout, ...(random.chance(0.5) ? { witness: Buffer.from([1]) } : {}) })
    }
    if (inputs.length === 0) break
    const parts = 1 + random.below(4)
    const outputs = Array.from({ length: parts }, () => ({
      value: random.chance(0.1) ? 0 : Math.floor(value / (parts + 1)),
      script: randomScript(random),
    }))
    const tx = buildTx(inputs, outputs)
    create(tx.txid, outputs)
    txs.push(tx)
  }
  return { ...buildBlock(parent.hash, 1_600_000_000 + height, txs), coins }
}

export function randomScenario(seed: number, steps = 12): Scenario {
  const random = seededRandom(seed)
  const genesis: ModelBlock = { ...regtestGenesis(simNetwork), coins: new Map() }
  let chain: readonly ModelBlock[] = [genesis]
  const chains: (readonly ModelBlock[])[] = []
  for (let step = 1; step <= steps; step++) {
    const deepest = Math.min(chain.length - 1, simNetwork.undoDepth)
    const depth = random.chance(0.45) ? random.below(deepest + 1) : 0
    const grown = chain.slice(0, chain.length - depth)
    for (let more = depth + 1 + random.below(random.chance(0.2) ? 20 : 4); more > 0; more--) {
      grown.push(randomBlock(random, grown.at(-1) ?? genesis, grown.length, step))
    }
    chain = grown
    chains.push(chain)
  }
  return { chains }
}

/** A block source in memory whose best chain can be replaced at any time. */
export function memorySource(first: readonly ModelBlock[]): BlockSource & { chain: readonly ModelBlock[] } {
  const blocks = new Map<string, Buffer>()
  const source = {
    chain: first,
    getTip: () => {
      const last = source.chain.at(-1)
      return Promise.resolve({ height: source.chain.length - 1, hash: last === undefined ? '' : hashHex(last.hash) })
    },
    findHash: (height: number) => {
      const block = source.chain[height]
      if (block === undefined) return Promise.resolve(undefined)
      blocks.set(hashHex(block.hash), block.bytes)
      return Promise.resolve(hashHex(block.hash))
    },
    // A copy, because a reader may transfer it to a thread.
    getBlock: (hash: string) => Promise.resolve(Buffer.from(blocks.get(hash) ?? [])),
    getTxs: () => Promise.resolve([]),
  }
  return source
}
