/**
 * The rate limiter: counts requests exactly over all processes, and refuses those beyond a limit.
 *
 * Requests that arrive while the store is busy are counted together by its next statement. Under load one statement
 * serves many requests; without load a request waits for one statement.
 */
import { type Clock, type Month, monthOf, systemTiming } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { type CounterStore, type Grant, type RateLimits, type Return, stepOf } from './counters.ts'

export type RateLimitResult =
  | {
      readonly isAllowed: true
      readonly month: Month
      readonly monthUsed: number
      /**
       * Returns the request if it failed with 5xx, so that it counts toward no limit. Called at most once. Resolves when
       * that is stored or has failed.
       */
      readonly giveBack: () => Promise<void>
    }
  | {
      readonly isAllowed: false
      /** The limit that refuses the request. */
      readonly by: 'window' | 'month'
      readonly month: Month
      readonly monthUsed: number
      readonly retryAt: number
    }

/** A result that is known. It is void if `stored` rejects. */
export type UnstoredResult = RateLimitResult & { readonly stored: Promise<void> }

export type RateLimiter = {
  /** Counts one request of `subject`, unless a limit refuses it. Resolves when that is stored. */
  readonly take: (subject: string, limits: RateLimits) => Promise<RateLimitResult>
  /**
   * As `take`, but passes the result to `onKnown` when it is known, so that work goes on while the store writes to its disk.
   * If the store fails before, `onFailed` is called instead. With callbacks, because two promises for each request cost more
   * than its count.
   */
  readonly takeAhead: (
    subject: string,
    limits: RateLimits,
    onKnown: (result: UnstoredResult) => void,
    onFailed: (error: Error) => void,
  ) => void
}

/** `close` writes the returns that wait. */
export type OpenRateLimiter = RateLimiter & { readonly close: () => Promise<void> }

/** An unreachable store is tried again after this time, and for this long when the process stops. */
const RETRY_MS = 1_000
const CLOSE_MS = 5_000

/**
 * Lets requests that have arrived join the batch. Under load more arrive while the first turn of the event loop reads them:
 * with a second turn, batches are half as large again.
 */
const collectArrived = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

const ignore = (): void => {}

type Waiter = { readonly onKnown: (result: UnstoredResult) => void; readonly onFailed: (error: Error) => void }
type Queue = { limits: RateLimits; readonly waiters: Waiter[] }

export type RateLimiterDeps = { readonly store: CounterStore; readonly clock: Clock; readonly log: Logger }

export function createRateLimiter({ store, clock, log }: RateLimiterDeps): OpenRateLimiter {
  const returns = createReturns({ store, log })
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
      let isKnown = false
      const stored = store.take(demands, at, month, (grants) => {
        isKnown = true
        resolveBatch(grants)
      })
      const whenStored = stored.then(ignore)
      whenStored.catch(ignore) // not unhandled, also if no request waits for it
      const resolveBatch = (grants: readonly Grant[]): void => {
        let index = 0
        for (const [subject, { limits, waiters }] of batch) {
          const grant = grants[index++] as Grant
          // A window that refused others names the time at which it opens. Its own requests were granted at `at`.
          const grantedAt = grant.refusedBy === 'window' ? at : grant.windowOpensAt
          const giveBack = () => returns.add({ subject, grantedAt, month, stepMs: stepOf(limits) })
          settle(waiters, grant, month, giveBack, whenStored)
        }
      }
      try {
        const grants = await stored
        if (!isKnown) resolveBatch(grants)
      } catch (error) {
        // A request whose result is known learns it from `stored`.
        if (!isKnown)
          for (const { waiters } of batch.values()) for (const { onFailed } of waiters) onFailed(error as Error)
      }
    }
    busy = false
  }

  const takeAhead: RateLimiter['takeAhead'] = (subject, limits, onKnown, onFailed) => {
    const queue = waiting.get(subject)
    if (queue === undefined) waiting.set(subject, { limits, waiters: [{ onKnown, onFailed }] })
    else {
      queue.limits = limits // the newest wins: a plan may have changed
      queue.waiters.push({ onKnown, onFailed })
    }
    if (!busy) void serve()
  }
  return {
    takeAhead,
    take: async (subject, limits) => {
      const result = await new Promise<UnstoredResult>((resolve, reject) => takeAhead(subject, limits, resolve, reject))
      await result.stored
      return result
    },
    close: returns.close,
  }
}

