import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexAt, momentsOf, readMoment } from './moments.ts'

const at = (day: number): string => `2026-11-0${day}T00:00:00.000Z`
const moments = momentsOf({
  labels: [{ at: at(3), blockNumber: 30 }],
  states: [
    { takenAt: at(3), blockNumber: 30 },
    { takenAt: at(1), blockNumber: 10 },
  ],
  versions: [{ at: at(2), blockNumber: 20 }],
})

test('each block with a change is one moment, oldest first', () => {
  assert.deepEqual(
    moments.map(({ blockNumber }) => blockNumber),
    [10, 20, 30],
  )
})

test('a block or a time names the last change until then', () => {
  assert.deepEqual(
    ['9', '10', '29', '30', '999', at(1), '2026-11-02T12:00:00Z', '2026-10-01T00:00:00Z', 'nonsense'].map((text) =>
      indexAt(moments, text),
    ),
    [-1, 0, 1, 2, 2, 0, 1, -1, -1],
  )
})

test('the address names a moment, or none', () => {
  assert.deepEqual(['', 'at=', 'at=12', 'x=1&at=2026-11-01T00:00:00Z'].map(readMoment), [
    undefined,
    undefined,
    '12',
    '2026-11-01T00:00:00Z',
  ])
})
