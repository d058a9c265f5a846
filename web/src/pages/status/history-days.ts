/** The days of a chain's history as shares and texts. */
import { plural } from '../../text/amounts.ts'

export type Day = { readonly day: string; readonly recordedMinutes: number; readonly upToDateMinutes: number }

/** A day with the parts of its bar in percent. The rest of the bar was not recorded. */
export type DayBar = Day & { readonly upShare: number; readonly downShare: number; readonly totalMinutes: number }

export const HISTORY_DAYS = 90
const DAY_MS = 86_400_000
const DAY_MINUTES = 1_440
/** In percent. A minute in a whole day would not be visible. An outage must not be overlooked. */
const SMALLEST = { up: 30, down: 12 }

/** One bar for each of the last days, the current one last. The current day has as many minutes as have passed. */
export function daysUpTo(now: number, days: readonly Day[]): readonly DayBar[] {
  const today = now - (now % DAY_MS)
  const recorded = new Map(days.map((day) => [day.day, day]))
  return Array.from({ length: HISTORY_DAYS }, (_, at) => {
    const start = today - (HISTORY_DAYS - 1 - at) * DAY_MS
    const day = new Date(start).toISOString().slice(0, 10)
    const { recordedMinutes, upToDateMinutes } = recorded.get(day) ?? { recordedMinutes: 0, upToDateMinutes: 0 }
    const passed = Math.min(DAY_MINUTES, Math.ceil((now - start) / 60_000))
    const totalMinutes = Math.max(passed, recordedMinutes, 1)
    const down = recordedMinutes - upToDateMinutes
    const downShare = down === 0 ? 0 : Math.max(SMALLEST.down, (down / totalMinutes) * 100)
    const upShare =
      upToDateMinutes === 0
        ? 0
        : Math.min(100 - downShare, Math.max(SMALLEST.up, (upToDateMinutes / totalMinutes) * 100))
    return { day, recordedMinutes, upToDateMinutes, totalMinutes, upShare, downShare }
  })
}

export const hasOutage = ({ recordedMinutes, upToDateMinutes }: Day): boolean => upToDateMinutes < recordedMinutes

/** `2 h 5 min`. */
function minutesText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** `Nov 3: 12 min not up to date, 1 h not recorded`. */
export function dayText({ day, recordedMinutes, upToDateMinutes, totalMinutes }: DayBar): string {
  const date = dayFormat.format(new Date(`${day}T00:00:00Z`))
  if (recordedMinutes === 0) return `${date}: not recorded`
  const down = recordedMinutes - upToDateMinutes
  const missing = totalMinutes - recordedMinutes
  const state =
    down === 0 ? 'up to date' : upToDateMinutes === 0 ? 'not up to date' : `${minutesText(down)} not up to date`
  // The current minute is not recorded yet.
  return `${date}: ${state}${missing > 2 ? `, ${minutesText(missing)} not recorded` : ''}`
}

/** Rounds down, so that 100 % means all minutes. */
const share = (part: number, whole: number): string => String(Math.floor((part / whole) * 10_000) / 100)

/** `Up to date 99.98 % of 12 recorded days, 4 min not`. */
export function summaryOf(days: readonly Day[]): string {
  const recorded = days.reduce((sum, day) => sum + day.recordedMinutes, 0)
  if (recorded === 0) return 'Nothing recorded yet'
  const upToDate = days.reduce((sum, day) => sum + day.upToDateMinutes, 0)
  const down = recorded - upToDate
  const span = recorded < DAY_MINUTES ? `${minutesText(recorded)} recorded` : plural(days.length, 'recorded day')
  return `Up to date ${share(upToDate, recorded)} % of ${span}${down === 0 ? '' : `, ${minutesText(down)} not`}`
}
