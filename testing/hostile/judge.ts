/** Whether an answer keeps every promise that holds whatever was asked. */
import assert from 'node:assert/strict'
import { shapeOf } from '../../server/src/http/error-responses.ts'
import { openApiCheck } from '../support/openapi-check.ts'
import type { HostileRequest } from './environment.ts'
import type { Answer } from './exchange.ts'
import { areaOf } from './operations.ts'

/** Words of the inside: stacks, statements, files, types of errors. */
const INSIDE =
  /\n\s+at |node_modules|node:internal|\.ts:\d|ZodError|TypeError|RangeError|SyntaxError|ECONN|syntax error at|invalid input syntax|violates|relation "|column "|\bselect .+ from\b|insert into|out of range for type|byte sequence for encoding|\/(tmp|home|root|usr|var)\//i

/** What nobody is told who may ask and asks rightly. What is asked for may have gone a moment ago (404, 409). */
const FOR_OTHERS = [400, 401, 403, 405, 413, 414, 415]

const check = openApiCheck()

/** `/v1/protocols/{slug}` → whether a target leads there. */
const leadsTo = (path: string, target: string): boolean => {
  const pattern = path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/?]+')
  return new RegExp(`^${pattern}$`).test(target.split('?')[0] ?? '')
}

export function judge(request: HostileRequest, answer: Answer): void {
  judgeShape(request, answer)
  judgeAim(request, answer)
}

/** better-auth's routes have bounds that are described nowhere; a badge is a picture whatever is asked. */
function judgeAim({ operation, aim }: HostileRequest, { status }: Answer): void {
  if (areaOf(operation) === 'auth' || operation.path.startsWith('/badge/')) return
  if (aim === 'right') assert.ok(!FOR_OTHERS.includes(status), `what is right was answered ${status}`)
  if (aim === 'bound') assert.ok(status !== 401 && status !== 403, `whoever may ask was answered ${status}`)
  if (aim === 'beyond') assert.ok(status >= 400, `what is not allowed was answered ${status}`)
}

function judgeShape({ operation, method, target }: HostileRequest, answer: Answer): void {
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
  // Not 503 either: nothing is away in this world, and no request may take anything away.
  assert.ok(status < 500, `answered ${status}`)
  // better-auth's own answers are described nowhere; what is refused there is told by a sentence.
  if (target.startsWith('/api/auth/')) return assertAuthAnswer(status, body)
  if (method.toLowerCase() === operation.method && leadsTo(operation.path, target) && status !== 304)
    check(operation.path, { status, headers, body }, operation.method)
  else if (status >= 400 && type === 'application/json') assertRefusal(target, body)
}

type Told = { readonly message?: unknown }

function assertAuthAnswer(status: number, body: unknown): void {
  if (status < 400 || body === '') return
  const told = body as (Told & { error?: Told }) | null
  assert.equal(typeof (told?.error ?? told)?.message, 'string', 'a refusal without a message')
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
