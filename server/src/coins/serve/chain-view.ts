/** The state of a chain as the API returns it. */
import { findBlockRow } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { withSnapshot } from '../index/kv.ts'
import type { ChainId, Network } from '../networks/network.ts'
import { mainNetworkOf } from '../networks/networks.ts'
import { difficultyOf, formatHashRate } from './amounts.ts'
import { isSynced, type ServedChain } from './served-chain.ts'

/** `chain` is an id while its index cannot be read yet. */
export function getStatus(chain: ServedChain | ChainId) {
  if (typeof chain === 'string') return statusOf(mainNetworkOf(chain), undefined)
  return statusOf(chain.network, chain)
}

function statusOf(network: Network, chain: ServedChain | undefined) {
  const tip = chain === undefined ? undefined : indexTip(chain.index)
  const row =
    chain === undefined || tip === undefined
      ? undefined
      : withSnapshot(chain.index.kv, (reader) => findBlockRow(reader, tip.height))
  const difficulty = row === undefined ? 0 : difficultyOf(row.header.readUInt32LE(72))
  return {
    chain: network.chain,
    chainName: network.chainName,
    symbol: network.symbol,
    blockHeight: tip?.height ?? 0,
    difficulty,
    // The hash rate that finds one block per interval at this difficulty.
    hashrate: formatHashRate((difficulty * 2 ** 32) / network.blockInterval),
    mempoolSize: chain?.state().mempoolSize ?? 0,
    synced: chain !== undefined && isSynced(chain),
    source: chain?.sourceName ?? 'none yet',
  }
}
