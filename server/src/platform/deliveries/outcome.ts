/** The outcome of one attempt to deliver a message, and when the next attempt follows. */
import { backoffMs } from '../../lib/backoff.ts'

export type Failure = {
  readonly ok: false
  /** What happened, for the delivery record. */
  readonly reason: string
  /** The recipient named the exact time of the next attempt (Telegram). */
  readonly retryAfterMs?: number
  /** The recipient asked for a pause of at least this length (Retry-After). */
  readonly pauseAtLeastMs?: number
  /** The recipient asked for no further messages. */
  readonly isGone?: true
  /** The URL itself may not be connected to, so another attempt cannot succeed. */
  readonly isForbidden?: true
  /** The recipient does not accept this content, so another attempt cannot succeed. */
  readonly isRejected?: true
  /** The message may have arrived: the connection was made, but no response came. */
  readonly isUncertain?: true
  /** The HTTP status of the response, if there was one. */
  readonly status?: number
}

export type Outcome = { readonly ok: true; readonly status?: number } | Failure

/** Whether no further attempt can succeed, for every queue. */
export const isFinal = ({ isGone, isForbidden, isRejected }: Failure): boolean =>
  isGone === true || isForbidden === true || isRejected === true

const BACKOFF = { firstMs: 5_000, longestMs: 3_600_000 }

/**
 * Doubles from five seconds to an hour until `giveUpAt`, when the last attempt is made. Returns the time of the next
 * attempt, or null to give up. `random` from 0 to 1 spreads recipients that failed together.
 */
export function retryUntil(
  { attempts, giveUpAt }: { readonly attempts: number; readonly giveUpAt: number },
  failure: Failure,
  now: number,
  random: number,
): number | null {
  if (now >= giveUpAt) return null
  return Math.min(now + pauseOf(failure, backoffMs(BACKOFF, attempts, random)), giveUpAt)
}

/** Waits the next of a list of pauses after each attempt, and gives up after the last. `attempts` includes this one. */
export function retryAfterPauses(
  pausesMs: readonly number[],
  attempts: number,
  failure: Failure,
  now: number,
): number | null {
  const pause = pausesMs[attempts - 1]
  if (pause === undefined) return null
  return now + pauseOf(failure, pause)
}

const pauseOf = ({ retryAfterMs, pauseAtLeastMs = 0 }: Failure, scheduledMs: number): number =>
  retryAfterMs ?? Math.max(scheduledMs, pauseAtLeastMs)
