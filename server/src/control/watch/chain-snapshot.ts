/**
 * The state of a chain as the follower last saw it, for the second pass and the backfill.
 *
 * They take a snapshot before they read, and pass its `reorgs` to the store with the events found: if a reorg happened
 * in between, the store refuses the step and they read again.
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
  /** A reorg may still replace the blocks above this one. */
  readonly lastFinalized: number
  readonly window: readonly StoredBlock[]
  /** The endpoint the follower reads from. */
  readonly endpoint: EndpointId
}

/** An endpoint returned logs of a block that is not on the stored chain: a reorg is about to be detected. */
export class OtherBranchError extends GatewatchError {
  override readonly code = 'other_branch'
  override readonly retryable = true
  constructor(chain: string, block: number) {
    super(`${chain}: an endpoint returned logs of block ${block} on another branch`)
  }
}

/** The blocks of the window by number. Finalized blocks are identified by number alone. */
export function blocksByNumber({ window }: ChainSnapshot): ReadonlyMap<number, StoredBlock> {
  return new Map(window.map((block) => [block.number, block]))
}

/** Throws if a log belongs to a block that is not on the stored chain. */
export function assertOnChain(
  snapshot: ChainSnapshot,
  blocks: ReadonlyMap<number, StoredBlock>,
  logs: readonly Log[],
): void {
  for (const { blockNumber, blockHash } of logs) {
    const stored: Hex | undefined = blocks.get(blockNumber)?.hash
    if (stored === undefined ? blockNumber > snapshot.lastFinalized : stored !== blockHash)
      throw new OtherBranchError(snapshot.chain, blockNumber)
  }
}
