import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countByArea, describeCounts, lastTenth, type Outcome, refusedAreas } from './counts.ts'
import type { Area } from './operations.ts'

const times = (count: number, area: Area, status: number, aim: Outcome['aim'] = 'valid'): readonly Outcome[] =>
  Array.from({ length: count }, () => ({ area, aim, status }))

test('reports an area whose valid requests are all refused, even if earlier ones succeeded', () => {
  const outcomes = [...times(95, 'keys', 200), ...times(10, 'keys', 401)]
  assert.deepEqual(refusedAreas(outcomes), [])
  assert.deepEqual(refusedAreas(lastTenth(outcomes)), [])
  assert.deepEqual(refusedAreas(lastTenth([...outcomes, ...times(100, 'keys', 401)])), ['keys'])
})

test('ignores areas with few valid requests, and requests that were meant to be refused', () => {
  assert.deepEqual(refusedAreas(times(3, 'v1', 401)), [])
  assert.deepEqual(refusedAreas(times(50, 'v1', 401, 'malformed')), [])
  assert.deepEqual(refusedAreas(times(4, 'v1', 401)), ['v1'])
})

test('successes are counted by area', () => {
  const outcomes = [...times(3, 'v2', 200), ...times(1, 'v2', 404), ...times(2, 'auth', 201)]
  assert.equal(describeCounts(countByArea(outcomes)), 'auth 2/2, v2 3/4')
})
