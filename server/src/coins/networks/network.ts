/**
 * The parameters of a Bitcoin-like network.
 *
 * `bitcoin.ts` and `litecoin.ts` hold the values. Other code branches on these parameters, never on the chain's name.
 */

/** The chain's identifier in the public API. */
export type ChainId = 'btc' | 'ltc'

/** The network's name in Core's `getblockchaininfo`. */
export type NetworkName = 'main' | 'test' | 'testnet4' | 'signet' | 'regtest'

export type AddressRules = {
  readonly p2pkh: number
  /** Version of the P2SH addresses that we write. */
  readonly p2sh: number
  /** Other P2SH versions that we accept and rewrite as `p2sh`. */
  readonly p2shLegacy: readonly number[]
  readonly bech32: string
  /** Human-readable part of confidential addresses, undefined where the chain has none. */
  readonly mweb: string | undefined
}

/** What an extended public key without a descriptor stands for, by its version (SLIP 132). */
export type ExtendedKeyUse = 'pkh' | 'sh(wpkh' | 'wpkh' | 'multisig'

/** Rules of the MimbleWimble extension block. */
export type MwebRules = {
  /** Blocks before a peg-out may be spent. */
  readonly pegoutMaturity: number
}

export type Network = {
  readonly chain: ChainId
  readonly chainName: string
  readonly symbol: string
  readonly name: NetworkName
  /** The operator mines the blocks, so an old tip does not mean that the node is still downloading. */
  readonly isLocal: boolean
  /** The four message-start bytes before every block in Core's block files, as hex. */
  readonly magic: string
  /** In display order (reversed bytes), as Core prints hashes. */
  readonly genesisHash: string
  readonly address: AddressRules
  /** Versions of extended public keys, and the use of each. */
  readonly extendedKeys: ReadonlyMap<number, ExtendedKeyUse>
  /** Undefined on chains without an extension block. */
  readonly mweb: MwebRules | undefined
  /** How many blocks the index can disconnect: it stores undo data for so many. */
  readonly undoDepth: number
  /** Smallest unit per 1,000 virtual bytes. No RPC method returns it. */
  readonly dustRelayRate: number
  /** Blocks before a coinbase output may be spent. */
  readonly coinbaseMaturity: number
  readonly initialSubsidy: number
  readonly halvingInterval: number
  readonly maxMoney: number
  /** Target time between two blocks, in seconds. */
  readonly blockInterval: number
  /** Blocks between two difficulty adjustments. */
  readonly retargetInterval: number
}

/** Returns the block subsidy at a height: the reward without fees. */
export function subsidyAt(network: Network, height: number): number {
  const halvings = Math.floor(height / network.halvingInterval)
  return halvings > 52 ? 0 : Math.floor(network.initialSubsidy / 2 ** halvings)
}
