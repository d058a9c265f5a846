/** Builds requests from `openapi.json`: valid, at a bound, beyond a bound, or malformed. A seed determines the run. */
import type { Random } from '../support/random.ts'
import type { Aim, HostileRequest, RequestContext } from './environment.ts'
import { malformedRequest } from './invalid-values.ts'
import type { Operation } from './operations.ts'
import { buildRequest, edgesOf, validDraft } from './request-drafts.ts'

const AIMS: readonly Aim[] = [
  'valid',
  'valid',
  'valid',
  'bound',
  'beyond',
  'beyond',
  'malformed',
  'malformed',
  'malformed',
  'malformed',
]

export function hostileRequest(random: Random, operation: Operation, context: RequestContext): HostileRequest {
  const aim = random.pick(AIMS)
  if (aim === 'malformed') return malformedRequest(random, operation, context)
  const draft = validDraft(random, operation, context)
  if (aim === 'valid') return buildRequest(operation, aim, draft)
  const { at, beyond } = edgesOf(operation, context, draft)
  const cases = aim === 'bound' ? at : beyond
  return buildRequest(operation, aim, random.pick(cases))
}

/** Serializes the request. Headers are written as Latin-1, so that any byte can be sent. */
export function bytesOf({ method, target, headers, body }: HostileRequest, host: string): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`, 'latin1'), body])
}
