import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

const points = [
  { x: 0, y: 0 },
  { x: 10, y: 100 },
  { x: 30, y: 0 },
]

test('a line chart shows the nearest value along its axis', () => {
  assert.equal(nearest(points, 12, 0), 1)
  assert.equal(nearest(points, 1_000, 0), 2)
  assert.equal(nearest([], 0, 0), undefined)
})

test('a scatter chart shows a value within reach only', () => {
  assert.equal(nearest(points, 12, 0, 20), 0)
  assert.equal(nearest(points, 12, 90, 20), 1)
  assert.equal(nearest(points, 15, 50, 5), undefined)
})
