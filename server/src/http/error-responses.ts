/**
 * Error responses in the shape of the API that was called: v2 for `/api/v2`, the analytics and the coin pages, v1 for
 * everything else.
 *
 * Internal details never reach a client: an unexpected error becomes `internal_error` and is logged with the request id.
 */
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { BlockUnavailableError, NodeUnreachableError } from '../coins/node/node-errors.ts'
import { GatewatchError, reasonOf, systemCodeOf } from '../lib/errors.ts'
import { ApiError } from '../lib/http/api-error.ts'
import { methodNotAllowed } from '../lib/http/path-methods.ts'
import { isStoreOutage } from '../platform/errors.ts'

type Shape = 'v1' | 'v2'

export const shapeOf = (url: string): Shape => (/^\/(api\/v[12]|public\/coins)(\/|\?|$)/.test(url) ? 'v2' : 'v1')

/** Error codes that both APIs have: the v1 spelling and the v2 spelling. */
const V2_CODES = {
  invalid_request: 'INVALID_PARAMETER',
  method_not_allowed: 'METHOD_NOT_ALLOWED',
  not_found: 'NOT_FOUND',
  payload_too_large: 'PAYLOAD_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  uri_too_long: 'URI_TOO_LONG',
  internal_error: 'INTERNAL_ERROR',
  unavailable: 'UNAVAILABLE',
} as const
type CommonCode = keyof typeof V2_CODES

const commonError = (
  shape: Shape,
  status: number,
  code: CommonCode,
  message: string,
  details?: Record<string, unknown>,
) =>
  new ApiError({
    status,
    code: shape === 'v1' ? code : V2_CODES[code],
    message,
    ...(details !== undefined && { details }),
  })

export function bodyOf(error: ApiError, shape: Shape): object {
  const { code, message, details } = error
  if (shape === 'v2') return { success: false, error: message, code, ...details }
  return { error: { code, message, ...(details !== undefined && { details }) } }
}

/** Returns the error handler. It sets `headers` itself if a malformed path was rejected before the hook that sets them. */
export const createErrorHandler =
  (headers: Readonly<Record<string, string>>) =>
  (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
    if (!reply.hasHeader('x-request-id'))
      reply.headers(headers).header('x-request-id', request.id).header('cache-control', 'no-store')
    const body = turnIntoError(thrown, request, reply)
    reply.serializer(JSON.stringify) // the route's serializer is for successful responses
    void reply.send(body)
  }

/** Sets status, code and headers of the error, and returns its body. */
export function turnIntoError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): object {
  const shape = shapeOf(request.url)
  const error = toApiError(thrown, shape, request)
  request.errorCode = error.code
  if (error.status >= 500) logFailure(request, thrown, error)
  reply.status(error.status).headers(error.headers).type('application/json; charset=utf-8')
  return bodyOf(error, shape)
}

/** Logs a 503, which the operator expects while a store or a node is away, without a stack trace. */
function logFailure(request: FastifyRequest, thrown: unknown, { status, code }: ApiError): void {
  const facts = { reqId: request.id, route: request.routeOptions.url }
  if (status === 503) request.log.info({ ...facts, code, reason: reasonOf(thrown) }, 'request refused: not available')
  else request.log.error({ ...facts, err: thrown }, 'request failed')
}

/**
 * Reports whether a path is in normal form: no dot segments, no double slashes, no unnecessary encoding, no host. Paths
 * with two spellings could bypass checks that compare paths.
 */
export function isNormalPath(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return path.startsWith('/') && !/\/\/|\/\.{1,2}(\/|$)|%(2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i.test(path)
}

/**
 * The URL for the router, which refuses a path that cannot be decoded before the hooks run. Its percent signs are escaped,
 * so that such a request is refused after its method and its key are checked, and counts.
 */
export function routableUrl(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return `${path.replaceAll('%', '%25')}${url.slice(path.length)}`
  }
}

export const pathNotDecodable = (url: string): ApiError =>
  commonError(shapeOf(url), 400, 'invalid_request', 'The path has an invalid percent-encoding.')
export const pathNotNormal = (url: string): ApiError =>
  commonError(
    shapeOf(url),
    400,
    'invalid_request',
    'The path is not in normal form. Remove dot segments, double slashes and unnecessary percent-encoding.',
  )
export const hostMissing = (url: string): ApiError =>
  commonError(shapeOf(url), 400, 'invalid_request', 'The Host header is missing.')
export const hostRepeated = (url: string): ApiError =>
  commonError(shapeOf(url), 400, 'invalid_request', 'The Host header is repeated.')

/**
 * Reports whether a request names its host twice. Node keeps the first one; a proxy in front may have used the other.
 */
export function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}
export const notFound = (url: string): ApiError =>
  commonError(shapeOf(url), 404, 'not_found', 'Unknown path. See /docs for all routes.')
