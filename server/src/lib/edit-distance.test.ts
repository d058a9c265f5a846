import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance } from './edit-distance.ts'

test('the distance counts insertions, deletions, replacements and swaps of neighbors', () => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['', '', 0],
    ['', 'abc', 3],
    ['aave', 'aave', 0],
    ['aave', 'avae', 1],
    ['uniswap', 'unswap', 1],
    ['compound', 'compuond', 1],
    ['kitten', 'sitting', 3],
    ['lido', 'maker', 5],
  ]
  for (const [a, b, distance] of cases) {
    assert.equal(editDistance(a, b), distance, `${a} ${b}`)
    assert.equal(editDistance(b, a), distance, `${b} ${a}`)
  }
})
