import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countByArea, describeCounts, lastTenth, type Noted, refusedAreas } from './counts.ts'
import type { Area } from './operations.ts'

const times = (count: number, area: Area, status: number, aim: Noted['aim'] = 'right'): readonly Noted[] =>
  Array.from({ length: count }, () => ({ area, aim, status }))

test('an area whose every right request is refused is named, also where it was answered before', () => {
  const noted = [...times(95, 'keys', 200), ...times(10, 'keys', 401)]
  assert.deepEqual(refusedAreas(noted), [])
  assert.deepEqual(refusedAreas(lastTenth(noted)), [])
  assert.deepEqual(refusedAreas(lastTenth([...noted, ...times(100, 'keys', 401)])), ['keys'])
})

test('a handful says nothing, and what was meant to be refused does not count', () => {
  assert.deepEqual(refusedAreas(times(3, 'v1', 401)), [])
  assert.deepEqual(refusedAreas(times(50, 'v1', 401, 'spoiled')), [])
  assert.deepEqual(refusedAreas(times(4, 'v1', 401)), ['v1'])
})

test('successes are counted by area', () => {
  const noted = [...times(3, 'v2', 200), ...times(1, 'v2', 404), ...times(2, 'auth', 201)]
  assert.equal(describeCounts(countByArea(noted)), 'auth 2/2, v2 3/4')
})
