/** The time, moving on for every component at once. */
import { useSyncExternalStore } from 'react'

const TICK_MS = 5_000
const subscribers = new Set<() => void>()
let now = Date.now()
let timer: number | undefined

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

export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
