import { GatewatchError } from '../../lib/errors.ts'

/** Bytes that are not what they were taken for. Never retryable: the same bytes will not read better. */
export class ParseError extends GatewatchError {
  override readonly code = 'parse_error'
  override readonly retryable = false
  /** What was being read, in the field's words. */
  readonly what: string
  /** Where in the bytes, -1 when the fault has no place. */
  readonly offset: number

  constructor(what: string, offset = -1) {
    super(offset < 0 ? what : `${what} at byte ${offset}`)
    this.what = what
    this.offset = offset
  }
}
