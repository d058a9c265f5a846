import { exactTime, relativeTime } from '../../../vocabulary/time.ts'
import { useNow } from './use-now.ts'

/** `5 min ago`, with the exact instant on hover and for machines. */
export function RelativeTime({ at }: { readonly at: string | number }) {
  const instant = typeof at === 'number' ? at : Date.parse(at)
  const now = Math.max(useNow(), Date.now())
  return (
    <time dateTime={new Date(instant).toISOString()} title={exactTime(instant)}>
      {relativeTime(instant, now)}
    </time>
  )
}
