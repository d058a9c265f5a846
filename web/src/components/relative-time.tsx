import { exactTime, relativeTime } from '../../../vocabulary/time.ts'
import { useNow } from './use-now.ts'

/** `5 min ago`, with the exact time as the tooltip. */
export function RelativeTime({ at }: { readonly at: string | number }) {
  const time = typeof at === 'number' ? at : Date.parse(at)
  const now = useNow()
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time)}>
      {relativeTime(time, now)}
    </time>
  )
}
