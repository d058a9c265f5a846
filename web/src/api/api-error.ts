/** An error response of the service. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

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
