import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeMemory } from './memory.ts'

/** One sample every five seconds. */
const samplesOf = (minutes: number, bytesAt: (minute: number) => number) =>
  Array.from({ length: minutes * 12 }, (_, n) => ({ second: n * 5, bytes: bytesAt(n / 12) }))

test('memory that grows only during warm-up has the ratio 1', () => {
  const verdict = judgeMemory(samplesOf(20, (minute) => 1_000 + 100 * Math.min(minute, 4)))
  assert.equal(verdict?.ratio, 1)
})

test('memory that grows all the time has a higher ratio, and one peak does not hide it', () => {
  const leaking = judgeMemory(samplesOf(20, (minute) => (minute === 6 ? 9_000 : 1_000 + 50 * minute)))
  assert.ok((leaking?.ratio ?? 0) > 1.3)
})

test('a short run is not judged', () => {
  assert.equal(judgeMemory(samplesOf(9, () => 1_000)), undefined)
})
