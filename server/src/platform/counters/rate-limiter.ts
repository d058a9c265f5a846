/**
 * The rate limiter: counts requests exactly over all processes, and refuses those beyond a limit.
 *
 * Requests that arrive while the store is busy are counted together by its next statement. Under load one statement
 * serves many requests; without load a request waits for one statement.
 */
import { type Clock, monthOf } from '../../lib/clock.ts'
import type { CounterStore, Grant, RateLimits } from './counters.ts'

export type RateLimitResult =
  | { readonly isAllowed: true; readonly monthUsed: number; readonly monthEndsAt: number }
  | {
      readonly isAllowed: false
      /** The limit that refuses the request. */
      readonly by: 'window' | 'month'
      readonly monthUsed: number
      readonly retryAt: number
      readonly monthEndsAt: number
    }

export type RateLimiter = {
  /** Counts one request of `subject`, unless a limit refuses it. */
  readonly take: (subject: string, limits: RateLimits) => Promise<RateLimitResult>
}

/** Lets requests that have already arrived join the batch. */
const collectArrived = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

type Waiter = { readonly resolve: (result: RateLimitResult) => void; readonly reject: (reason: unknown) => void }
type Queue = { limits: RateLimits; readonly waiters: Waiter[] }

export function createRateLimiter({
  store,
  clock,
}: {
  readonly store: CounterStore
  readonly clock: Clock
}): RateLimiter {
  let waiting = new Map<string, Queue>()
  let busy = false

  const serve = async () => {
    busy = true
    while (waiting.size > 0) {
      await collectArrived()
      const batch = waiting
      waiting = new Map()
      const at = clock.now()
      const month = monthOf(at)
      const demands = [...batch].map(([subject, { limits, waiters }]) => ({
        ...limits,
        subject,
        count: waiters.length,
      }))
      try {
        const grants = await store.take(demands, at, month)
        for (const [index, { waiters }] of [...batch.values()].entries())
          settle(waiters, grants[index] as Grant, month.end)
      } catch (error) {
        for (const { waiters } of batch.values()) for (const { reject } of waiters) reject(error)
      }
    }
    busy = false
  }

  return {
    take: (subject, limits) =>
      new Promise((resolve, reject) => {
        const queue = waiting.get(subject)
        if (queue === undefined) waiting.set(subject, { limits, waiters: [{ resolve, reject }] })
        else {
          queue.limits = limits // the newest wins: a plan may have changed
          queue.waiters.push({ resolve, reject })
        }
        if (!busy) void serve()
      }),
  }
}

/** Allows the first requests, each with the count it reached, and reports to the others which limit refused them. */
function settle(waiters: readonly Waiter[], grant: Grant, monthEndsAt: number): void {
  const { granted, refusedBy, windowOpensAt, monthUsed } = grant
  const usedBefore = monthUsed - granted
  for (const [index, { resolve }] of waiters.entries()) {
    if (index < granted) resolve({ isAllowed: true, monthUsed: usedBefore + index + 1, monthEndsAt })
    else if (refusedBy === 'month')
      resolve({ isAllowed: false, by: 'month', monthUsed, retryAt: monthEndsAt, monthEndsAt })
    else resolve({ isAllowed: false, by: 'window', monthUsed, retryAt: windowOpensAt, monthEndsAt })
  }
}
