import { duration, exactTime } from '../../../vocabulary/time.ts'
import { useSeconds } from './use-now.ts'

/** `in 3 h 59 min`, updated every second, with the exact time as the tooltip. `children` replaces it once the time has come. */
export function Countdown({ to, children }: { readonly to: string; readonly children: string }) {
  const time = Date.parse(to)
  const seconds = Math.ceil((time - useSeconds()) / 1_000)
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time)}>
      {seconds > 0 ? `in ${duration(seconds)}` : children}
    </time>
  )
}
