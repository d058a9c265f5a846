/** Errors of the coin index. */
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import type { Network } from '../networks/network.ts'
import { SourceError } from '../node/node-errors.ts'

/** A block spends a coin that the index does not contain: the index is damaged, or the chain is invalid. */
export class MissingCoinError extends GatewatchError {
  override readonly code = 'missing_coin'
  override readonly retryable = false

  constructor(height: number, outpoint: string) {
    super(`block ${height} spends ${outpoint}, which is not in the UTXO set`)
  }
}

/** The block does not extend the tip. */
export class NotNextBlockError extends GatewatchError {
  override readonly code = 'not_next_block'
  // The next round finds the fork point and disconnects blocks first.
  override readonly retryable = true

  constructor(height: number) {
    super(`the block for height ${height} does not extend the tip`)
  }
}

/** The stored index belongs to another chain or to another format version. */
export class ForeignIndexError extends SourceError {
  override readonly code = 'foreign_index'
  override readonly retryable = false
}

/** A reorganization disconnects more blocks than the index has undo data for. */
export class ReorgTooDeepError extends GatewatchError {
  override readonly code = 'reorg_too_deep'
  // The operator must check the node and then rebuild the index.
  override readonly retryable = false

  constructor(height: number, { chain, undoDepth }: Pick<Network, 'chain' | 'undoDepth'>) {
    super(
      `the node's chain and the index still differ at block ${height}, deeper than the ${undoDepth} blocks that can be ` +
        `disconnected; check that it is the right node, then stop Gatewatch and run gatewatch reindex ${chain}`,
    )
  }
}

/** A node in initial download follows another chain than the index. */
export class OtherChainError extends SourceError {
  override readonly code = 'other_chain'
  // The operator must check the node and then rebuild the index.
  override readonly retryable = true

  constructor(node: string, height: number, { chain }: Pick<Network, 'chain'>) {
    super(
      node,
      `the node is downloading another chain than the index contains: their blocks at height ${height} differ; check that it ` +
        `is the right node, then stop Gatewatch and run gatewatch reindex ${chain}`,
    )
  }
}

/** A commit failed. Earlier commits are intact. */
export class IndexWriteError extends SourceError {
  override readonly code = 'index_write_failed'
  override readonly retryable = true

  constructor(path: string, freeBytes: number | undefined, cause: unknown) {
    const free = freeBytes === undefined ? '' : `, ${Math.floor(freeBytes / 1e6)} MB are free`
    super(
      path,
      `the index could not be written (${reasonOf(cause)}${free}). Most often the disk is full: free some ` +
        'space. No stored data is lost, and the writer retries',
      cause,
    )
  }
}

/** Another index is at the path now, or none: this one was deleted while it was open. */
export class IndexReplacedError extends GatewatchError {
  override readonly code = 'index_replaced'
  override readonly retryable = true
  constructor(path: string) {
    super(`the index at ${path} was replaced; opening the new one`)
  }
}

/** A command would change an index that a running process uses. */
export class IndexInUseError extends GatewatchError {
  override readonly code = 'index_in_use'
  override readonly retryable = false
  constructor(chain: string, pids: readonly number[]) {
    super(
      `The ${chain} index is in use by process ${pids.join(', ')}. Stop every process with the roles index and serve on this machine first.`,
    )
  }
}
