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

test('a second of calls may be sent at once, the next ones keep the pace', () => {
  const spent = after([{ type: 'sent', at: 0, calls: 100 }])
  assert.equal(readyAt(spent, 1), 10)
  assert.equal(readyAt(after([{ type: 'answered', at: 10, calls: 1 }], spent), 1), 10)
})

test('a refusal halves the rate and rests as long as the endpoint asks', () => {
  const refused = after([failed(1_000, 'rate', 7_000)])
  assert.equal(refused.rate, 50)
  assert.equal(readyAt(refused, 1), 8_000)
})

test('the refusals of one burst count once', () => {
  assert.equal(after([failed(0, 'rate'), failed(5, 'rate'), failed(9, 'rate')]).rate, 50)
})

test('the rate never falls to nothing', () => {
  const refusals = Array.from({ length: 40 }, (_, n) => failed(n * 100_000, 'rate'))
  assert.equal(after(refusals).rate, DEFAULT_POLICY.rate.least)
})

test('a few faults are borne, more open the circuit, each failed trial doubles the rest', () => {
  const borne = after([failed(0, 'network'), failed(1, 'network'), failed(2, 'network')])
  assert.equal(borne.restUntil, 0)
  const opened = after([failed(3, 'network')], borne)
  assert.equal(opened.restUntil, 1_003)
  const again = after([failed(1_003, 'network')], opened)
  assert.equal(again.restUntil, 3_003)
  const [well, effects] = onHealthEvent(DEFAULT_POLICY, again, { type: 'answered', at: 3_003, calls: 1 })
  assert.deepEqual([well.faults, well.rests, effects], [0, 0, [{ type: 'recovered' }]])
})

test('an endpoint of another chain rests at once and long', () => {
  assert.equal(after([failed(0, 'chain')]).restUntil, DEFAULT_POLICY.rest.longest)
})
