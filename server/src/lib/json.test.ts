import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stringifyExactly } from './json.ts'

test('an integer beyond 2^53 keeps every digit', () => {
  assert.equal(
    stringifyExactly({ total: 8_400_000_000_000_000_001n, n: 1, list: [2n ** 64n] }),
    '{"total":8400000000000000001,"n":1,"list":[18446744073709551616]}',
  )
})
