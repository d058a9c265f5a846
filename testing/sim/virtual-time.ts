/**
 * The simulator's clock: time passes only when every task waits.
 *
 * Simulated work happens in promises, so after a turn of the event loop every ready task has run. Work on a real database
 * is marked with `busy`, and time does not pass until it is done.
 */
import type { Timing } from '../../server/src/lib/clock.ts'

type Timer = { readonly at: number; readonly order: number; readonly fire: () => void }

export type VirtualTime = Timing & {
  /** Advances the time until `until` returns true; returns false if `limitMs` pass first. */
  readonly run: (until: () => boolean, limitMs: number) => Promise<boolean>
  readonly busy: <T>(work: Promise<T>) => Promise<T>
}

export function virtualTime(start: number): VirtualTime {
  let now = start
  let order = 0
  let working = 0
  const timers: Timer[] = [] // a heap by time, then by order of creation

  const before = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)
  const push = (timer: Timer): void => {
    let at = timers.push(timer) - 1
    while (at > 0) {
      const up = (at - 1) >> 1
      if (!before(timer, timers[up] as Timer)) break
      timers[at] = timers[up] as Timer
      at = up
    }
    timers[at] = timer
  }
  const pop = (): Timer | undefined => {
    const top = timers[0]
    const last = timers.pop()
    if (top === undefined || last === undefined || timers.length === 0) return top
    let at = 0
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const child = right < timers.length && before(timers[right] as Timer, timers[left] as Timer) ? right : left
      if (child >= timers.length || !before(timers[child] as Timer, last)) break
      timers[at] = timers[child] as Timer
      at = child
    }
    timers[at] = last
    return top
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve()
        const done = (): void => {
          signal?.removeEventListener('abort', done)
          resolve()
        }
        signal?.addEventListener('abort', done)
        push({ at: now + Math.max(0, Math.ceil(ms)), order: order++, fire: done })
      }),
    busy: async (work) => {
      working += 1
      try {
        return await work
      } finally {
        working -= 1
      }
    },
    run: async (until, limitMs) => {
      const end = now + limitMs
      await turn()
      while (!until()) {
        if (working > 0) {
          await turn()
          continue
        }
        const timer = (timers[0]?.at ?? Number.POSITIVE_INFINITY) > end ? undefined : pop()
        if (timer === undefined) {
          now = end
          return until()
        }
        now = Math.max(now, timer.at)
        timer.fire()
        await turn()
      }
      return true
    },
  }
}
