/**
 * A refusal that reaches a client: its status, its public code and a sentence.
 *
 * Knows no interface: codes are given by whoever refuses, and `http/` puts them into the shape of the interface the
 * request came through. `details` is what that shape adds (named facts, safe to show).
 */
import { GatewatchError } from './errors.ts'

export type ApiErrorParts = {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export class ApiError extends GatewatchError {
  override readonly code: string
  override readonly retryable: boolean
  readonly status: number
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor({ status, code, message, details, headers = {} }: ApiErrorParts) {
    super(message)
    this.code = code
    this.status = status
    this.retryable = status === 429 || status === 503
    this.details = details
    this.headers = headers
  }
}
