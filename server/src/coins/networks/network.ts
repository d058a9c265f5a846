/**
 * What a network of the Bitcoin family is, as data.
 *
 * Owns the shape. The values stand in `bitcoin.ts` and `litecoin.ts`; every other file asks the data and
 * never a chain's name.
 */

/** The chain as the public interface names it. */
export type ChainId = 'btc' | 'ltc'

/** The network as Core's `getblockchaininfo` names it. */
export type NetworkName = 'main' | 'test' | 'testnet4' | 'signet' | 'regtest'

export type AddressRules = {
  readonly p2pkh: number
  /** Version written for P2SH. */
  readonly p2sh: number
  /** Further P2SH versions that are read and rewritten as `p2sh`. */
  readonly p2shLegacy: readonly number[]
  readonly bech32: string
  /** Human-readable part of confidential addresses, undefined where the chain has none. */
  readonly mweb: string | undefined
}

/** The extension block and what follows from it, undefined on chains without one. */
export type MwebRules = {
  /** Blocks before a peg-out may be spent. */
  readonly pegoutMaturity: number
}

export type Network = {
  readonly chain: ChainId
  readonly chainName: string
  readonly symbol: string
  readonly name: NetworkName
  /** Made by whoever runs the node: an old last block is then no sign of a chain still being fetched. */
  readonly isLocal: boolean
  /** The four bytes before every block in Core's block files, as hex. */
  readonly magic: string
  /** In the order people read. */
  readonly genesisHash: string
  readonly address: AddressRules
  readonly mweb: MwebRules | undefined
  /** Blocks that can be undone. */
  readonly undoDepth: number
  /** Smallest unit per 1,000 virtual bytes; no RPC tells it. */
  readonly dustRelayRate: number
  /** Blocks before a coinbase output may be spent. */
  readonly coinbaseMaturity: number
  readonly initialSubsidy: number
  readonly halvingInterval: number
  readonly maxMoney: number
  /** Seconds the network aims at between blocks. */
  readonly blockInterval: number
  /** Blocks between two changes of difficulty. */
  readonly retargetInterval: number
}

/** What a block of this height creates, fees aside. */
export function subsidyAt(network: Network, height: number): number {
  const halvings = Math.floor(height / network.halvingInterval)
  return halvings > 52 ? 0 : Math.floor(network.initialSubsidy / 2 ** halvings)
}
