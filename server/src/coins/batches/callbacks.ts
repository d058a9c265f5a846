/** Delivers the signed callback of a completed batch to its webhook URL, with retries. */
import type { Clock } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import { stringifyExactly } from '../../lib/json.ts'
import { webhookHeaders } from '../../lib/standard-webhook.ts'
import type { Database } from '../../platform/database.ts'
import { OutboundError, type OutboundOptions, postOutbound } from '../../platform/outbound.ts'
import { claimCallback, type StoredBatch, settleCallback, type WebhookStatus } from './batch-store.ts'
import { batchView } from './batch-view.ts'

export type CallbackDeps = {
  readonly database: Database
  readonly clock: Clock
  readonly outbound: OutboundOptions
}

/** Pauses after each attempt but the last: 30 s, 5 min, 30 min, 2 h, 8 h. */
const RETRY_PAUSES_MS = [30_000, 300_000, 1_800_000, 7_200_000, 28_800_000]
const CLAIM_MS = 120_000

export type AttemptOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly isFinal: boolean }

export type CallbackState = {
  readonly status: WebhookStatus
  readonly nextAt: Date | null
  readonly error: string | null
}

/** Makes one attempt at the callback that is due; false if none is. */
export async function deliverCallback(deps: CallbackDeps): Promise<boolean> {
  const { database, clock } = deps
  const batch = await claimCallback(database, new Date(clock.now()), new Date(clock.now() + CLAIM_MS))
  if (batch === undefined) return false
  const outcome = await attempt(deps, batch)
  await settleCallback(database, batch.id, afterAttempt(batch.webhookAttempts, outcome, clock.now()))
  return true
}

async function attempt({ clock, outbound }: CallbackDeps, batch: StoredBatch): Promise<AttemptOutcome> {
  const body = stringifyExactly({ event: 'batch.completed', ...batchView(batch), webhook: undefined })
  const signed = webhookHeaders({ id: `batch_${batch.id}`, secret: batch.webhookSecret ?? '', body, at: clock.now() })
  const headers = { 'content-type': 'application/json', 'user-agent': 'gatewatch', ...signed }
  try {
    const { status } = await postOutbound(batch.webhookUrl ?? '', { body, headers }, outbound)
    if (status >= 200 && status < 300) return { ok: true }
    // With 410 a receiver asks for no further calls.
    return { ok: false, reason: `the receiver answered ${status}`, isFinal: status === 410 }
  } catch (error) {
    return { ok: false, reason: reasonOf(error), isFinal: error instanceof OutboundError && !error.retryable }
  }
}

/** State of the callback after its `attempts`-th attempt. */
export function afterAttempt(attempts: number, outcome: AttemptOutcome, now: number): CallbackState {
  if (outcome.ok) return { status: 'delivered', nextAt: null, error: null }
  const pause = outcome.isFinal ? undefined : RETRY_PAUSES_MS[attempts - 1]
  if (pause === undefined) return { status: 'failed', nextAt: null, error: outcome.reason }
  return { status: 'retrying', nextAt: new Date(now + pause), error: outcome.reason }
}
