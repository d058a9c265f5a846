import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterTry, pauseAfter } from './schedule.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 15)
const failed = { ok: false, reason: 'no' } as const
const at = (attempts: number) => ({ attempts, giveUpAt: NOW + 24 * HOUR })

test('pauses double from five seconds to an hour, a quarter shorter or longer by chance', () => {
  const middle = Array.from({ length: 14 }, (_, n) => pauseAfter(n + 1, 0.5) / 1_000)
  assert.deepEqual(middle, [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600, 3_600])
  assert.deepEqual([pauseAfter(1, 0), pauseAfter(1, 1), pauseAfter(9_999, 1)], [3_750, 6_250, 1.25 * HOUR])
})

test('accepted is the end; gone and a day of failures are too, in the words of the last failure', () => {
  assert.deepEqual(afterTry(at(1), { ok: true }, NOW, 0), { status: 'sent', error: null, nextAt: null })
  const end = { status: 'failed', error: 'no', nextAt: null }
  assert.deepEqual(afterTry(at(1), { ...failed, isGone: true }, NOW, 0), end)
  assert.deepEqual(afterTry(at(40), failed, NOW + 24 * HOUR, 0), end)
  // The last pause is cut short, so that a last try is made when the day is over.
  assert.equal(afterTry(at(40), failed, NOW + 23.9 * HOUR, 0.5).nextAt, NOW + 24 * HOUR)
})

test('a pause that was asked for is kept: to the moment by Telegram, at least as long by others', () => {
  const next = (outcome: object, attempts = 1) =>
    (afterTry(at(attempts), { ...failed, ...outcome }, NOW, 0.5).nextAt ?? 0) - NOW
  assert.equal(next({ retryAfterMs: 7_000 }, 9), 7_000)
  assert.equal(next({ pauseAtLeastMs: 120_000 }), 120_000)
  assert.equal(next({ pauseAtLeastMs: 0 }), 5_000, 'who says "at once" is not believed')
  assert.equal(next({ pauseAtLeastMs: 1_000 }, 5), 80_000)
})
