/** The answers of the analytics, from sums; only single requests are read from the log itself. */
import type { Queryable } from '../platform/database.ts'
import { figuresOf, grouped } from './figures.ts'
import { type PeriodRange, periodsIn } from './range.ts'
import { getLog, type LogEntry } from './store/log.ts'
import { getSums, type Whose } from './store/sums.ts'

export const covered = ({ from, to }: { readonly from: number; readonly to: number }) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

export async function getOverview(database: Queryable, whose: Whose, range: PeriodRange) {
  const sums = await getSums(database, whose, range, 'status')
  const statuses = [...grouped(sums, ({ status }) => status)]
    .map(([status, group]) => ({ status, requests: group.reduce((sum, { requests }) => sum + requests, 0) }))
    .sort((a, b) => a.status - b.status)
  return { ...covered(range), ...figuresOf(sums), statuses }
}

const busiestFirst = (a: { requests: number }, b: { requests: number }) => b.requests - a.requests

export async function getEndpoints(database: Queryable, whose: Whose, range: PeriodRange) {
  const groups = grouped(await getSums(database, whose, range, 'endpoint'), ({ endpoint }) => endpoint)
  const endpoints = [...groups].map(([endpoint, sums]) => ({ endpoint, ...figuresOf(sums) })).sort(busiestFirst)
  return { ...covered(range), endpoints }
}

export async function getChains(database: Queryable, whose: Whose, range: PeriodRange) {
  const groups = grouped(await getSums(database, whose, range, 'chain'), ({ chain }) => chain)
  const chains = [...groups]
    .map(([chain, sums]) => ({ chain: chain === '' ? null : chain, ...figuresOf(sums) }))
    .sort(busiestFirst)
  return { ...covered(range), chains }
}

/** One point for each period, those without traffic included: a chart must not draw a line over a silence. */
export async function getChart(database: Queryable, whose: Whose, range: PeriodRange) {
  const groups = grouped(await getSums(database, whose, range, 'startsAt'), ({ startsAt }) => startsAt.getTime())
  const points = periodsIn(range).map((start) => ({
    timestamp: new Date(start).toISOString(),
    ...figuresOf(groups.get(start) ?? []),
  }))
  return { ...covered(range), points }
}

const REFUSALS = [400, 599] as const

export async function getErrors(database: Queryable, whose: Whose, range: PeriodRange, limit: number) {
  const sums = (await getSums(database, whose, range, 'status')).filter(({ isSuccess }) => !isSuccess)
  const codes = [...grouped(sums, ({ status, code }) => `${status} ${code}`).values()]
    .map(([first, ...others]) => ({
      status: first?.status ?? 0,
      code: first?.code ?? '',
      requests: [first, ...others].reduce((sum, each) => sum + (each?.requests ?? 0), 0),
    }))
    .sort(busiestFirst)
  const errors = await getLog(database, { ...whose, ...range, statuses: REFUSALS }, { skip: 0, limit })
  return { ...covered(range), codes, errors: errors.map(shownEntry) }
}

export const shownEntry = ({ at, latencyUs, ...entry }: LogEntry) => ({
  ...entry,
  timestamp: at.toISOString(),
  latencyMs: latencyUs / 1000,
})
