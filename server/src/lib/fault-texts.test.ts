import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { faultText } from './fault-texts.ts'

const textOf = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: faultText }).error?.issues[0]?.message

test('a fault says what a parameter must be', () => {
  assert.equal(textOf(z.object({ a: z.string() }), {}), 'is missing')
  assert.equal(textOf(z.string(), ['btc', 'ltc']), 'must be one value, not several')
  assert.equal(textOf(z.string(), 5), 'must be text')
  assert.equal(textOf(z.int(), 1.5), 'must be a whole number')
  assert.equal(textOf(z.number(), '5'), 'must be a number')
  assert.equal(textOf(z.object({}), null), 'must be an object')
  assert.equal(textOf(z.int().min(1), 0), 'must be at least 1')
  assert.equal(textOf(z.number().lt(2), 2), 'must be less than 2')
  assert.equal(textOf(z.int(), 2 ** 60), 'must be at most 9007199254740991')
  assert.equal(textOf(z.array(z.int()).min(1), []), 'must have at least 1 entry')
  assert.equal(textOf(z.string().max(3), 'four'), 'must have at most 3 characters')
  assert.equal(textOf(z.enum(['optimal', 'largest']), 'Optimal'), 'must be one of optimal, largest')
  assert.equal(textOf(z.literal('x'), 'y'), 'must be x')
  assert.equal(textOf(z.url(), 'x'), 'must be a URL')
})

test('a text of the schema has precedence', () => {
  assert.equal(textOf(z.enum(['a', 'b'], 'must be a or b'), 'c'), 'must be a or b')
})
