/** A real `litecoind -regtest` or `bitcoind -regtest` whose chain is indexed in memory, updated on demand and ready to be served. */
import { execFileSync } from 'node:child_process'
import { openCoinIndex } from '../../server/src/coins/index/coin-index.ts'
import { follow, indexTip } from '../../server/src/coins/index/follow.ts'
import { MempoolView } from '../../server/src/coins/mempool/mempool-view.ts'
import { refreshMempool } from '../../server/src/coins/mempool/refresh-mempool.ts'
import type { ChainId } from '../../server/src/coins/networks/network.ts'
import { connectNode } from '../../server/src/coins/node/core-node.ts'
import type { ServedChain } from '../../server/src/coins/serve/served-chain.ts'
import { createTransactionLoader } from '../../server/src/coins/serve/transaction-loader.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { type CoreDaemon, startCoreDaemon } from './core-daemon.ts'
import { openMemoryKv } from './kv-memory.ts'
import { startLitecoind } from './litecoind.ts'

export type ServedNode = {
  readonly daemon: CoreDaemon
  /** Loaded wallet `a`. */
  readonly a: CoreDaemon['call']
  readonly miner: string
  readonly mine: (count: number) => Promise<string[]>
  /** Updates index and mempool view to the node's state. Returns the chain to serve. */
  readonly chain: () => Promise<ServedChain>
}

/** On a busy machine, more than a second can pass between a connection and its first request. */
const PATIENT = '-rpcservertimeout=60'

export const startServedLitecoind = async (options: readonly string[] = []): Promise<ServedNode> =>
  serve(await startLitecoind([PATIENT, ...options]), 'ltc')

/** The same with the `bitcoind` at this path. */
export const startServedBitcoind = async (program: string): Promise<ServedNode> =>
  serve(await startCoreDaemon(program, bitcoindOptions(program)), 'btc')

/** Bitcoin Knots enforces the rules of version 3 only with an option. */
export function bitcoindOptions(program: string): string[] {
  const isKnots = execFileSync(program, ['-help'], { encoding: 'utf8' }).includes('-mempooltruc')
  return [PATIENT, '-addresstype=bech32', ...(isKnots ? ['-mempooltruc=enforce'] : [])]
}

export async function serve(daemon: CoreDaemon, chain: ChainId): Promise<ServedNode> {
  const node = await connectNode(daemon.rpc, chain)
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
    relay: node,
    sourceName: node.version,
    loader: createTransactionLoader(node, { mweb: node.network.mweb !== undefined }),
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
