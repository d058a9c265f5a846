/**
 * Whatever went wrong, in the shape of the interface the request came through: v2 for `/api/v2`, the analytics
 * beside it and the coin pages, v1 for everything else.
 *
 * Nothing of the inside leaves here: an error nobody meant for a client becomes `internal_error`, and its story goes
 * to the log under the request's id.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { ApiError } from '../lib/api-error.ts'
import { GatewatchError, systemCodeOf } from '../lib/errors.ts'
import { isStoreOutage } from '../platform/errors.ts'

type Shape = 'v1' | 'v2'

export const shapeOf = (url: string): Shape => (/^\/(api\/v[12]|public\/coins)(\/|\?|$)/.test(url) ? 'v2' : 'v1')

/** Codes of refusals that belong to no interface, as each of them spells it. */
const SPELLED = {
  invalid_request: 'INVALID_PARAMETER',
  not_found: 'NOT_FOUND',
  payload_too_large: 'PAYLOAD_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  uri_too_long: 'URI_TOO_LONG',
  internal_error: 'INTERNAL_ERROR',
  unavailable: 'UNAVAILABLE',
} as const
type SharedCode = keyof typeof SPELLED

const shared = (shape: Shape, status: number, code: SharedCode, message: string, details?: Record<string, unknown>) =>
  new ApiError({
    status,
    code: shape === 'v1' ? code : SPELLED[code],
    message,
    ...(details !== undefined && { details }),
  })

export function bodyOf(error: ApiError, shape: Shape): object {
  const { code, message, details } = error
  if (shape === 'v2') return { success: false, error: message, code, ...details }
  return { error: { code, message, ...(details !== undefined && { details }) } }
}

/** `headers` are those of every answer: a path that cannot be read is refused before any hook could set them. */
export const errorAnswerer =
  (headers: Readonly<Record<string, string>>) =>
  (thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
    const shape = shapeOf(request.url)
    const error = toApiError(thrown, shape)
    request.errorCode = error.code
    if (error.status >= 500)
      request.log.error({ reqId: request.id, err: thrown, route: request.routeOptions.url }, 'request failed')
    if (!reply.hasHeader('x-request-id'))
      reply.headers(headers).header('x-request-id', request.id).header('cache-control', 'no-store')
    reply.status(error.status).headers(error.headers).type('application/json; charset=utf-8')
    reply.serializer(JSON.stringify) // the route's schemas are for its successes
    void reply.send(bodyOf(error, shape))
  }

/**
 * Whether the path is written the one plain way: no dot segments, no doubled slashes, nothing encoded that needs no
 * encoding, no host in front. Two spellings of one path are how checks on a path are walked around.
 */
export function isPlainPath(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return path.startsWith('/') && !/\/\/|\/\.{1,2}(\/|$)|%(2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i.test(path)
}

export const pathNotPlain = (url: string): ApiError =>
  shared(
    shapeOf(url),
    400,
    'invalid_request',
    'Write the path plainly: no dot segments, no doubled slashes, no needless encoding.',
  )
export const hostMissing = (url: string): ApiError =>
  shared(shapeOf(url), 400, 'invalid_request', 'Say in the header Host whom you ask.')
export const notFound = (url: string): ApiError =>
  shared(shapeOf(url), 404, 'not_found', 'There is nothing at this address; see /docs.')
export const uriTooLong = (url: string, most: number): ApiError =>
  shared(shapeOf(url), 414, 'uri_too_long', `The address is longer than ${most} characters.`)

function toApiError(thrown: FastifyError | Error, shape: Shape): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (hasZodFastifySchemaValidationErrors(thrown)) return invalidInput(thrown.validation, shape)
  const status = 'statusCode' in thrown ? thrown.statusCode : undefined
  if (status === 413) return shared(shape, 413, 'payload_too_large', 'The body is too large.')
  if (status === 415) return shared(shape, 415, 'unsupported_media_type', 'Send the body as application/json.')
  if (status !== undefined && status >= 400 && status < 500)
    return shared(shape, 400, 'invalid_request', missingSentence(thrown))
  // The text of a request is all that could have one: our own has none.
  if (systemCodeOf(thrown) === CHARACTER_NOT_STORABLE)
    return shared(shape, 400, 'invalid_request', 'Text must not hold NUL characters.')
  if (isStoreOutage(thrown))
    return shared(shape, 503, 'unavailable', 'The service cannot reach its store at the moment; try again soon.')
  // A node that went away in the middle of an answer: it comes back, and nobody here has to look.
  if (thrown instanceof GatewatchError && thrown.retryable)
    return shared(shape, 503, 'unavailable', 'The service cannot reach what it reads from; try again soon.')
  return shared(shape, 500, 'internal_error', 'Something went wrong on our side; the request id names it in our logs.')
}

/** Fastify's own sentences are fit for a client; the words of a JSON parser are not. */
const missingSentence = (thrown: Error): string =>
  thrown instanceof SyntaxError || systemCodeOf(thrown) === 'FST_ERR_CTP_INVALID_JSON_BODY'
    ? 'The body is not valid JSON.'
    : thrown.message

type Issue = { readonly instancePath: string; readonly message?: string | undefined; readonly params?: unknown }

/** Every fault at once, by the name of its parameter. A fault that has a code of its own names the answer. */
function invalidInput(issues: readonly Issue[], shape: Shape): ApiError {
  const faults = new Map<string, string>()
  let code: string | undefined
  for (const issue of issues) {
    const { own, keys } = particularsOf(issue)
    code ??= own
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
    code: code ?? (shape === 'v1' ? 'invalid_request' : SPELLED.invalid_request),
    message,
    ...details,
  })
}

/** Our own code on a custom fault, and the names of unknown keys. */
function particularsOf({ params }: Issue): { own?: string; keys?: readonly string[] } {
  const issue =
    (params as { issue?: { params?: { code?: string }; keys?: readonly string[] } } | undefined)?.issue ??
    (params as { params?: { code?: string }; keys?: readonly string[] } | undefined)
  return {
    ...(issue?.params?.code !== undefined && { own: issue.params.code }),
    ...(issue?.keys !== undefined && { keys: issue.keys }),
  }
}

/** What PostgreSQL says to a NUL in a text. */
const CHARACTER_NOT_STORABLE = '22021'
