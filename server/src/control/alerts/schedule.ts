/** When a message is tried again, and when it is given up. Pure: an outcome, the time and chance make the next state. */
import type { Outcome } from './send.ts'

const SECOND = 1_000
const FIRST_PAUSE_MS = 5 * SECOND
const LONGEST_PAUSE_MS = 3_600 * SECOND

export type Tried = {
  /** Tries made, this one included. */
  readonly attempts: number
  readonly giveUpAt: number
}

export type NextState = {
  readonly status: 'sent' | 'retrying' | 'failed'
  readonly error: string | null
  readonly nextAt: number | null
}

/** `chance` from 0 to 1 spreads receivers that failed together; a last try is made when the time is up. */
export function afterTry({ attempts, giveUpAt }: Tried, outcome: Outcome, now: number, chance: number): NextState {
  if (outcome.ok) return { status: 'sent', error: null, nextAt: null }
  if (outcome.isGone === true || now >= giveUpAt) return { status: 'failed', error: outcome.reason, nextAt: null }
  const pause = outcome.retryAfterMs ?? Math.max(pauseAfter(attempts, chance), outcome.pauseAtLeastMs ?? 0)
  return { status: 'retrying', error: outcome.reason, nextAt: Math.min(now + pause, giveUpAt) }
}

/** Doubling from five seconds to an hour, each up to a quarter shorter or longer. */
export function pauseAfter(attempts: number, chance: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE_MS)
  return Math.round(pause * (0.75 + chance / 2))
}
