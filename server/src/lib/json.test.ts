import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExactly, parseToForward, stringifyExactly } from './json.ts'

test('an integer beyond 2^53 keeps every digit', () => {
  assert.equal(
    stringifyExactly({ total: 8_400_000_000_000_000_001n, n: 1, list: [2n ** 64n] }),
    '{"total":8400000000000000001,"n":1,"list":[18446744073709551616]}',
  )
})

test('what is parsed keeps every digit too', () => {
  const text = '{"total":9007199254740993,"list":[-18446744073709551617,1,1.5,"9007199254740993"]}'
  assert.deepEqual(parseExactly(text), {
    total: 9_007_199_254_740_993n,
    list: [-18_446_744_073_709_551_617n, 1, 1.5, '9007199254740993'],
  })
  assert.equal(JSON.stringify(parseToForward(text)), text)
  assert.equal(JSON.stringify(parseToForward('[1e300,12345678901234567890.5]')), '[1e+300,12345678901234567000]')
})
