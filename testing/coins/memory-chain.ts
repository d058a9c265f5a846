/** A chain in memory, indexed and ready to be served. A test connects and disconnects its blocks. */
import { openCoinIndex } from '../../server/src/coins/index/coin-index.ts'
import { follow, indexTip } from '../../server/src/coins/index/follow.ts'
import { MempoolView, scriptMapKey } from '../../server/src/coins/mempool/mempool-view.ts'
import { bitcoinRegtest } from '../../server/src/coins/networks/bitcoin.ts'
import { hashHex } from '../../server/src/coins/parse/block.ts'
import { scriptKey } from '../../server/src/coins/parse/script.ts'
import type { ServedChain } from '../../server/src/coins/serve/served-chain.ts'
import { createTransactionLoader } from '../../server/src/coins/serve/transaction-loader.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import {
  type BuiltOutput,
  type BuiltTx,
  buildBlock,
  buildCoinbase,
  outputScriptOf,
  regtestGenesis,
} from './block-builder.ts'
import { openMemoryKv } from './kv-memory.ts'
import { type ModelBlock, memorySource } from './random-chains.ts'

export type MemoryChain = {
  readonly served: ServedChain
  /** Connects a block with these transactions, by default one second after the last. Returns its coinbase. */
  readonly add: (txs: readonly BuiltTx[], coinbase?: readonly BuiltOutput[], time?: number) => Promise<BuiltTx>
  /** Disconnects blocks until `height` is the tip. */
  readonly disconnectTo: (height: number) => Promise<void>
  /** Adds a transaction to the mempool that pays one script and spends nothing. */
  readonly addUnconfirmed: (tx: BuiltTx, script: Buffer, value: number, time: number) => void
}

export async function startMemoryChain(): Promise<MemoryChain> {
  const genesis: ModelBlock = { ...regtestGenesis(bitcoinRegtest), coins: new Map() }
  const source = memorySource([genesis])
  const index = openCoinIndex(openMemoryKv(), bitcoinRegtest, 'memory')
  const mempool = new MempoolView()
  let branch = 0
  const catchUp = async (chain: readonly ModelBlock[]): Promise<void> => {
    source.chain = chain
    await follow({ index, source, clock: systemClock })
  }
  await catchUp([genesis])
  return {
    served: {
      network: bitcoinRegtest,
      index,
      mempool,
      source,
      sourceName: 'a test',
      loader: createTransactionLoader(source, { mweb: false }),
      state: () => ({ tip: indexTip(index), isDownloading: false, hasSameChain: true, mempoolSize: mempool.size }),
    },
    add: async (txs, outputs = [{ value: 1, script: outputScriptOf(0) }], time) => {
      const height = source.chain.length
      const coinbase = buildCoinbase(height, outputs, branch)
      const last = source.chain.at(-1) ?? genesis
      const block = { ...buildBlock(last.hash, time ?? 1_700_000_000 + height, [coinbase, ...txs]), coins: new Map() }
      await catchUp([...source.chain, block])
      return coinbase
    },
    disconnectTo: async (height) => {
      branch++
      await catchUp(source.chain.slice(0, height + 1))
    },
    addUnconfirmed: ({ txid, bytes }, script, value, time) =>
      mempool.add({
        txid: hashHex(txid),
        bytes,
        inputs: [],
        outputs: [{ script: scriptMapKey(scriptKey(script)), value }],
        fee: 100,
        vsize: 100,
        minedVsize: 100,
        time,
      }),
  }
}
