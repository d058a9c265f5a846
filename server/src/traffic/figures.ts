/** Sums → the figures a person reads. */
import { percentilesOf } from './latency.ts'

/** Requests of one group that were alike in outcome and latency class. */
export type Sum = {
  readonly isSuccess: boolean
  readonly latencyBucket: number
  readonly requests: number
  readonly bytes: number
  readonly latencyUs: number
}

export type Figures = {
  readonly requests: number
  readonly successful: number
  readonly failed: number
  /** Percent; null where there was no request, because nothing was successful. */
  readonly successRate: number | null
  readonly bytes: number
  readonly latencyMs: {
    readonly average: number | null
    readonly p50: number | null
    readonly p95: number | null
    readonly p99: number | null
  }
}

export function figuresOf(sums: readonly Sum[]): Figures {
  const histogram = new Map<number, number>()
  let [requests, successful, bytes, latencyUs] = [0, 0, 0, 0]
  for (const sum of sums) {
    requests += sum.requests
    if (sum.isSuccess) successful += sum.requests
    bytes += sum.bytes
    latencyUs += sum.latencyUs
    histogram.set(sum.latencyBucket, (histogram.get(sum.latencyBucket) ?? 0) + sum.requests)
  }
  const [p50, p95, p99] = percentilesOf(histogram, [0.5, 0.95, 0.99])
  return {
    requests,
    successful,
    failed: requests - successful,
    successRate: successRateOf(successful, requests),
    bytes,
    latencyMs: {
      average: requests === 0 ? null : inMs(latencyUs / requests),
      p50: p50 === undefined ? null : inMs(p50),
      p95: p95 === undefined ? null : inMs(p95),
      p99: p99 === undefined ? null : inMs(p99),
    },
  }
}

/** Rounded down: 99.999 % is not everything. */
const successRateOf = (successful: number, requests: number): number | null =>
  requests === 0 ? null : Math.floor((successful / requests) * 10_000) / 100

export const inMs = (us: number): number => Math.round(us) / 1000

/** Sums by the group they belong to, in the order in which groups first appear. */
export function grouped<T extends Sum, Name>(sums: readonly T[], nameOf: (sum: T) => Name): ReadonlyMap<Name, T[]> {
  const groups = new Map<Name, T[]>()
  for (const sum of sums) {
    const name = nameOf(sum)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [sum])
    else group.push(sum)
  }
  return groups
}
