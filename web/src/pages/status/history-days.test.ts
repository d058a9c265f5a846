import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysUpTo, dayText, HISTORY_DAYS, summaryOf } from './history-days.ts'

const NOON = Date.UTC(2026, 10, 17, 12)
const day = (date: string, recordedMinutes: number, upToDateMinutes = recordedMinutes) => ({
  day: date,
  recordedMinutes,
  upToDateMinutes,
})
const barOf = (one: ReturnType<typeof day>) => {
  const bar = daysUpTo(NOON, [one]).find((each) => each.day === one.day)
  assert.ok(bar !== undefined)
  return bar
}

test('there is a bar for every day, and a day without a record is not green', () => {
  const bars = daysUpTo(NOON, [])
  assert.equal(bars.length, HISTORY_DAYS)
  assert.equal(bars.at(-1)?.day, '2026-11-17')
  assert.ok(bars.every(({ upShare, downShare }) => upShare === 0 && downShare === 0))
  assert.equal(dayText(barOf(day('2026-11-16', 0))), 'Nov 16: not recorded')
})

test('the parts of a day add up, and a short outage is visible', () => {
  const whole = barOf(day('2026-11-16', 1_440))
  assert.deepEqual([whole.upShare, whole.downShare, dayText(whole)], [100, 0, 'Nov 16: up to date'])
  const short = barOf(day('2026-11-16', 1_440, 1_439))
  assert.ok(short.downShare >= 10 && short.upShare + short.downShare === 100)
  assert.equal(dayText(short), 'Nov 16: 1 min not up to date')
  const half = barOf(day('2026-11-16', 720))
  assert.deepEqual([half.upShare, dayText(half)], [50, 'Nov 16: up to date, 12 h not recorded'])
})

test('the current day has the minutes that have passed', () => {
  assert.equal(barOf(day('2026-11-17', 720)).upShare, 100)
})

test('the summary rounds down', () => {
  assert.equal(summaryOf([]), 'Nothing recorded yet')
  assert.equal(summaryOf([day('2026-11-17', 95)]), 'Up to date 100 % of 1 h 35 min recorded')
  assert.equal(summaryOf([day('2026-11-16', 1_440)]), 'Up to date 100 % of 1 recorded day')
  assert.equal(
    summaryOf([day('2026-11-15', 1_440), day('2026-11-16', 1_440, 1_365)]),
    'Up to date 97.39 % of 2 recorded days, 1 h 15 min not',
  )
})
