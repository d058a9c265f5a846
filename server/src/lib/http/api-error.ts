/**
 * An error response: its status, its public code and its message.
 *
 * The code that throws it chooses the code; `http/` serializes it in the shape of the API that received the request.
 * `details` are further fields of that shape, safe to show.
 */
import { GatewatchError } from '../errors.ts'

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

export type TooManyRequestsParts = Omit<ApiErrorParts, 'status' | 'headers'> & { readonly retryAfterSeconds: number }

/** The 429 of a limit, with its Retry-After header. */
export const tooManyRequests = ({ retryAfterSeconds, ...parts }: TooManyRequestsParts): ApiError =>
  new ApiError({ ...parts, status: 429, headers: { 'retry-after': String(retryAfterSeconds) } })
