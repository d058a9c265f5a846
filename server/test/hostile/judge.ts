/** Whether an answer keeps every promise that holds whatever was asked. */
import assert from 'node:assert/strict'
import { shapeOf } from '../../src/http/error-shapes.ts'
import { openApiCheck } from '../support/openapi-check.ts'
import type { Answer } from './exchange.ts'
import type { HostileRequest } from './requests.ts'

/** Words of the inside: stacks, statements, files, types of errors. */
const INSIDE =
  /\n\s+at |node_modules|node:internal|\.ts:\d|ZodError|TypeError|RangeError|SyntaxError|ECONN|syntax error at|invalid input syntax|violates|relation "|column "|\bselect .+ from\b|insert into|out of range for type|byte sequence for encoding|\/(tmp|home|root|usr|var)\//i

/** States of the service itself, not faults: a chain that is not (yet) served, a store that is away. */
const KNOWN_503 = new Set(['NODE_NOT_SYNCED', 'unavailable'])

const check = openApiCheck()

/** `/v1/protocols/{slug}` → whether a target leads there. */
const leadsTo = (path: string, target: string): boolean => {
  const pattern = path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/?]+')
  return new RegExp(`^${pattern}$`).test(target.split('?')[0] ?? '')
}

export function judge({ operation, method, target }: HostileRequest, answer: Answer): void {
  const { status, headers, text } = answer
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f]{12}-[0-9a-z]+$/, 'no request id')
  assert.equal(headers.get('x-injected'), null, 'a header was injected')
  assert.doesNotMatch(text, INSIDE, 'the answer tells of the inside')
  // Bytes that are no HTTP are refused before any route, and so any interface, is known.
  if (headers.get('content-security-policy') === null) {
    assert.ok([400, 408, 431].includes(status), `answered ${status} without the headers of every answer`)
    return assertRefusal('/', JSON.parse(text))
  }
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
  if (type !== 'application/json') assert.doesNotMatch(text, /<script>alert|<svg onload/, 'markup came back as markup')
  if (method === 'HEAD') return assert.ok(status < 500 && text === '', `HEAD answered ${status}`)
  const body: unknown = type === 'application/json' ? JSON.parse(text) : text
  if (status >= 500) {
    const { code, error } = body as { code?: string; error?: { code?: string } }
    assert.ok(status === 503 && KNOWN_503.has(code ?? error?.code ?? ''), `answered ${status}`)
  }
  // better-auth's own answers are described nowhere; what is refused there is told by a sentence.
  if (target.startsWith('/api/auth/')) return assertAuthAnswer(status, body)
  if (method.toLowerCase() === operation.method && leadsTo(operation.path, target) && status !== 304)
    check(operation.path, { status, headers, body }, operation.method)
  else if (status >= 400 && type === 'application/json') assertRefusal(target, body)
}

type Told = { readonly message?: unknown }

function assertAuthAnswer(status: number, body: unknown): void {
  if (status < 400 || body === '') return
  const told = body as Told & { error?: Told }
  assert.equal(typeof (told.error ?? told).message, 'string', 'a refusal without a message')
}

/** The shape of the interface, where no route says more. */
export function assertRefusal(target: string, body: unknown): void {
  if (shapeOf(target) === 'v2') {
    const { success, error, code } = body as { success?: unknown; error?: unknown; code?: unknown }
    assert.deepEqual([success, typeof error, typeof code], [false, 'string', 'string'], 'not the shape of v2')
  } else {
    const { code, message } = (body as { error?: { code?: unknown; message?: unknown } }).error ?? {}
    assert.deepEqual([typeof code, typeof message], ['string', 'string'], 'not the shape of v1')
  }
}
