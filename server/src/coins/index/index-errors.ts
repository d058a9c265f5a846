/** What can go wrong with the index itself. */
import { GatewatchError } from '../../lib/errors.ts'

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
export class RewindTooDeepError extends GatewatchError {
  override readonly code = 'rewind_too_deep'
  override readonly retryable = false
  readonly height: number

  constructor(height: number) {
    super(`block ${height} cannot be undone: it is deeper than the index keeps undo data for; reindex`)
    this.height = height
  }
}
