/**
 * The stretch of time an analytics question is about. Sums are kept by hour and by day, so a range is widened to whole
 * hours, and to whole UTC days where it is long or old; the answer says what it covers.
 */
import { DAY_MS, HOUR_MS } from './rollup.ts'

/** Milliseconds since the epoch, `to` exclusive. */
export type Range = { readonly from: number; readonly to: number }
export type Period = 'hour' | 'day'
export type PeriodRange = Range & { readonly period: Period }

export const PERIOD_MS: Readonly<Record<Period, number>> = { hour: HOUR_MS, day: DAY_MS }

/** Up to here figures are by the hour, and a chart has at most 744 hours. */
export const LONGEST_BY_HOUR_MS = 31 * DAY_MS

/** Sums by hour outlive the log, so that a quarter can be looked at by the hour; sums by day stay. */
export const HOURS_KEPT_DAYS = 92

/** The first hour whose sums are still there, where `days` are kept, today included. */
export const oldestHour = (now: number, days: number = HOURS_KEPT_DAYS): number =>
  floor(now, DAY_MS) - (Math.max(days, HOURS_KEPT_DAYS) - 1) * DAY_MS

export const hasHours = ({ from }: Range, now: number): boolean => from >= oldestHour(now)

/** What is asked about when nothing is said: 24 hours or 30 days, the running one included. */
const USUAL: Readonly<Record<Period, number>> = { hour: 24, day: 30 }

export type Asked = { readonly from?: number | undefined; readonly to?: number | undefined }

/** Whole periods that hold everything from `from` to `to`. */
export function rangeBy(period: Period, { from, to }: Asked, now: number): PeriodRange {
  const length = PERIOD_MS[period]
  const end = ceiling(to ?? Math.max(now, (from ?? now) + 1), length)
  return { from: floor(from ?? end - USUAL[period] * length, length), to: end, period }
}

/** By the hour, or by the day where that is too long or no hours are left; whole days are read from the sums by day, which are fewer. */
export function rangeOf(asked: Asked, now: number): PeriodRange {
  const range = rangeBy('hour', asked, now)
  if (range.to - range.from > LONGEST_BY_HOUR_MS || !hasHours(range, now)) return rangeBy('day', range, now)
  const isWholeDays = range.from % DAY_MS === 0 && range.to % DAY_MS === 0
  return isWholeDays ? { ...range, period: 'day' } : range
}

export const periodsIn = ({ from, to, period }: PeriodRange): readonly number[] =>
  Array.from({ length: (to - from) / PERIOD_MS[period] }, (_, n) => from + n * PERIOD_MS[period])

/** A part of a range that has sums of its own, by the period; without one, it lies within an hour. */
export type Piece = Range & { readonly period: Period | undefined }

/** A range in the fewest pieces: whole days, whole hours around them, and what is left at either end. */
export function piecesOf(
  { from, to }: Range,
  [period, ...shorter]: readonly Period[] = ['day', 'hour'],
): readonly Piece[] {
  if (from >= to) return []
  if (period === undefined) return [{ from, to, period }]
  const whole = { from: ceiling(from, PERIOD_MS[period]), to: floor(to, PERIOD_MS[period]) }
  if (whole.from >= whole.to) return piecesOf({ from, to }, shorter)
  return [
    ...piecesOf({ from, to: whole.from }, shorter),
    { ...whole, period },
    ...piecesOf({ from: whole.to, to }, shorter),
  ]
}

/** The end of the hour that holds the instant. */
export const hourAfter = (instant: number): number => floor(instant, HOUR_MS) + HOUR_MS

const floor = (instant: number, length: number): number => instant - (instant % length)
const ceiling = (instant: number, length: number): number => floor(instant + length - 1, length)
