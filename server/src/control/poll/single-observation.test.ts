import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLongEnough, nextObservations } from './single-observation.ts'

const MINUTE = 60_000
const change = { field: 'admin', previous: '0x01', current: '0x02' } as const

test('a single observation is trusted after ten minutes with the same value', () => {
  const first = nextObservations({}, [change], 0)
  assert.equal(isLongEnough({}, change, 99 * MINUTE), false)
  assert.equal(isLongEnough(first, change, 9 * MINUTE), false)
  const second = nextObservations(first, [change], 9 * MINUTE)
  assert.equal(isLongEnough(second, change, 10 * MINUTE), true)
  const other = { ...change, current: '0x03' }
  assert.equal(isLongEnough(second, other, 10 * MINUTE), false)
  assert.equal(isLongEnough(nextObservations(second, [other], 10 * MINUTE), other, 19 * MINUTE), false)
})

test('an unchanged poll or a second observation in between restarts the time', () => {
  const first = nextObservations({}, [change], 0)
  assert.equal(
    isLongEnough(nextObservations(nextObservations(first, [], MINUTE), [change], 2 * MINUTE), change, 11 * MINUTE),
    false,
  )
})
