/** A real `litecoind -regtest` whose chain is indexed in memory, updated on demand and ready to be served. */
import { openCoinIndex } from '../../server/src/coins/index/coin-index.ts'
import { follow, indexTip } from '../../server/src/coins/index/follow.ts'
import { MempoolView } from '../../server/src/coins/mempool/mempool-view.ts'
import { refreshMempool } from '../../server/src/coins/mempool/refresh-mempool.ts'
import { connectNode } from '../../server/src/coins/node/core-node.ts'
import type { ServedChain } from '../../server/src/coins/serve/served-chain.ts'
import { createTransactionLoader } from '../../server/src/coins/serve/transaction-loader.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { openMemoryKv } from './kv-memory.ts'
import { type Litecoind, startLitecoind } from './litecoind.ts'

export type ServedLitecoind = {
  readonly daemon: Litecoind
  /** Loaded wallet `a`. */
  readonly a: Litecoind['call']
  readonly miner: string
  readonly mine: (count: number) => Promise<string[]>
  /** Updates index and mempool view to the node's state. Returns the chain to serve. */
  readonly chain: () => Promise<ServedChain>
}

export async function startServedLitecoind(options: readonly string[] = []): Promise<ServedLitecoind> {
  const daemon = await startLitecoind(options)
  const node = await connectNode(daemon.rpc, 'ltc')
  const index = openCoinIndex(openMemoryKv(), node.network, 'memory')
  const mempool = new MempoolView()
  await daemon.call('createwallet', 'a')
  const a = daemon.wallet('a')
  const miner = await a<string>('getnewaddress', '', 'bech32')
  const served: ServedChain = {
    network: node.network,
    index,
    mempool,
    source: node,
    node,
    sourceName: node.version,
    loader: createTransactionLoader(node, { mweb: true }),
    state: () => ({ tip: indexTip(index), isDownloading: false, hasSameChain: true, mempoolSize: mempool.size }),
  }
  return {
    daemon,
    a,
    miner,
    mine: (count) => daemon.call<string[]>('generatetoaddress', count, miner),
    chain: async () => {
      const { tip } = await follow({ index, source: node, clock: systemClock })
      const isComplete = await refreshMempool({ index, node, view: mempool }, tip?.hash ?? '')
      if (!isComplete) throw new Error('the mempool view is not complete')
      // A new object, so that nothing cached for the previous state is used.
      return { ...served }
    },
  }
}
