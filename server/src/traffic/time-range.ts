/**
 * The time range of an analytics query. Rollups exist by hour and by day, so a range is widened to whole hours, or to
 * whole UTC days if it is long or old. The response states the range it covers.
 */
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Milliseconds since the epoch, `to` exclusive. */
export type TimeRange = { readonly from: number; readonly to: number }
export type Period = 'hour' | 'day'
export type PeriodRange = TimeRange & { readonly period: Period }

export const PERIOD_MS: Readonly<Record<Period, number>> = { hour: HOUR_MS, day: DAY_MS }

/** Longer ranges are read by day. A chart has at most 744 hours. */
export const MAX_HOURLY_MS = 31 * DAY_MS

/** Hourly rollups are kept for a quarter, even where the log itself is kept for less. Daily rollups are kept for good. */
export const HOURS_KEPT_DAYS = 92

/** Returns the first hour whose rollups still exist, if `days` days are kept, including today. */
export const oldestHour = (now: number, days: number = HOURS_KEPT_DAYS): number =>
  floor(now, DAY_MS) - (Math.max(days, HOURS_KEPT_DAYS) - 1) * DAY_MS

export const hasHours = ({ from }: TimeRange, now: number): boolean => from >= oldestHour(now)

/** The length of a range without a start, in periods, including the current period. */
const DEFAULT_PERIODS: Readonly<Record<Period, number>> = { hour: 24, day: 30 }

export type RequestedRange = { readonly from?: number | undefined; readonly to?: number | undefined }

/** Returns the whole periods that contain everything from `from` to `to`. */
export function rangeBy(period: Period, { from, to }: RequestedRange, now: number): PeriodRange {
  const length = PERIOD_MS[period]
  const end = ceiling(to ?? Math.max(now, (from ?? now) + 1), length)
  return { from: floor(from ?? end - DEFAULT_PERIODS[period] * length, length), to: end, period }
}

/** Returns the range by hour; by day if it is too long, too old, or made of whole days, which have fewer rows. */
export function rangeOf(requested: RequestedRange, now: number): PeriodRange {
  const range = rangeBy('hour', requested, now)
  if (range.to - range.from > MAX_HOURLY_MS || !hasHours(range, now)) return rangeBy('day', range, now)
  const isWholeDays = range.from % DAY_MS === 0 && range.to % DAY_MS === 0
  return isWholeDays ? { ...range, period: 'day' } : range
}

export const periodsIn = ({ from, to, period }: PeriodRange): readonly number[] =>
  Array.from({ length: (to - from) / PERIOD_MS[period] }, (_, n) => from + n * PERIOD_MS[period])

/** A part of a range that rollups of one period cover. Without a period it is shorter than an hour. */
export type RangePart = TimeRange & { readonly period: Period | undefined }

/** Splits a range into the fewest parts: whole days, whole hours around them, and the rest at both ends. */
export function splitRange(
  { from, to }: TimeRange,
  [period, ...shorter]: readonly Period[] = ['day', 'hour'],
): readonly RangePart[] {
  if (from >= to) return []
  if (period === undefined) return [{ from, to, period }]
  const whole = { from: ceiling(from, PERIOD_MS[period]), to: floor(to, PERIOD_MS[period]) }
  if (whole.from >= whole.to) return splitRange({ from, to }, shorter)
  return [
    ...splitRange({ from, to: whole.from }, shorter),
    { ...whole, period },
    ...splitRange({ from: whole.to, to }, shorter),
  ]
}

/** Returns the end of the hour that contains the instant. */
export const hourAfter = (instant: number): number => floor(instant, HOUR_MS) + HOUR_MS

const floor = (instant: number, length: number): number => instant - (instant % length)
const ceiling = (instant: number, length: number): number => floor(instant + length - 1, length)
