/**
 * Where requests wait to be counted: those that arrive while the store is busy go in one batch to it.
 *
 * This is what makes an exact count cheap: under load one statement serves many requests, without load one request
 * waits for one statement and for nothing else.
 */
import { type Clock, monthOf } from '../../lib/clock.ts'
import type { Allowance, CounterStore, Grant } from './counters.ts'

export type Passage =
  | { readonly passed: true; readonly monthUsed: number; readonly monthEndsAt: number }
  | {
      readonly passed: false
      readonly by: 'window' | 'month'
      readonly monthUsed: number
      readonly retryAt: number
      readonly monthEndsAt: number
    }

export type Turnstile = { readonly pass: (subject: string, allowance: Allowance) => Promise<Passage> }

/** Whatever else the network has brought by now is read first: it comes along in the same batch. */
const allArrived = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

type Waiter = { readonly resolve: (passage: Passage) => void; readonly reject: (reason: unknown) => void }
type Queue = { allowance: Allowance; readonly waiters: Waiter[] }

export function createTurnstile({ store, clock }: { readonly store: CounterStore; readonly clock: Clock }): Turnstile {
  let waiting = new Map<string, Queue>()
  let busy = false

  const serve = async () => {
    busy = true
    while (waiting.size > 0) {
      await allArrived()
      const batch = waiting
      waiting = new Map()
      const at = clock.now()
      const month = monthOf(at)
      const demands = [...batch].map(([subject, { allowance, waiters }]) => ({
        ...allowance,
        subject,
        count: waiters.length,
      }))
      try {
        const grants = await store.take(demands, at, month)
        for (const [index, { waiters }] of [...batch.values()].entries())
          letPass(waiters, grants[index] as Grant, month.end)
      } catch (error) {
        for (const { waiters } of batch.values()) for (const { reject } of waiters) reject(error)
      }
    }
    busy = false
  }

  return {
    pass: (subject, allowance) =>
      new Promise((resolve, reject) => {
        const queue = waiting.get(subject)
        if (queue === undefined) waiting.set(subject, { allowance, waiters: [{ resolve, reject }] })
        else {
          queue.allowance = allowance // the newest wins: a plan may have changed
          queue.waiters.push({ resolve, reject })
        }
        if (!busy) void serve()
      }),
  }
}

/** The first ones pass, each seeing the count as it stood with it; the others learn which limit refused them. */
function letPass(waiters: readonly Waiter[], grant: Grant, monthEndsAt: number): void {
  const usedBefore = grant.monthUsed - grant.granted
  const refusedByMonth = waiters.length - grant.granted - grant.refusedByWindow
  for (const [index, { resolve }] of waiters.entries()) {
    if (index < grant.granted) resolve({ passed: true, monthUsed: usedBefore + index + 1, monthEndsAt })
    else if (index < grant.granted + refusedByMonth) {
      resolve({ passed: false, by: 'month', monthUsed: grant.monthUsed, retryAt: monthEndsAt, monthEndsAt })
    } else
      resolve({ passed: false, by: 'window', monthUsed: grant.monthUsed, retryAt: grant.windowEndsAt, monthEndsAt })
  }
}
