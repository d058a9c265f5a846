import { exactTime, relativeTime } from '../../../vocabulary/time.ts'
import { useNow } from './use-now.ts'

type RelativeTimeProps = {
  readonly at: string | number
  /** For block times: the clock of a miner can be ahead, but what was mined is not in the future. */
  readonly isPast?: boolean
}

/** `5 min ago`, with the exact time as the tooltip. */
export function RelativeTime({ at, isPast = false }: RelativeTimeProps) {
  const time = typeof at === 'number' ? at : Date.parse(at)
  const now = useNow()
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time)}>
      {relativeTime(isPast ? Math.min(time, now) : time, now)}
    </time>
  )
}
