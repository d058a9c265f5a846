import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedResult, MAX_RESULT_CHARACTERS } from './bounded-result.ts'

const entries = (count: number) => Array.from({ length: count }, (_, n) => ({ n, text: 'x'.repeat(90) }))

test('a short result is returned as it is', () => {
  const value = { data: entries(3) }
  assert.deepEqual(boundedResult(value, undefined), { value, text: JSON.stringify(value), notes: [] })
})

test('of a long result the longest lists are shortened, and named', () => {
  const value = { data: { name: 'a', long: entries(5_000), short: entries(5) }, nextCursor: null }
  const { value: cut, text, notes } = boundedResult(value, undefined)
  assert.ok(text.length <= MAX_RESULT_CHARACTERS)
  assert.deepEqual(JSON.parse(text), cut)
  const { data } = cut as typeof value
  assert.ok(data.long.length > 200)
  assert.deepEqual([data.long[0]?.n, data.short.length], [0, 5])
  assert.deepEqual(notes, ['The list data.long is not complete: the result was too long for all of its 5000 entries.'])
  assert.equal(value.data.long.length, 5_000)
})

test('a page and a result without lists are refused', () => {
  assert.throws(() => boundedResult({ data: entries(5_000) }, 'limit'), /Call again with a smaller limit\./)
  assert.throws(
    () => boundedResult({ data: 'x'.repeat(MAX_RESULT_CHARACTERS) }, undefined),
    /at most 60000 are returned/,
  )
})
