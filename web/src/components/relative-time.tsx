import { useSyncExternalStore } from 'react'
import { exactTime, relativeTime } from '../../../vocabulary/time.ts'

/** `5 min ago`, with the exact time as the tooltip. */
export function RelativeTime({ at }: { readonly at: string | number }) {
  const time = typeof at === 'number' ? at : Date.parse(at)
  const now = Math.max(useNow(), Date.now())
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time)}>
      {relativeTime(time, now)}
    </time>
  )
}

const TICK_MS = 5_000
const subscribers = new Set<() => void>()
let now = Date.now()
let timer: number | undefined

/** One timer for all components. */
function subscribe(notify: () => void): () => void {
  subscribers.add(notify)
  timer ??= window.setInterval(() => {
    now = Date.now()
    for (const each of subscribers) each()
  }, TICK_MS)
  return () => {
    subscribers.delete(notify)
    if (subscribers.size > 0) return
    window.clearInterval(timer)
    timer = undefined
  }
}

const useNow = (): number => useSyncExternalStore(subscribe, () => now)
