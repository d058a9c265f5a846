import assert from 'node:assert/strict'
import { test } from 'node:test'
import { medianOf } from './median.ts'

test('the median is the middle value, or the mean of the middle two', () => {
  assert.equal(medianOf([9, 1, 2]), 2)
  assert.equal(medianOf([9, 1, 2, 4]), 3)
  assert.equal(medianOf([5]), 5)
  assert.ok(Number.isNaN(medianOf([])))
})
