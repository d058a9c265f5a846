/** All networks. A node's network is identified by its genesis hash, never by a port or a name. */
import { bitcoinMain, bitcoinRegtest, bitcoinSignet, bitcoinTest, bitcoinTestnet4 } from './bitcoin.ts'
import { litecoinMain, litecoinRegtest, litecoinTest } from './litecoin.ts'
import type { ChainId, Network } from './network.ts'

export const networks: readonly Network[] = [
  bitcoinMain,
  bitcoinTest,
  bitcoinTestnet4,
  bitcoinSignet,
  bitcoinRegtest,
  litecoinMain,
  litecoinTest,
  litecoinRegtest,
]

export const chainIds: readonly ChainId[] = ['btc', 'ltc']

export function findNetworkByGenesis(genesisHash: string): Network | undefined {
  return networks.find((network) => network.genesisHash === genesisHash)
}

/** Returns the main network of a chain, for its name and symbol while the node's network is not known yet. */
export function mainNetworkOf(chain: ChainId): Network {
  return chain === litecoinMain.chain ? litecoinMain : bitcoinMain
}
