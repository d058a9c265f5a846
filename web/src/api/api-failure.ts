/** A refusal in the words of the service. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type V1Refusal = { readonly error: { readonly code: string; readonly message: string } }
type V2Refusal = { readonly success: false; readonly error: string; readonly code: string }

/** Both interfaces' shapes of a refusal; anything else is an answer we do not know. */
export function failureOf(status: number, body: unknown): ApiFailure {
  if (typeof body === 'object' && body !== null && 'error' in body) {
    const { error } = body as V1Refusal | V2Refusal
    if (typeof error === 'object') return new ApiFailure(status, error.code, error.message)
    return new ApiFailure(status, (body as V2Refusal).code, error)
  }
  return new ApiFailure(status, 'unknown', `The service answered with status ${status}.`)
}
