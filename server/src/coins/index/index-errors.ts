/** What can go wrong with the index itself. */
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import type { Network } from '../networks/network.ts'

/** A block spends a coin the index does not hold: the index is damaged, or the blocks are not a valid chain. */
export class MissingCoinError extends GatewatchError {
  override readonly code = 'missing_coin'
  override readonly retryable = false
  readonly height: number
  readonly outpoint: string

  constructor(height: number, outpoint: string) {
    super(`block ${height} spends ${outpoint}, which is not among the unspent coins`)
    this.height = height
    this.outpoint = outpoint
  }
}

/** The block does not follow the last one. */
export class NotNextBlockError extends GatewatchError {
  override readonly code = 'not_next_block'
  // The caller asks the node again and rewinds first.
  override readonly retryable = true
  readonly height: number

  constructor(height: number) {
    super(`the block offered for height ${height} does not follow the last one`)
    this.height = height
  }
}

/** The stored index belongs to another chain, or to another version of this program. */
export class ForeignIndexError extends GatewatchError {
  override readonly code = 'foreign_index'
  override readonly retryable = false
  readonly path: string
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`)
    this.path = path
  }
}

/** More blocks would have to be undone than the index can. */
export class ReorgTooDeepError extends GatewatchError {
  override readonly code = 'reorg_too_deep'
  // The node will not change its mind: a person must look at it, then have the index built anew.
  override readonly retryable = false
  readonly height: number

  constructor(height: number, { chain, undoDepth }: Pick<Network, 'chain' | 'undoDepth'>) {
    super(
      `the node's chain and the index still differ at block ${height}, deeper than the ${undoDepth} blocks that can be ` +
        `undone; check that it is the right node, then stop Gatewatch and run gatewatch reindex ${chain}`,
    )
    this.height = height
  }
}

/** The store did not take a change. What was committed before is whole. */
export class IndexWriteError extends GatewatchError {
  override readonly code = 'index_write_failed'
  override readonly retryable = true
  readonly path: string

  constructor(path: string, freeBytes: number | undefined, cause: unknown) {
    const free = freeBytes === undefined ? '' : `, ${Math.floor(freeBytes / 1e6)} MB are free`
    super(
      `${path}: the index could not be written (${reasonOf(cause)}${free}); most often the disk is full. Make room: ` +
        'nothing that was stored is lost, and it goes on by itself',
      { cause },
    )
    this.path = path
  }
}
