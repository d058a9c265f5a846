import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { seededRandom } from '../support/random.ts'
import type { HostileRequest, RequestContext } from './environment.ts'
import { areaOf, operationsOf } from './operations.ts'
import { hostileRequest } from './requests.ts'

const operations = operationsOf(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'server', 'openapi.json'), 'utf8')),
).filter((operation) => areaOf(operation) !== 'auth') // `auth-operations.ts` has those
/** Returns a text for every string that has no other value in its schema, and an object for what is one or a choice. */
const context: RequestContext = {
  valid: ({ parameters, body }, name) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? body?.properties?.[name]
    if (schema?.type === 'array') return ['text']
    if (schema !== undefined && (schema.type === 'object' || schema.type === undefined)) return {}
    if (schema?.type === 'number') return 1
    return schema?.type === 'string' && schema.enum === undefined ? 'text' : undefined
  },
  omittedFields: () => [],
  validHeaders: () => [['x-api-key', 'key']],
  callerHeaders: () => [[]],
}
const SEEDS = Array.from({ length: 60 }, (_, seed) => seed)
const requests = operations.flatMap((operation) =>
  SEEDS.map((seed) => hostileRequest(seededRandom(seed), operation, context)),
)
const serialized = ({ target, headers, body }: HostileRequest) => [target, headers, body.toString('latin1')]

test('the same seed builds the same request', () => {
  const again = operations.flatMap((operation) =>
    SEEDS.map((seed) => hostileRequest(seededRandom(seed), operation, context)),
  )
  assert.deepEqual(again.map(serialized), requests.map(serialized))
})

test('every parameter and every field is sent with a valid value, booleans as booleans', () => {
  const valid = requests.filter(({ aim }) => aim === 'valid')
  for (const operation of operations) {
    const own = valid.filter((request) => request.operation === operation)
    const queries = own.map(({ target }) => new URLSearchParams(target.split('?')[1]))
    for (const { in: location, name } of operation.parameters)
      if (location === 'query')
        assert.ok(
          queries.some((query) => query.has(name)),
          `${operation.path}: ${name}`,
        )
    const bodies = own.map(({ body }) => JSON.parse(body.toString() || '{}') as Record<string, unknown>)
    for (const [name, { type }] of Object.entries(operation.body?.properties ?? {}))
      assert.ok(
        bodies.some((body) => (type === 'boolean' ? typeof body[name] === 'boolean' : body[name] !== undefined)),
        `${operation.path}: ${name}`,
      )
  }
})

test('every route gets valid requests, requests at and beyond a bound, and malformed ones', () => {
  for (const operation of operations) {
    const aims = new Set(requests.filter((request) => request.operation === operation).map(({ aim }) => aim))
    assert.deepEqual([...aims].toSorted(), ['beyond', 'bound', 'malformed', 'valid'], operation.path)
  }
})

test('every path parameter is sent with a NUL in it', () => {
  const targets = requests.filter(({ aim }) => aim === 'beyond').map(({ target }) => target)
  for (const part of ['/me/api-keys/', '/me/operator/accounts/', '/v1/protocols/'])
    assert.ok(
      targets.some((target) => target.startsWith(part) && target.includes('%00')),
      part,
    )
})
