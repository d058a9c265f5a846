/**
 * Latencies as a histogram whose classes grow by a fixed ratio, so that hours can be added up and percentiles read from
 * the sum.
 *
 * Class `n` holds latencies from RATIO^(n-1) (exclusive) to RATIO^n microseconds, and is read as the value whose
 * greatest relative distance to any of them is least. A percentile is therefore within `GREATEST_ERROR` of the true one.
 */

const CLASSES_PER_DOUBLING = 4
const RATIO = 2 ** (1 / CLASSES_PER_DOUBLING)

/** 8.7 %. */
export const GREATEST_ERROR = (RATIO - 1) / (RATIO + 1)

export const latencyBucketOf = (latencyUs: number): number =>
  latencyUs <= 1 ? 0 : Math.ceil(Math.log2(latencyUs) * CLASSES_PER_DOUBLING)

const latencyOf = (bucket: number): number => (2 * RATIO ** bucket) / (RATIO + 1)

/** Requests by latency class. */
export type LatencyHistogram = ReadonlyMap<number, number>

/** For each share (0.5 is the median) the latency in microseconds that this share of all requests did not exceed. */
export function percentilesOf(histogram: LatencyHistogram, shares: readonly number[]): readonly (number | undefined)[] {
  const classes = [...histogram].sort(([a], [b]) => a - b)
  const total = classes.reduce((sum, [, requests]) => sum + requests, 0)
  return shares.map((share) => {
    let left = Math.ceil(share * total)
    const found = classes.find(([, requests]) => (left -= requests) <= 0)
    return found === undefined ? undefined : latencyOf(found[0])
  })
}
