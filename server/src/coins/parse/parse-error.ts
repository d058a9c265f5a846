import { GatewatchError } from '../../lib/errors.ts'

/** Bytes that are not a valid block or transaction. Not retryable: the same bytes fail again. */
export class ParseError extends GatewatchError {
  override readonly code = 'parse_error'
  override readonly retryable = false
  /** The field that was being read, and what is wrong with it. */
  readonly what: string
  /** Byte offset of the error, -1 if it has none. */
  readonly offset: number

  constructor(what: string, offset = -1) {
    super(offset < 0 ? what : `${what} at byte ${offset}`)
    this.what = what
    this.offset = offset
  }
}
