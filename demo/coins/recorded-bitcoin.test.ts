import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HELD_BACK, openRecording, pauseAfter } from './recorded-bitcoin.ts'

test('every withheld block arrives, and the mempool is not empty after the last one', () => {
  const recording = openRecording(0)
  const first = recording.height()
  for (let pauses = 0; recording.pauseMs() !== undefined; pauses += 1) {
    assert.ok(pauses < HELD_BACK)
    assert.ok(recording.mempool().size > 0)
    recording.next(pauses)
  }
  assert.equal(recording.height(), first + HELD_BACK)
  assert.ok(recording.mempool().size > 0)
})

test('the blocks last for a working day', () => {
  const total = Array.from({ length: HELD_BACK }, (_, came) => pauseAfter(came) ?? 0).reduce((sum, ms) => sum + ms, 0)
  assert.ok(total > 8 * 3_600_000, `${total} ms`)
})
