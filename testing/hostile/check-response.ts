/** Checks what must hold for the response to any request. */
import assert from 'node:assert/strict'
import { shapeOf } from '../../server/src/http/error-responses.ts'
import { openApiCheck } from '../support/openapi-check.ts'
import type { HostileRequest } from './environment.ts'
import type { RawResponse } from './exchange.ts'
import { areaOf } from './operations.ts'

/** Text that exposes internals: stack traces, SQL, file paths, error types. */
const INTERNALS =
  /\n\s+at |node_modules|node:internal|\.ts:\d|ZodError|TypeError|RangeError|SyntaxError|ECONN|syntax error at|invalid input syntax|violates|relation "|column "|\bselect .+ from\b|insert into|out of range for type|byte sequence for encoding|\/(tmp|home|root|usr|var)\//i

/** Statuses that a valid request never gets. 404 and 409 are possible: a concurrent request may delete the resource. */
const REFUSALS = [400, 401, 403, 405, 413, 414, 415]

const checkOpenApi = openApiCheck()

/** Reports whether a target matches a path template such as `/v1/protocols/{slug}`. */
const matchesPath = (path: string, target: string): boolean => {
  const pattern = path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/?]+')
  return new RegExp(`^${pattern}$`).test(target.split('?')[0] ?? '')
}

/** Throws an `AssertionError` if the response is invalid. */
export function checkResponse(request: HostileRequest, response: RawResponse): void {
  checkShape(request, response)
  checkStatus(request, response)
}

/** The bounds of better-auth's routes are not documented, and a badge request always returns an image. */
function checkStatus({ operation, aim }: HostileRequest, { status }: RawResponse): void {
  if (areaOf(operation) === 'auth' || operation.path.startsWith('/badge/')) return
  if (aim === 'valid') assert.ok(!REFUSALS.includes(status), `a valid request got ${status}`)
  if (aim === 'bound') assert.ok(status !== 401 && status !== 403, `an authorized account got ${status}`)
  if (aim === 'beyond') assert.ok(status >= 400, `a forbidden value got ${status}`)
}

function checkShape({ operation, method, target }: HostileRequest, response: RawResponse): void {
  const { status, headers, text } = response
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/, 'no request id')
  assert.equal(headers.get('x-injected'), null, 'a header was injected')
  assert.doesNotMatch(text, INTERNALS, 'the response exposes internals')
  // Bytes that are not HTTP are refused before a route, and so the API, is known.
  if (headers.get('content-security-policy') === null) {
    assert.ok([400, 408, 431].includes(status), `${status} without the security headers`)
    return assertErrorShape('/', JSON.parse(text))
  }
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
  if (type !== 'application/json')
    assert.doesNotMatch(text, /<script>alert|<svg onload/, 'the response echoes markup unescaped')
  if (method === 'HEAD') return assert.ok(status < 500 && text === '', `HEAD got ${status}`)
  const body: unknown = type === 'application/json' ? JSON.parse(text) : text
  // 503 is invalid too: everything is available here, and no request may make it unavailable.
  assert.ok(status < 500, `got ${status}`)
  // better-auth's responses are not documented; its errors must have a message.
  if (target.startsWith('/api/auth/')) return assertAuthResponse(status, body)
  if (method.toLowerCase() === operation.method && matchesPath(operation.path, target) && status !== 304)
    checkOpenApi(operation.path, { status, headers, body }, operation.method)
  else if (status >= 400 && type === 'application/json') assertErrorShape(target, body)
}

type AuthError = { readonly message?: unknown }

function assertAuthResponse(status: number, body: unknown): void {
  if (status < 400 || body === '') return
  const failure = body as (AuthError & { error?: AuthError }) | null
  assert.equal(typeof (failure?.error ?? failure)?.message, 'string', 'an error without a message')
}

/** Checks the error shape of the API, where no route defines one. */
export function assertErrorShape(target: string, body: unknown): void {
  if (shapeOf(target) === 'v2') {
    const { success, error, code } = body as { success?: unknown; error?: unknown; code?: unknown }
    assert.deepEqual([success, typeof error, typeof code], [false, 'string', 'string'], 'not the error shape of v2')
  } else {
    const { code, message } = (body as { error?: { code?: unknown; message?: unknown } }).error ?? {}
    assert.deepEqual([typeof code, typeof message], ['string', 'string'], 'not the error shape of v1')
  }
}
