/**
 * Parses the body of a JSON-RPC response into one response per request, or one error that refuses them all.
 *
 * Accepts the deviations from JSON-RPC 2.0 that endpoints are known for.
 */
import { printable, reasonOf } from '../../lib/errors.ts'
import { optionalField } from '../../lib/optional-field.ts'
import { ResponseTooLargeError } from './json-reader.ts'
import type { RpcRequest } from './requests.ts'
import {
  classifyHttpError,
  classifyHttpStatus,
  classifyRpcError,
  MalformedError,
  NotFoundError,
  RpcError,
  type RpcErrorDetails,
  type RpcErrorKind,
  rangeHintOf,
} from './rpc-error.ts'

export type RpcResponse =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

/** Returns the responses by request id. */
export function parseResponses(body: unknown, ids: readonly number[]): ReadonlyMap<number, RpcResponse> {
  const items: readonly unknown[] = Array.isArray(body) ? body : [body]
  if (ids.length > 1 && !Array.isArray(body)) {
    // Some providers return one error object for a whole batch.
    if (errorTextOf(body) !== undefined) throw new RefusedError(200, body, undefined)
    throw new MalformedError('the response to a batch is not a list')
  }
  const responses = new Map<number, RpcResponse>()
  for (const item of items) {
    if (typeof item !== 'object' || item === null) throw new MalformedError('a response is not an object')
    const message = errorTextOf(item)
    const single = ids.length === 1 ? ids[0] : undefined
    // An error may have no id when the node could not parse the request.
    const key = idOf(item) ?? (message === undefined ? undefined : single)
    if (key === undefined || !ids.includes(key)) throw new MalformedError('a response matches no request')
    if (message !== undefined) responses.set(key, { error: { code: errorCodeOf(item), message } })
    else if ('result' in item) responses.set(key, { result: item.result })
    else throw new MalformedError('a response has neither result nor error')
  }
  return responses
}

/** Some endpoints return numeric ids as strings. */
function idOf(item: object): number | undefined {
  const id = (item as { id?: unknown }).id
  return typeof id === 'number' ? id : typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : undefined
}

function errorTextOf(body: unknown): string | undefined {
  const error = (body as { error?: unknown } | null | undefined)?.error
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return undefined
  const message = (error as { message?: unknown }).message
  return typeof message === 'string' ? message : 'error without a message'
}

function errorCodeOf(body: unknown): number {
  const code = Number((body as { error?: { code?: unknown } } | null | undefined)?.error?.code)
  return Number.isSafeInteger(code) ? code : 0
}

/** The endpoint refused all requests of a message with one error. */
export class RefusedError extends Error {
  readonly status: number
  readonly text: string | undefined
  readonly rpcCode: number
  readonly retryAfterMs: number | undefined
  constructor(status: number, body: unknown, retryAfterMs: number | undefined) {
    super(`HTTP ${status}`)
    this.status = status
    this.text = errorTextOf(body)
    this.rpcCode = errorCodeOf(body)
    this.retryAfterMs = retryAfterMs
  }
}

/** Statuses of gateways whose node is unreachable. They are unrelated to batches. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524])
const UNRELATED_TO_BATCH: ReadonlySet<RpcErrorKind> = new Set(['rate', 'auth', 'timeout', 'network', 'chain'])

/** Whether the endpoint's message names the batch: providers use codes for it that mean "rate limit" elsewhere. */
export const mentionsBatch = ({ kind, detail }: RpcError): boolean => kind !== 'reverted' && /batch/i.test(detail)

/** Whether the same requests may succeed in smaller batches. */
export function mayFitSmallerBatch(thrown: unknown, error: RpcError): boolean {
  if (thrown instanceof RefusedError && GATEWAY_STATUSES.has(thrown.status)) return false
  return mentionsBatch(error) || !UNRELATED_TO_BATCH.has(error.kind)
}

export type Outcome = { readonly value: unknown } | RpcError

/** Builds the errors of one endpoint: each names the host and has the URL's secrets removed. */
export type EndpointErrors = {
  readonly create: (kind: RpcErrorKind, detail: string, details?: RpcErrorDetails) => RpcError
  /** Converts any thrown value. `tooLarge`: what a response beyond its limit means. */
  readonly from: (thrown: unknown, method?: string, tooLarge?: RpcErrorKind) => RpcError
  readonly outcomeOf: (
    request: RpcRequest<unknown>,
    response: RpcResponse | undefined,
    retryAfterMs: number | undefined,
  ) => Outcome
}

export function endpointErrors(host: string, secrets: readonly string[]): EndpointErrors {
  const create: EndpointErrors['create'] = (kind, detail, details) =>
    new RpcError(host, kind, removeSecrets(detail, secrets).slice(0, MAX_DETAIL_LENGTH), details)

  const from: EndpointErrors['from'] = (thrown, method, tooLarge = 'shape') => {
    if (thrown instanceof RpcError) return thrown
    if (thrown instanceof RefusedError) return fromRefusal(thrown)
    const prefix = method === undefined ? '' : `${method}: `
    if (thrown instanceof ResponseTooLargeError)
      return create(tooLarge, `${prefix}${thrown.message}`, { cause: thrown })
    if (thrown instanceof NotFoundError) return create('missing', `${prefix}${thrown.message}`, { cause: thrown })
    if (thrown instanceof MalformedError || thrown instanceof SyntaxError)
      return create('shape', `${prefix}${thrown.message}`, { cause: thrown })
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown
    return create('network', `cannot be reached: ${reasonOf(cause)}`, { cause: thrown })
  }

  const fromRefusal = ({ status, text, rpcCode, retryAfterMs }: RefusedError): RpcError => {
    const after = optionalField('retryAfterMs', retryAfterMs)
    if (text === undefined) return create(classifyHttpStatus(status), `HTTP ${status}`, after)
    const kind = classifyHttpError(status, rpcCode, text)
    return create(kind, `HTTP ${status}: ${text}`, { ...after, ...optionalField('hint', rangeHintOf(text)) })
  }

  return {
    create,
    from,
    outcomeOf: (request, response, retryAfterMs) => {
      try {
        if (response === undefined) throw new MalformedError('a batch response is incomplete')
        if (!('error' in response)) return { value: request.parse(response.result) }
        const { code, message } = response.error
        const kind = classifyRpcError(code, message)
        return create(kind, `${request.method}: ${message} (${code})`, {
          ...optionalField('hint', kind === 'range' ? rangeHintOf(message) : undefined),
          ...optionalField('retryAfterMs', retryAfterMs),
        })
      } catch (error) {
        return from(error, request.method)
      }
    },
  }
}

const MAX_DETAIL_LENGTH = 300

/** A provider's message may quote the API key it refuses. */
export function removeSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), printable(text.slice(0, 2_000)))
}
