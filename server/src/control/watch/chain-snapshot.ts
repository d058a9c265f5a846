/**
 * What the follower knows right now, for those who work beside it: the second pass and the backfill.
 *
 * They take a snapshot before they ask a node and hand its `reorgs` to the store with what they found: if the chain
 * was rewound in between, the store refuses it and they ask again.
 */

import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Log } from '../rpc/parse.ts'
import type { EndpointId } from '../rpc/pool.ts'
import type { StoredBlock } from './watch-store.ts'

export type ChainSnapshot = {
  readonly chain: string
  readonly cursor: StoredBlock
  readonly head: number
  readonly startBlock: number
  readonly verifiedTo: number
  readonly reorgs: number
  /** Blocks at or above this number may still be undone. */
  readonly keepFrom: number
  readonly window: readonly StoredBlock[]
  /** The endpoint the follower reads from. */
  readonly reader: EndpointId
}

/** The endpoint's blocks are not ours: one of us is about to learn of a reorganisation. */
export class OtherBranchError extends GatewatchError {
  override readonly code = 'not_our_chain'
  override readonly retryable = true
  constructor(chain: string, block: number) {
    super(`${chain}: an endpoint gave logs of another block ${block} than ours`)
  }
}

/** What is known of the blocks that may still be undone; final ones are known by number alone. */
export function blocksByNumber({ window }: ChainSnapshot): ReadonlyMap<number, StoredBlock> {
  return new Map(window.map((block) => [block.number, block]))
}

export function assertOurs(live: ChainSnapshot, blocks: ReadonlyMap<number, StoredBlock>, logs: readonly Log[]): void {
  for (const { blockNumber, blockHash } of logs) {
    const ours: Hex | undefined = blocks.get(blockNumber)?.hash
    if (ours === undefined ? blockNumber >= live.keepFrom : ours !== blockHash)
      throw new OtherBranchError(live.chain, blockNumber)
  }
}
