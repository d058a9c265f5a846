/**
 * Latency histograms with buckets that grow by a fixed ratio, so that histograms of several hours can be added and
 * percentiles read from the sum.
 *
 * Bucket `n` holds latencies from RATIO^(n-1) (exclusive) to RATIO^n microseconds. Its value is the one with the
 * smallest maximal relative error, so a percentile is within `MAX_ERROR` of the exact one.
 */

const BUCKETS_PER_DOUBLING = 4
const RATIO = 2 ** (1 / BUCKETS_PER_DOUBLING)

/** 8.7 %. */
export const MAX_ERROR = (RATIO - 1) / (RATIO + 1)

export const latencyBucketOf = (latencyUs: number): number =>
  latencyUs <= 1 ? 0 : Math.ceil(Math.log2(latencyUs) * BUCKETS_PER_DOUBLING)

const latencyOf = (bucket: number): number => (2 * RATIO ** bucket) / (RATIO + 1)

/** Number of requests by latency bucket. */
export type LatencyHistogram = ReadonlyMap<number, number>

/** Returns, for each share (0.5 is the median), the latency in microseconds that this share of requests did not exceed. */
export function percentilesOf(histogram: LatencyHistogram, shares: readonly number[]): readonly (number | undefined)[] {
  const buckets = [...histogram].sort(([a], [b]) => a - b)
  const total = buckets.reduce((sum, [, requests]) => sum + requests, 0)
  return shares.map((share) => {
    let left = Math.ceil(share * total)
    const found = buckets.find(([, requests]) => (left -= requests) <= 0)
    return found === undefined ? undefined : latencyOf(found[0])
  })
}
