import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeMemory } from './memory.ts'

/** A sample every five seconds of a life of so many minutes. */
const life = (minutes: number, bytesAt: (minute: number) => number) =>
  Array.from({ length: minutes * 12 }, (_, n) => ({ second: n * 5, bytes: bytesAt(n / 12) }))

test('memory that grows while it warms up and then stays is flat', () => {
  const verdict = judgeMemory(life(20, (minute) => 1_000 + 100 * Math.min(minute, 4)))
  assert.equal(verdict?.ratio, 1)
})

test('memory that grows all the time is not, and a single peak does not hide it', () => {
  const leaking = judgeMemory(life(20, (minute) => (minute === 6 ? 9_000 : 1_000 + 50 * minute)))
  assert.ok((leaking?.ratio ?? 0) > 1.3)
})

test('a short life says nothing', () => {
  assert.equal(judgeMemory(life(9, () => 1_000)), undefined)
})
