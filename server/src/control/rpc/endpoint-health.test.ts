import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_POLICY, type Health, type HealthEvent, newHealth, onHealthEvent, readyAt } from './endpoint-health.ts'

function after(events: readonly HealthEvent[], from: Health = newHealth(DEFAULT_POLICY, 0)): Health {
  return events.reduce((health, event) => onHealthEvent(DEFAULT_POLICY, health, event)[0], from)
}

const failed = (at: number, kind: 'rate' | 'network' | 'chain', retryAfterMs?: number): HealthEvent => ({
  type: 'failed',
  at,
  kind,
  retryAfterMs,
})

test('a burst of one second of calls is sent at once, later calls are paced', () => {
  const spent = after([{ type: 'sent', at: 0, calls: 100 }])
  assert.equal(readyAt(spent, 1), 10)
  assert.equal(readyAt(after([{ type: 'succeeded', at: 10, calls: 1 }], spent), 1), 10)
})

test('a rate limit error halves the rate and suspends the endpoint for its Retry-After', () => {
  const refused = after([failed(1_000, 'rate', 7_000)])
  assert.equal(refused.rate, 50)
  assert.equal(readyAt(refused, 1), 8_000)
})

test('rate limit errors of one burst halve the rate once', () => {
  assert.equal(after([failed(0, 'rate'), failed(5, 'rate'), failed(9, 'rate')]).rate, 50)
})

test('the rate never falls below its minimum', () => {
  const refusals = Array.from({ length: 40 }, (_, n) => failed(n * 100_000, 'rate'))
  assert.equal(after(refusals).rate, DEFAULT_POLICY.rate.min)
})

test('the fourth consecutive error suspends the endpoint, and each failed trial doubles the suspension', () => {
  const tolerated = after([failed(0, 'network'), failed(1, 'network'), failed(2, 'network')])
  assert.equal(tolerated.suspendedUntil, 0)
  const opened = after([failed(3, 'network')], tolerated)
  assert.equal(opened.suspendedUntil, 1_003)
  const again = after([failed(1_003, 'network')], opened)
  assert.equal(again.suspendedUntil, 3_003)
  const [recovered, effects] = onHealthEvent(DEFAULT_POLICY, again, { type: 'succeeded', at: 3_003, calls: 1 })
  assert.deepEqual([recovered.errors, recovered.suspensions, effects], [0, 0, [{ type: 'recovered' }]])
})

test('an endpoint that serves another chain is suspended for the longest time at once', () => {
  assert.equal(after([failed(0, 'chain')]).suspendedUntil, DEFAULT_POLICY.suspension.longestMs)
})
