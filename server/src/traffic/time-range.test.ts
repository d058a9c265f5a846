import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  hasHours,
  type PeriodRange,
  periodsIn,
  type RequestedRange,
  rangeBy,
  rangeOf,
  splitRange,
} from './time-range.ts'

const at = (text: string): number => Date.parse(`2026-${text}Z`)
const NOW = at('03-10T12:34:56.789')
const asked = (from?: string, to?: string): RequestedRange => ({
  from: from === undefined ? undefined : at(from),
  to: to === undefined ? undefined : at(to),
})
const shown = ({ from, to, period }: PeriodRange) =>
  `${new Date(from).toISOString().slice(5, 16)} ${new Date(to).toISOString().slice(5, 16)} ${period}`

test('the default range is 24 hours or 30 days, including the current one', () => {
  assert.equal(shown(rangeOf({}, NOW)), '03-09T13:00 03-10T13:00 hour')
  assert.equal(shown(rangeBy('day', {}, NOW)), '02-09T00:00 03-11T00:00 day')
  assert.equal(shown(rangeOf({}, at('03-10T12:00:00.000'))), '03-09T13:00 03-10T13:00 hour')
})

test('a range is widened to whole hours, a long one to whole days', () => {
  assert.equal(shown(rangeOf(asked('03-10T10:20:00', '03-10T10:40:00'), NOW)), '03-10T10:00 03-10T11:00 hour')
  assert.equal(shown(rangeOf(asked('03-10T10:00:00', '03-10T11:00:00'), NOW)), '03-10T10:00 03-10T11:00 hour')
  assert.equal(shown(rangeOf(asked('01-01T05:00:00', '03-01T05:00:00'), NOW)), '01-01T00:00 03-02T00:00 day')
})

test('a range of whole days is read by day', () => {
  assert.equal(shown(rangeOf(asked('03-01T00:00:00', '03-03T00:00:00'), NOW)), '03-01T00:00 03-03T00:00 day')
})

test('a range older than the hourly rollups is read by day', () => {
  // Hourly rollups are kept for 92 days including today: since December 9.
  const old = (from: string, to: string) => rangeOf({ from: Date.parse(from), to: Date.parse(to) }, NOW)
  const year = (range: PeriodRange) => new Date(range.from).toISOString().slice(0, 5) + shown(range)
  assert.equal(year(old('2025-11-01T10:00Z', '2025-11-02T12:00Z')), '2025-11-01T00:00 11-03T00:00 day')
  assert.equal(year(old('2025-12-08T23:00Z', '2025-12-09T01:00Z')), '2025-12-08T00:00 12-10T00:00 day')
  assert.equal(year(old('2025-12-09T00:00Z', '2025-12-09T01:00Z')), '2025-12-09T00:00 12-09T01:00 hour')
  assert.equal(hasHours(rangeBy('hour', { from: Date.parse('2025-12-08T23:00Z') }, NOW), NOW), false)
  assert.equal(hasHours(rangeBy('hour', { from: Date.parse('2025-12-09T00:00Z') }, NOW), NOW), true)
})

test('a range with only one end', () => {
  assert.equal(shown(rangeOf(asked('03-10T01:00:00'), NOW)), '03-10T01:00 03-10T13:00 hour')
  assert.equal(shown(rangeOf(asked(undefined, '03-05T07:30:00'), NOW)), '03-04T08:00 03-05T08:00 hour')
  assert.equal(shown(rangeOf(asked('03-12T07:30:00'), NOW)), '03-12T07:00 03-12T08:00 hour')
})

test('periods have no gaps', () => {
  const periods = periodsIn(rangeOf({}, NOW))
  assert.equal(periods.length, 24)
  assert.ok(periods.every((start, n) => n === 0 || start - (periods[n - 1] ?? 0) === 3_600_000))
})

test('a range is split into whole days, whole hours around them, and the rest at both ends', () => {
  const pieces = (from: string, to: string) =>
    splitRange({ from: at(from), to: at(to) }).map(
      (piece) =>
        `${new Date(piece.from).toISOString().slice(5, 16)} ${new Date(piece.to).toISOString().slice(5, 16)} ${piece.period ?? 'single'}`,
    )
  assert.deepEqual(pieces('03-08T22:30:00', '03-10T01:10:00'), [
    '03-08T22:30 03-08T23:00 single',
    '03-08T23:00 03-09T00:00 hour',
    '03-09T00:00 03-10T00:00 day',
    '03-10T00:00 03-10T01:00 hour',
    '03-10T01:00 03-10T01:10 single',
  ])
  assert.deepEqual(pieces('03-09T00:00:00', '03-10T00:00:00'), ['03-09T00:00 03-10T00:00 day'])
  assert.deepEqual(pieces('03-09T01:10:00', '03-09T01:20:00'), ['03-09T01:10 03-09T01:20 single'])
  assert.deepEqual(pieces('03-09T01:10:00', '03-09T01:10:00'), [])
})
