/** The responses of the analytics API. Statistics come from rollups; only single requests are read from the log. */
import type { Queryable } from '../platform/database.ts'
import { percentilesOf } from './latency.ts'
import type { LogEntry } from './log-entry.ts'
import { getLogEntries } from './query-log.ts'
import { getRollups, type RequestScope, type RollupGroup } from './rollups.ts'
import { type PeriodRange, periodsIn, type TimeRange } from './time-range.ts'

export const rangeView = ({ from, to }: TimeRange) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

const totalOf = (groups: readonly { readonly requests: number }[]): number =>
  groups.reduce((sum, { requests }) => sum + requests, 0)

const byRequests = (a: { requests: number }, b: { requests: number }) => b.requests - a.requests

export async function getOverview(database: Queryable, scope: RequestScope, range: PeriodRange) {
  const rollups = await getRollups(database, scope, range, 'status')
  const statuses = [...Map.groupBy(rollups, ({ status }) => status)]
    .map(([status, group]) => ({ status, requests: totalOf(group) }))
    .sort((a, b) => a.status - b.status)
  return { ...rangeView(range), ...statisticsOf(rollups), statuses }
}

export async function getEndpoints(database: Queryable, scope: RequestScope, range: PeriodRange) {
  const groups = Map.groupBy(await getRollups(database, scope, range, 'endpoint'), ({ endpoint }) => endpoint)
  const endpoints = [...groups].map(([endpoint, group]) => ({ endpoint, ...statisticsOf(group) })).sort(byRequests)
  return { ...rangeView(range), endpoints }
}

export async function getChains(database: Queryable, scope: RequestScope, range: PeriodRange) {
  const groups = Map.groupBy(await getRollups(database, scope, range, 'chain'), ({ chain }) => chain)
  const chains = [...groups]
    .map(([chain, group]) => ({ chain: chain === '' ? null : chain, ...statisticsOf(group) }))
    .sort(byRequests)
  return { ...rangeView(range), chains }
}

/** Returns one point for each period, including periods without traffic, so that a chart shows gaps. */
export async function getChart(database: Queryable, scope: RequestScope, range: PeriodRange) {
  const rollups = await getRollups(database, scope, range, 'startsAt')
  const groups = Map.groupBy(rollups, ({ startsAt }) => startsAt.getTime())
  const points = periodsIn(range).map((start) => ({
    timestamp: new Date(start).toISOString(),
    ...statisticsOf(groups.get(start) ?? []),
  }))
  return { ...rangeView(range), points }
}

const ERROR_STATUSES = [400, 599] as const

export async function getErrors(database: Queryable, scope: RequestScope, range: PeriodRange, limit: number) {
  const failed = (await getRollups(database, scope, range, 'status')).filter(({ isSuccess }) => !isSuccess)
  const codes = [...Map.groupBy(failed, ({ status, code }) => `${status} ${code}`).values()]
    .map((group) => ({ status: group[0]?.status ?? 0, code: group[0]?.code ?? '', requests: totalOf(group) }))
    .sort(byRequests)
  const errors = await getLogEntries(database, { ...scope, ...range, statuses: ERROR_STATUSES }, { skip: 0, limit })
  return { ...rangeView(range), codes, errors: errors.map(logEntryView) }
}

export const logEntryView = ({ at, latencyUs, ...entry }: LogEntry) => ({
  ...entry,
  timestamp: at.toISOString(),
  latencyMs: latencyUs / 1000,
})

type Statistics = {
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

/** Combines rollups into the statistics that the analytics report. */
function statisticsOf(groups: readonly RollupGroup[]): Statistics {
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
