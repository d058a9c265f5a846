/**
 * Requests made from `openapi.json`: right ones, ones with a value exactly at a bound or one step beyond it, and ones
 * with anything at all wrong about them. One seed names a whole run.
 */
import type { Random } from '../support/random.ts'
import type { Aim, Ground, HostileRequest } from './environment.ts'
import { spoiledRequest } from './invalid-values.ts'
import type { Operation } from './operations.ts'
import { edgesOf, rightDraft, written } from './request-drafts.ts'

const AIMS: readonly Aim[] = [
  'right',
  'right',
  'right',
  'bound',
  'beyond',
  'beyond',
  'spoiled',
  'spoiled',
  'spoiled',
  'spoiled',
]

export function hostileRequest(random: Random, operation: Operation, ground: Ground): HostileRequest {
  const aim = random.pick(AIMS)
  if (aim === 'spoiled') return spoiledRequest(random, operation, ground)
  const draft = rightDraft(random, operation, ground)
  if (aim === 'right') return written(operation, aim, draft)
  const { at, beyond } = edgesOf(operation, ground, draft)
  const cases = aim === 'bound' ? at : beyond
  return written(operation, aim, random.pick(cases))
}

/** The request as bytes; texts above U+00FF are written as UTF-8, the rest byte for byte. */
export function bytesOf({ method, target, headers, body }: HostileRequest, host: string): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`, 'latin1'), body])
}