/** Allows the first requests, each with the count it reached, and reports to the others which limit refused them. */
function settle(
  waiters: readonly Waiter[],
  grant: Grant,
  month: Month,
  giveBack: () => Promise<void>,
  stored: Promise<void>,
): void {
  const { granted, refusedBy, windowOpensAt, monthUsed } = grant
  const usedBefore = monthUsed - granted
  for (const [index, { onKnown }] of waiters.entries()) {
    if (index < granted) onKnown({ isAllowed: true, month, monthUsed: usedBefore + index + 1, giveBack, stored })
    else if (refusedBy === 'month')
      onKnown({ isAllowed: false, by: 'month', month, monthUsed, retryAt: month.end, stored })
    else onKnown({ isAllowed: false, by: 'window', month, monthUsed, retryAt: windowOpensAt, stored })
  }
}

/**
 * Writes returned requests, those that arrived together in one statement. While the store is unreachable they wait. If it
 * is unknown whether a statement was applied, it is not repeated, because a request must not be returned twice.
 */
function createReturns({ store, log }: { readonly store: CounterStore; readonly log: Logger }) {
  let waiting: WaitingReturn[] = []
  let writing: Promise<void> | undefined
  const closing = new AbortController()

  const write = async (): Promise<void> => {
    let giveUpAt = Number.POSITIVE_INFINITY
    while (waiting.length > 0) {
      await collectArrived()
      const [batch, rest] = distinct(waiting)
      waiting = rest
      try {
        if (await store.giveBack(batch)) {
          settleReturns(batch)
          continue
        }
        waiting = [...batch, ...waiting]
        if (closing.signal.aborted && giveUpAt === Number.POSITIVE_INFINITY) giveUpAt = performance.now() + CLOSE_MS
        if (performance.now() > giveUpAt) break
        await systemTiming.sleep(RETRY_MS, closing.signal.aborted ? undefined : closing.signal)
      } catch (error) {
        log.warn({ requests: countOf(batch), reason: reasonOf(error) }, 'failed requests may still count toward limits')
        settleReturns(batch)
      }
    }
    if (waiting.length > 0) log.warn({ requests: countOf(waiting) }, 'failed requests still count toward limits')
    settleReturns(waiting)
    waiting = []
    writing = undefined
  }
  return {
    add: (returned: Omit<Return, 'count'>): Promise<void> =>
      new Promise((resolve) => {
        waiting.push({ ...returned, count: 1, resolvers: [resolve] })
        writing ??= write()
      }),
    close: async () => {
      closing.abort()
      await writing
    },
  }
}

type WaitingReturn = Return & { readonly resolvers: readonly (() => void)[] }

function settleReturns(returns: readonly WaitingReturn[]): void {
  for (const { resolvers } of returns) for (const resolve of resolvers) resolve()
}

const countOf = (returns: readonly Return[]): number => returns.reduce((sum, { count }) => sum + count, 0)

/** Adds up returns of the same time, and takes one for each subject. The others go into a later statement. */
function distinct(returns: readonly WaitingReturn[]): readonly [batch: WaitingReturn[], rest: WaitingReturn[]] {
  const [batch, rest] = [new Map<string, WaitingReturn>(), [] as WaitingReturn[]]
  for (const returned of returns) {
    const { subject, grantedAt, month, stepMs, count, resolvers } = returned
    const same = batch.get(subject)
    if (same === undefined) batch.set(subject, returned)
    else if (same.grantedAt === grantedAt && same.month.name === month.name && same.stepMs === stepMs)
      batch.set(subject, { ...same, count: same.count + count, resolvers: [...same.resolvers, ...resolvers] })
    else rest.push(returned)
  }
  return [[...batch.values()], rest]
}
