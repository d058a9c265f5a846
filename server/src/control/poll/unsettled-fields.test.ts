import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  firstLogBlock,
  isLasting,
  isLongEnough,
  nextDisagreements,
  nextFirstLogBlocks,
  nextObservations,
} from './unsettled-fields.ts'

const settled = { polledBlock: 10, firstLogBlocks: {} }

test('logs are read from the block after the last poll, or after the poll that settled the field', () => {
  assert.equal(firstLogBlock(settled, 'owner'), 11)
  const next = nextFirstLogBlocks(settled, ['owner'], 0)
  assert.deepEqual(next, { owner: 11 })
  const failed = { polledBlock: 20, firstLogBlocks: next }
  assert.deepEqual([firstLogBlock(failed, 'owner'), firstLogBlock(failed, 'admin')], [11, 21])
  const again = nextFirstLogBlocks(failed, ['owner', 'admin'], 0)
  assert.deepEqual(again, { owner: 11, admin: 21 })
  assert.deepEqual(nextFirstLogBlocks({ polledBlock: 30, firstLogBlocks: again }, ['admin'], 0), { admin: 21 })
})

test('a rolled back poll moves the start of the logs back', () => {
  assert.equal(firstLogBlock({ polledBlock: 5, firstLogBlocks: { owner: 11 } }, 'owner'), 6)
})

test('a field that stays unsettled for long starts after the last poll again', () => {
  assert.deepEqual(
    nextFirstLogBlocks(settled, ['owner'], 1_000),
    { owner: 11 },
    'once, however long ago the last poll was',
  )
  const failed = { polledBlock: 20, firstLogBlocks: { owner: 11 } }
  assert.deepEqual(nextFirstLogBlocks(failed, ['owner'], 11), { owner: 11 })
  assert.deepEqual(nextFirstLogBlocks(failed, ['owner'], 12), {})
})

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

test('a disagreement lasts while two endpoints return different values, whatever the values are', () => {
  const values = (value: string) => [
    { endpoint: 'a.example', value },
    { endpoint: 'b.example', value: null },
  ]
  const disputed = (value: string) => ({ change, isConfirmed: false, disagreement: values(value) })
  const first = nextDisagreements({}, [disputed('0x02')], 0)
  assert.deepEqual(first, { admin: { values: values('0x02'), since: 0, until: 0 } })
  const later = nextDisagreements(first, [disputed('0x03')], 10 * MINUTE)
  assert.deepEqual(later, { admin: { values: values('0x03'), since: 0, until: 10 * MINUTE } })
  assert.deepEqual(
    [first.admin, later.admin].map((each) => each !== undefined && isLasting(each)),
    [false, true],
  )
  assert.deepEqual(nextDisagreements(later, [{ change, isConfirmed: true }], 11 * MINUTE), {}, 'they agree')
})
