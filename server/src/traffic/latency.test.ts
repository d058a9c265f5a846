import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../testing/support/random.ts'
import { latencyBucketOf, MAX_ERROR, percentilesOf } from './latency.ts'

const histogramOf = (latencies: readonly number[]) => {
  const histogram = new Map<number, number>()
  for (const us of latencies) histogram.set(latencyBucketOf(us), (histogram.get(latencyBucketOf(us)) ?? 0) + 1)
  return histogram
}

/** The exact percentile. */
const exactly = (latencies: readonly number[], share: number) =>
  latencies.toSorted((a, b) => a - b)[Math.ceil(share * latencies.length) - 1] ?? Number.NaN

test('percentiles are within the stated error for all distributions', () => {
  const random = seededRandom(7)
  const shapes: readonly (() => number)[] = [
    () => random.between(1, 5_000),
    () => Math.ceil(Math.exp(random.next() * 17)),
    () => (random.chance(0.97) ? 800 : 2_500_000),
    () => 1_024,
  ]
  const shares = [0.01, 0.5, 0.95, 0.99, 1]
  for (const shape of shapes) {
    const latencies = Array.from({ length: random.between(1, 3_000) }, shape)
    for (const [index, found] of percentilesOf(histogramOf(latencies), shares).entries()) {
      const true_ = exactly(latencies, shares[index] ?? 0)
      assert.ok(Math.abs((found ?? 0) - true_) <= true_ * (MAX_ERROR + 1e-9), `${found} is not ${true_}`)
    }
  }
  assert.ok(MAX_ERROR < 0.087)
})

test('an empty histogram has no percentiles', () => {
  assert.deepEqual(percentilesOf(new Map(), [0.5]), [undefined])
})

test('every latency has a bucket', () => {
  assert.deepEqual([0, 1, 2, 3, 1_000_000, 2 ** 31 - 1].map(latencyBucketOf), [0, 0, 4, 7, 80, 124])
})
