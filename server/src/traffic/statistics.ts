/** Combines rollups into the statistics that the analytics report. */
import { percentilesOf } from './latency.ts'

/** Requests of one group with the same outcome and latency bucket. */
export type RollupGroup = {
  readonly isSuccess: boolean
  readonly latencyBucket: number
  readonly requests: number
  readonly bytes: number
  readonly latencyUs: number
}

export type Statistics = {
  readonly requests: number
  readonly successful: number
  readonly failed: number
  /** Percent; null without requests. */
  readonly successRate: number | null
  readonly bytes: number
  readonly latencyMs: {
    readonly average: number | null
    readonly p50: number | null
    readonly p95: number | null
    readonly p99: number | null
  }
}

export function statisticsOf(groups: readonly RollupGroup[]): Statistics {
  const histogram = new Map<number, number>()
  let [requests, successful, bytes, latencyUs] = [0, 0, 0, 0]
  for (const group of groups) {
    requests += group.requests
    if (group.isSuccess) successful += group.requests
    bytes += group.bytes
    latencyUs += group.latencyUs
    histogram.set(group.latencyBucket, (histogram.get(group.latencyBucket) ?? 0) + group.requests)
  }
  const [p50, p95, p99] = percentilesOf(histogram, [0.5, 0.95, 0.99])
  return {
    requests,
    successful,
    failed: requests - successful,
    successRate: successRateOf(successful, requests),
    bytes,
    latencyMs: {
      average: requests === 0 ? null : toMs(latencyUs / requests),
      p50: p50 === undefined ? null : toMs(p50),
      p95: p95 === undefined ? null : toMs(p95),
      p99: p99 === undefined ? null : toMs(p99),
    },
  }
}

/** Rounded down, so that 99.999 % does not read as 100 %. */
const successRateOf = (successful: number, requests: number): number | null =>
  requests === 0 ? null : Math.floor((successful / requests) * 10_000) / 100

const toMs = (us: number): number => Math.round(us) / 1000
