import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthOf } from './clock.ts'

test('a month is named and bounded in UTC', () => {
  assert.deepEqual(monthOf(Date.parse('2026-12-31T23:59:59.999Z')), {
    name: '2026-12',
    start: Date.parse('2026-12-01T00:00:00.000Z'),
    end: Date.parse('2027-01-01T00:00:00.000Z'),
    endsAt: '2027-01-01T00:00:00.000Z',
  })
})

test('the first instant of a month belongs to it, the last millisecond before it does not', () => {
  const first = Date.parse('2027-01-01T00:00:00.000Z')
  assert.equal(monthOf(first).name, '2027-01')
  assert.equal(monthOf(first - 1).name, '2026-12')
})

test('a leap February has 29 days', () => {
  const { start, end } = monthOf(Date.parse('2028-02-10T00:00:00Z'))
  assert.equal((end - start) / 86_400_000, 29)
})
