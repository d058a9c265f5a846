/**
 * A chain that requests are served from: index, mempool view and block source, and whether they are synced.
 *
 * `chain-service.ts` creates it and keeps it current.
 */
import type { LoopFault } from '../../lib/supervise.ts'
import { type CoinIndex, findBlockRow, findTip } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { withSnapshot } from '../index/kv.ts'
import type { MempoolView } from '../mempool/mempool-view.ts'
import type { ChainId, Network } from '../networks/network.ts'
import type { BlockRef, BlockSource } from '../node/block-source.ts'
import type { CoreNode } from '../node/core-node.ts'
import { hashHex } from '../parse/block.ts'
import type { Projector } from './project-mempool.ts'
import type { TransactionLoader } from './transaction-loader.ts'

/** The last known state of the block source. */
export type SourceState = {
  /** Undefined before the first response. */
  readonly tip: BlockRef | undefined
  /** The node is in initial block download. */
  readonly isDownloading: boolean
  /** See `isSameChain`. */
  readonly hasSameChain: boolean
  readonly mempoolSize: number
}

/** The node methods that the fee service uses. */
export type FeeNode = Pick<CoreNode, 'getMempoolInfo' | 'findFeeDiagram' | 'findFeeEstimate'>

/** The node methods that test and send transactions. */
export type Relay = Pick<CoreNode, 'getRelayPolicy' | 'getMempoolEntries' | 'testAccept' | 'send' | 'submitPackage'>

export type ServedChain = {
  readonly network: Network
  readonly index: CoinIndex
  readonly mempool: MempoolView
  readonly source: BlockSource
  /** Projects the mempool in a thread; by default in the thread of the request. */
  readonly projector?: Projector
  /** Undefined if the source is block files. */
  readonly node?: FeeNode | undefined
  /** Undefined if the source is block files. */
  readonly relay?: Relay | undefined
  /** The block source as the status page shows it. */
  readonly sourceName: string
  readonly loader: TransactionLoader
  readonly state: () => SourceState
}

/** The chains of this process. */
export type ServedChains = {
  /** Undefined while the index cannot be read. */
  readonly find: (chain: ChainId) => ServedChain | undefined
  /** The loops of a chain in this process that do not work. */
  readonly faultsOf?: (chain: ChainId) => readonly CoinFault[]
}

/**
 * The writer keeps the index at the node's tip and the merge keeps it compact; the reader serves it, with the mempool
 * on top of it.
 */
export const COIN_LOOPS = ['reader', 'mempool', 'writer', 'merge'] as const
export type CoinLoop = (typeof COIN_LOOPS)[number]
export type CoinFault = LoopFault & { readonly chain: ChainId; readonly loop: CoinLoop }

/** Blocks that the index may be behind its node and still count as synced. */
export const ALLOWED_LAG = 2

export function isSynced(chain: ServedChain): boolean {
  const { tip, isDownloading, hasSameChain } = chain.state()
  const own = indexTip(chain.index)
  if (own === undefined || tip === undefined || isDownloading) return false
  return hasSameChain && tip.height - own.height <= ALLOWED_LAG
}

/** Returns a chain if it is synced. */
export function findSynced(chains: ServedChains, id: ChainId): ServedChain | undefined {
  const chain = chains.find(id)
  return chain !== undefined && isSynced(chain) ? chain : undefined
}

/**
 * Whether source and index have the same block `ALLOWED_LAG` below the tip of the index. The blocks above it may
 * differ, because the index writer may not have replaced them yet.
 */
export async function isSameChain(source: Pick<BlockSource, 'findHash'>, { kv }: CoinIndex): Promise<boolean> {
  const ours = withSnapshot(kv, (reader) => {
    const tip = findTip(reader)
    if (tip === undefined) return undefined
    const height = Math.max(0, tip.height - ALLOWED_LAG)
    const row = findBlockRow(reader, height)
    return row === undefined ? undefined : { height, hash: hashHex(row.hash) }
  })
  return ours !== undefined && (await source.findHash(ours.height)) === ours.hash
}
