/** English texts for times and durations. */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

/** `15 Nov`. */
export const dayOfYear = (instant: number): string => day.format(instant)

/** `05:27`. */
export const timeOfDay = (instant: number): string => time.format(instant)

/** `just now`, `12 s ago`, `5 min ago`, `3 h ago`, `2 d ago`, then the date; `in 5 min` for a future time. */
export function relativeTime(instant: number, now: number): string {
  const seconds = Math.round((now - instant) / 1000)
  const size = Math.abs(seconds)
  if (size < 5) return 'just now'
  if (size >= 30 * DAY) return date.format(instant)
  const [count, unit] =
    size < MINUTE
      ? [size, 's']
      : size < HOUR
        ? [Math.floor(size / MINUTE), 'min']
        : size < DAY
          ? [Math.floor(size / HOUR), 'h']
          : [Math.floor(size / DAY), 'd']
  return seconds < 0 ? `in ${count} ${unit}` : `${count} ${unit} ago`
}

const YEAR_10000 = Date.UTC(10_000)

/** `2026-11-15 05:27:02 UTC`. A contract can name any time, also one that no calendar has. */
export const exactTime = (instant: number): string =>
  Math.abs(instant) < YEAR_10000
    ? `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    : 'a time after the year 9999'

const LONGEST = 10_000_000 * DAY
const ENDLESS = 'more than 10 million days'

/** `2 d`, `23 h 59 min`: the two largest units that are not zero. A contract can name any delay. */
export function duration(seconds: number): string {
  if (seconds > LONGEST) return ENDLESS
  const units = [
    [Math.floor(seconds / DAY), 'd'],
    [Math.floor((seconds % DAY) / HOUR), 'h'],
    [Math.floor((seconds % HOUR) / MINUTE), 'min'],
    [Math.floor(seconds % MINUTE), 's'],
  ] as const
  const largest = units.filter(([count]) => count > 0).slice(0, 2)
  return largest.length === 0 ? '0 s' : largest.map(([count, unit]) => `${count} ${unit}`).join(' ')
}

/** `48 h (2 d)`, `23 h 59 min 59 s`: to the second, because a label depends on it. */
export function exactDuration(seconds: number): string {
  if (seconds > LONGEST) return ENDLESS
  if (seconds >= DAY && seconds % DAY === 0) return `${seconds / HOUR} h (${seconds / DAY} d)`
  const parts = [
    [Math.floor(seconds / HOUR), 'h'],
    [Math.floor((seconds % HOUR) / MINUTE), 'min'],
    [seconds % MINUTE, 's'],
  ] as const
  const texts = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`)
  return texts.length === 0 ? '0 s' : texts.join(' ')
}
