/** A client of the v1 API that validates every response against `openapi.json`. */
import assert from 'node:assert/strict'
import type { TestClock } from './clock.ts'
import { type OpenApiCheck, openApiCheck } from './openapi-check.ts'
import type { Service } from './service.ts'

/** The body has the type that the test expects. */
export type V1Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: ReturnType<typeof JSON.parse>
}

export type V1Caller = (path: string, bearer?: string | null, init?: RequestInit) => Promise<V1Answer>

/** Advances the service's clock by more than a second between calls, to stay under sixty a minute. */
export function v1Caller({ url }: Service, clock: TestClock, key: string): V1Caller {
  const check = openApiCheck()
  return async (path, bearer = key, init = {}) => {
    clock.advance(1_100)
    const headers = new Headers(init.headers)
    if (bearer !== null) headers.set('authorization', `Bearer ${bearer}`)
    const answer = await fetch(url + path, { ...init, headers })
    const text = await answer.text()
    const body = text === '' ? undefined : JSON.parse(text)
    if (init.method === undefined)
      assertDescribed(check, path, { status: answer.status, headers: answer.headers, body })
    return { status: answer.status, headers: answer.headers, text, body }
  }
}

const DESCRIBED: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/events$/, '/v1/events'],
  [/^\/v1\/contracts\/[^/]+\/[^/]+$/, '/v1/contracts/{chain}/{address}'],
  [/^\/v1\/pending$/, '/v1/pending'],
  [/^\/v1\/protocols\/[^/]+$/, '/v1/protocols/{slug}'],
  [/^\/v1\/me\/subscriptions$/, '/v1/me/subscriptions'],
  [/^\/v1\/me\/notifications$/, '/v1/me/notifications'],
]

function assertDescribed(check: OpenApiCheck, path: string, answer: Parameters<OpenApiCheck>[1]): void {
  if (path.startsWith('/v1')) assert.equal(answer.headers.get('cache-control'), 'no-store', path)
  const route = path.split('?')[0] ?? ''
  const [, described] = DESCRIBED.find(([pattern]) => pattern.test(route)) ?? []
  if (described !== undefined && answer.body !== undefined) check(described, answer)
}

export const codeOf = ({ status, body }: V1Answer): string => `${status} ${body?.error?.code}`
