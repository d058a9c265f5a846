/** The current time for components that show it. One timer serves all components with the same interval. */
import { useSyncExternalStore } from 'react'

function createTicker(everyMs: number): () => number {
  const subscribers = new Set<() => void>()
  let now = Date.now()
  let timer: number | undefined
  const subscribe = (notify: () => void): (() => void) => {
    subscribers.add(notify)
    timer ??= window.setInterval(() => {
      now = Date.now()
      for (const each of subscribers) each()
    }, everyMs)
    return () => {
      subscribers.delete(notify)
      if (subscribers.size > 0) return
      window.clearInterval(timer)
      timer = undefined
    }
  }
  return () =>
    Math.max(
      useSyncExternalStore(subscribe, () => now),
      Date.now(),
    )
}

export const useNow = createTicker(5_000)
export const useSeconds = createTicker(1_000)
