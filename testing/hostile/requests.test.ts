import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { seededRandom } from '../support/random.ts'
import type { Ground, HostileRequest } from './environment.ts'
import { operationsOf } from './operations.ts'
import { hostileRequest } from './requests.ts'

const operations = operationsOf(
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'server', 'openapi.json'), 'utf8')),
)
/** Knows a text for everything that has no other value by its schema. */
const ground: Ground = {
  valid: ({ parameters, body }, name) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? body?.properties?.[name]
    if (schema?.type === 'array') return ['text']
    return schema?.type === 'string' && schema.enum === undefined ? 'text' : undefined
  },
  leftOut: () => [],
  proper: () => [['x-api-key', 'key']],
  callers: () => [[]],
}
const SEEDS = Array.from({ length: 60 }, (_, seed) => seed)
const requests = operations.flatMap((operation) =>
  SEEDS.map((seed) => hostileRequest(seededRandom(seed), operation, ground)),
)
const written = ({ target, headers, body }: HostileRequest) => [target, headers, body.toString('latin1')]

test('one seed is one request', () => {
  const again = operations.flatMap((operation) =>
    SEEDS.map((seed) => hostileRequest(seededRandom(seed), operation, ground)),
  )
  assert.deepEqual(again.map(written), requests.map(written))
})

test('every parameter and every field is sent with a value that is right, flags as flags', () => {
  const right = requests.filter(({ aim }) => aim === 'right')
  for (const operation of operations) {
    const mine = right.filter((request) => request.operation === operation)
    const queries = mine.map(({ target }) => new URLSearchParams(target.split('?')[1]))
    for (const { in: place, name } of operation.parameters)
      if (place === 'query')
        assert.ok(
          queries.some((query) => query.has(name)),
          `${operation.path}: ${name}`,
        )
    const bodies = mine.map(({ body }) => JSON.parse(body.toString() || '{}') as Record<string, unknown>)
    for (const [name, { type }] of Object.entries(operation.body?.properties ?? {}))
      assert.ok(
        bodies.some((body) => (type === 'boolean' ? typeof body[name] === 'boolean' : body[name] !== undefined)),
        `${operation.path}: ${name}`,
      )
  }
})

test('every route is asked rightly, at a bound, beyond one, and in any way at all', () => {
  for (const operation of operations) {
    const aims = new Set(requests.filter((request) => request.operation === operation).map(({ aim }) => aim))
    assert.deepEqual([...aims].toSorted(), ['beyond', 'bound', 'right', 'spoiled'], operation.path)
  }
})

test('every part of a path is asked with a NUL in it', () => {
  const targets = requests.filter(({ aim }) => aim === 'beyond').map(({ target }) => target)
  for (const part of ['/me/api-keys/', '/me/operator/accounts/', '/v1/protocols/'])
    assert.ok(
      targets.some((target) => target.startsWith(part) && target.includes('%00')),
      part,
    )
})
