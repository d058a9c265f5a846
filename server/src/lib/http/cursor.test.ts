import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeCursor, encodeCursor } from './cursor.ts'

const SHAPE = /^(\d{1,15})\.([\w-]+)$/

test('a cursor decodes to its fields', () => {
  assert.deepEqual(decodeCursor(encodeCursor(12, 'a-b'), SHAPE), ['12', 'a-b'])
})

test('a text that is not a cursor of the given shape is refused', () => {
  const written = encodeCursor(12, 'a')
  for (const text of [
    '',
    'x',
    `${written}=`,
    ` ${written}`,
    `${written}!`,
    encodeCursor('a', 12),
    encodeCursor(1, 2, 3),
  ])
    assert.equal(decodeCursor(text, SHAPE), undefined, text)
})
