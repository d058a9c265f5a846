/** A response that is not a success, in the error format of either API. */
export class ResponseError extends Error {
  readonly status: number
  /** The code of the error, such as `invalid_cursor` or `INVALID_ADDRESS`. */
  readonly code: string
  constructor(status: number, body: unknown) {
    const { code, message } = readError(body)
    super(message ?? `The service returned status ${status}.`)
    this.name = 'ResponseError'
    this.status = status
    this.code = code ?? 'unknown'
  }
}

/** `{"error": {"code", "message"}}` of v1, `{"error": "message", "code"}` of v2. */
function readError(body: unknown): { readonly code?: string | undefined; readonly message?: string | undefined } {
  const error = fieldOf(body, 'error')
  if (typeof error === 'object')
    return { code: textOf(fieldOf(error, 'code')), message: textOf(fieldOf(error, 'message')) }
  return { code: textOf(fieldOf(body, 'code')), message: textOf(error) }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? (value as Record<string, unknown>)[name] : undefined

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
