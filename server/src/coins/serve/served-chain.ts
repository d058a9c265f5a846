/**
 * A chain as the endpoints see it: index, mempool view and the source of transaction bytes, with how far they are.
 *
 * Owns the rule of when an answer may be given. `serve-chain.ts` makes and feeds it.
 */
import { ApiError } from '../../lib/api-error.ts'
import { type CoinIndex, findBlockRow, findTip } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { withSnapshot } from '../index/kv.ts'
import type { MempoolView } from '../mempool/mempool-view.ts'
import type { ChainId, Network } from '../networks/network.ts'
import type { BlockRef, BlockSource } from '../node/block-source.ts'
import type { CoreNode } from '../node/core-node.ts'
import { hashHex } from '../parse/block.ts'
import type { TransactionLoader } from './transaction-loader.ts'

/** What the source said last. */
export type SourceState = {
  /** Undefined until it answered. */
  readonly tip: BlockRef | undefined
  /** It is still fetching the chain itself. */
  readonly isDownloading: boolean
  /** It has the chain of the index, see `isSameChain`. */
  readonly isOurChain: boolean
  readonly mempoolSize: number
}

/** What is asked about fees. */
export type FeeNode = Pick<CoreNode, 'getMempoolInfo' | 'findFeeDiagram' | 'findFeeEstimate'>

export type ServedChain = {
  readonly network: Network
  readonly index: CoinIndex
  readonly mempool: MempoolView
  readonly source: BlockSource
  /** Undefined with block files alone. */
  readonly node?: FeeNode | undefined
  /** What answers rest on, for people. */
  readonly sourceName: string
  readonly loader: TransactionLoader
  readonly state: () => SourceState
}

/** The chains this process can answer for; undefined while a chain's index cannot be read yet. */
export type ServedChains = { readonly find: (chain: ChainId) => ServedChain | undefined }

/** Blocks the index may be behind and still answer: a block is found at any moment, and indexed a moment later. */
export const ALLOWED_LAG = 2

export function isSynced(chain: ServedChain): boolean {
  const { tip, isDownloading, isOurChain } = chain.state()
  const own = indexTip(chain.index)
  if (own === undefined || tip === undefined || isDownloading) return false
  return isOurChain && tip.height - own.height <= ALLOWED_LAG
}

/** The chain, if its index has reached its node. */
export function findSynced(chains: ServedChains, id: ChainId): ServedChain | undefined {
  const chain = chains.find(id)
  return chain !== undefined && isSynced(chain) ? chain : undefined
}

/**
 * Whether the source's chain is the one the index has. The last blocks may differ or be missing, as many as the index
 * may be behind: they are exchanged a moment later, like new ones.
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

export function notSynced(chain: string): ApiError {
  return new ApiError({
    status: 503,
    code: 'NODE_NOT_SYNCED',
    message: `The index of ${chain} has not reached its node yet.`,
  })
}