/** The 405 of a known path; undefined if `allowed` is empty, because the path is unknown. */
export function wrongMethod(url: string, method: string, allowed: readonly string[]): ApiError | undefined {
  if (allowed.length === 0) return undefined
  // The router knows the path with this method, but does not take a parameter, for example because of a line break in it.
  if (allowed.includes(method)) return commonError(shapeOf(url), 400, 'invalid_request', 'The path is malformed.')
  return methodNotAllowed(shapeOf(url) === 'v1' ? 'method_not_allowed' : V2_CODES.method_not_allowed, method, allowed)
}
export const uriTooLong = (url: string, maxLength: number): ApiError =>
  commonError(shapeOf(url), 414, 'uri_too_long', `The URL is longer than ${maxLength} characters.`)

function toApiError(thrown: FastifyError | Error, shape: Shape, { headers }: FastifyRequest): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (hasZodFastifySchemaValidationErrors(thrown)) return invalidInput(thrown.validation, shape)
  const status = 'statusCode' in thrown ? thrown.statusCode : undefined
  if (status === 414) return commonError(shape, 414, 'uri_too_long', 'The path is too long.')
  if (status === 413) return commonError(shape, 413, 'payload_too_large', 'The body is too large.')
  if (status === 415) return commonError(shape, 415, 'unsupported_media_type', 'Send the body as application/json.')
  if (headers['content-encoding'] !== undefined && isInvalidJson(thrown))
    return commonError(shape, 415, 'unsupported_media_type', 'Send the body without Content-Encoding.')
  if (status !== undefined && status >= 400 && status < 500)
    return commonError(shape, 400, 'invalid_request', clientMessage(thrown))
  // Only text of the request can contain one.
  if (systemCodeOf(thrown) === INVALID_CHARACTER)
    return commonError(shape, 400, 'invalid_request', 'Text must not contain NUL characters.')
  if (isStoreOutage(thrown))
    return commonError(
      shape,
      503,
      'unavailable',
      'The service cannot reach its database at the moment. Try again soon.',
    )
  if (thrown instanceof NodeUnreachableError)
    return commonError(shape, 503, 'unavailable', 'The node of this chain does not answer. Try again later.')
  if (thrown instanceof BlockUnavailableError)
    return commonError(
      shape,
      503,
      'unavailable',
      thrown.isPruned
        ? 'The node of this chain is pruned: it has deleted the block that contains this data.'
        : 'The node of this chain has not downloaded the block that contains this data yet. Try again later.',
    )
  if (thrown instanceof GatewatchError && thrown.retryable)
    return commonError(shape, 503, 'unavailable', 'The service cannot reach a node it depends on. Try again soon.')
  return commonError(
    shape,
    500,
    'internal_error',
    'An internal error occurred. Report the x-request-id of this response to the operator.',
  )
}

/** Fastify's messages are suitable for clients; those of the JSON parser are not. */
const isInvalidJson = (thrown: Error): boolean =>
  thrown instanceof SyntaxError || systemCodeOf(thrown) === 'FST_ERR_CTP_INVALID_JSON_BODY'

const clientMessage = (thrown: Error): string =>
  isInvalidJson(thrown) ? 'The body is not valid JSON.' : thrown.message

type Issue = { readonly instancePath: string; readonly message?: string | undefined; readonly params?: unknown }

/** Reports all faults at once, by parameter. The first fault with a specific code determines the code of the response. */
function invalidInput(issues: readonly Issue[], shape: Shape): ApiError {
  const faults = new Map<string, string>()
  let code: string | undefined
  for (const issue of issues) {
    const { code: specific, keys } = detailsOf(issue)
    code ??= specific
    const at = issue.instancePath
      .split('/')
      .filter((part) => part !== '')
      .join('.')
    for (const name of keys ?? [at === '' ? 'body' : at]) {
      if (!faults.has(name))
        faults.set(name, keys === undefined ? (issue.message ?? 'is not valid') : 'is not a known parameter')
    }
  }
  const message = [...faults].map(([name, reason]) => `${name}: ${reason}`).join('; ')
  const details = shape === 'v1' ? { details: Object.fromEntries(faults) } : {}
  return new ApiError({
    status: 400,
    code: code ?? (shape === 'v1' ? 'invalid_request' : V2_CODES.invalid_request),
    message,
    ...details,
  })
}

/** Returns the specific code of a custom fault, and the names of unknown parameters. */
function detailsOf({ params }: Issue): { code?: string; keys?: readonly string[] } {
  const issue =
    (params as { issue?: { params?: { code?: string }; keys?: readonly string[] } } | undefined)?.issue ??
    (params as { params?: { code?: string }; keys?: readonly string[] } | undefined)
  return {
    ...(issue?.params?.code !== undefined && { code: issue.params.code }),
    ...(issue?.keys !== undefined && { keys: issue.keys }),
  }
}

/** SQLSTATE of a text with a NUL character. */
const INVALID_CHARACTER = '22021'

/** Responses to requests that Node cannot parse, by its error code. */
const UNPARSED: Readonly<Record<string, readonly [status: string, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'The request did not arrive in time.'],
}
const MALFORMED = ['400 Bad Request', 'invalid_request', 'This is not a valid HTTP request.'] as const

/** Responds to requests that Node cannot parse: invalid HTTP, headers too large, client too slow. Then closes the connection. */
export const answerMalformedRequest =
  (nextId: () => string) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, code, message] = UNPARSED[error.code ?? ''] ?? MALFORMED
    const body = JSON.stringify({ error: { code, message } })
    const head = [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${nextId()}`,
      'connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
