/** An error response of the service. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }

  /** Whether the request itself is wrong, so that it fails again. */
  get isRefusal(): boolean {
    return this.status === 400
  }

  /** The message for a page that names its only parameter itself: `txid: must be …` → `Must be …`. */
  get sentence(): string {
    return sentenceOf(this.message.replace(/^[a-z]\w*: (?!.*; [a-z]\w*: )/, ''))
  }
}

/** `must be at most 5` → `Must be at most 5.` */
export const sentenceOf = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

type V1Body = { readonly error: { readonly code: string; readonly message: string } }
type V2Body = { readonly success: false; readonly error: string; readonly code: string }

/** Reads the error body of either API. Any other body becomes an error with the code `unknown`. */
export function apiErrorOf(status: number, body: unknown): ApiError {
  if (typeof body === 'object' && body !== null && 'error' in body) {
    const { error } = body as V1Body | V2Body
    if (typeof error === 'object') return new ApiError(status, error.code, error.message)
    return new ApiError(status, (body as V2Body).code, error)
  }
  return new ApiError(status, 'unknown', `The service responded with status ${status}.`)
}
