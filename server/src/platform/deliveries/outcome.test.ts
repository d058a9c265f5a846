import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Failure, isFinal, retryAfterPauses, retryUntil } from './outcome.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 15)
const failed = { ok: false, reason: 'no' } as const
const at = (attempts: number) => ({ attempts, giveUpAt: NOW + 24 * HOUR })

test('pauses double from five seconds to an hour, up to a quarter shorter or longer', () => {
  const pause = (attempts: number, random: number) => (retryUntil(at(attempts), failed, NOW, random) ?? 0) - NOW
  const middle = Array.from({ length: 14 }, (_, n) => pause(n + 1, 0.5) / 1_000)
  assert.deepEqual(middle, [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600, 3_600])
  assert.deepEqual([pause(1, 0), pause(1, 1), pause(9_999, 1)], [3_750, 6_250, 1.25 * HOUR])
})

test('a recipient that is gone, a forbidden URL and one that fails until the deadline are given up', () => {
  assert.deepEqual(
    [failed, { ...failed, isGone: true }, { ...failed, isForbidden: true }].map((failure) =>
      isFinal(failure as Failure),
    ),
    [false, true, true],
  )
  assert.equal(retryUntil(at(40), failed, NOW + 24 * HOUR, 0), null)
  assert.equal(retryUntil(at(40), failed, NOW + 23.9 * HOUR, 0.5), NOW + 24 * HOUR, 'a last attempt at the deadline')
})

test('a requested pause is kept: exactly for Telegram, at least for others', () => {
  const pause = (failure: object, attempts = 1) =>
    (retryUntil(at(attempts), { ...failed, ...failure }, NOW, 0.5) ?? 0) - NOW
  assert.equal(pause({ retryAfterMs: 7_000 }, 9), 7_000)
  assert.equal(pause({ pauseAtLeastMs: 120_000 }), 120_000)
  assert.equal(pause({ pauseAtLeastMs: 0 }), 5_000, 'never shorter than the schedule')
  assert.equal(pause({ pauseAtLeastMs: 1_000 }, 5), 80_000)
})

test('a list of pauses ends after its last one', () => {
  const pauses = [30_000, 300_000]
  assert.deepEqual(
    [1, 2, 3].map((attempts) => retryAfterPauses(pauses, attempts, failed, NOW)),
    [NOW + 30_000, NOW + 300_000, null],
  )
  assert.equal(retryAfterPauses(pauses, 1, { ...failed, pauseAtLeastMs: 60_000 }, NOW), NOW + 60_000)
})
