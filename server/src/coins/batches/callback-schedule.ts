/** When a callback is tried again, and when it is given up. Pure: an attempt's outcome and the time make the next state. */
import type { WebhookStatus } from './batch-store.ts'

/** Pauses after each attempt but the last, in milliseconds: 30 s, 5 min, 30 min, 2 h, 8 h. */
const PAUSES = [30_000, 300_000, 1_800_000, 7_200_000, 28_800_000]

export type AttemptOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly isFinal: boolean }

export type CallbackState = {
  readonly status: WebhookStatus
  readonly nextAt: Date | null
  readonly error: string | null
}

/** `attempts`: made so far, this one included. */
export function afterAttempt(attempts: number, outcome: AttemptOutcome, now: number): CallbackState {
  if (outcome.ok) return { status: 'delivered', nextAt: null, error: null }
  const pause = outcome.isFinal ? undefined : PAUSES[attempts - 1]
  if (pause === undefined) return { status: 'failed', nextAt: null, error: outcome.reason }
  return { status: 'retrying', nextAt: new Date(now + pause), error: outcome.reason }
}
