import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMs } from './backoff.ts'

const policy = { firstMs: 1_000, longestMs: 60_000 }

test('the pause doubles with each failure up to the longest', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 6, 7, 1_000].map((failures) => backoffMs(policy, failures)),
    [1_000, 1_000, 2_000, 4_000, 32_000, 60_000, 60_000],
  )
})

test('jitter makes a pause up to a quarter shorter or longer', () => {
  assert.deepEqual(
    [0, 0.5, 1].map((random) => backoffMs(policy, 1, random)),
    [750, 1_000, 1_250],
  )
})
