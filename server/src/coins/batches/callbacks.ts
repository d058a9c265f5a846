/** The delivery queue of batch callbacks: the signed results of completed batches, posted to their webhook URLs. */
import { type Clock, systemTiming } from '../../lib/clock.ts'
import { stringifyExactly } from '../../lib/json.ts'
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import {
  createDeliveryQueue,
  type DeliveryLimits,
  type DeliveryQueue,
  type Settled,
} from '../../platform/deliveries/delivery-queue.ts'
import { retryAfterPauses } from '../../platform/deliveries/outcome.ts'
import { postWebhook } from '../../platform/deliveries/webhook.ts'
import type { OutboundOptions } from '../../platform/outbound.ts'
import { batchView } from './batch-view.ts'
import { type ClaimedCallback, claimCallbacks, type SettledCallback, settleCallbacks } from './callback-store.ts'

export type CallbackDeps = {
  readonly database: Database
  readonly clock: Clock
  readonly outbound: OutboundOptions
  readonly log: Logger
}

/** Pauses after each attempt but the last: 30 s, 5 min, 30 min, 2 h, 8 h. */
const RETRY_PAUSES_MS = [30_000, 300_000, 1_800_000, 7_200_000, 28_800_000]

/** A callback can have several megabytes, so few are in memory at a time. */
const LIMITS: DeliveryLimits = {
  recipient: { initial: 2, max: 4, failing: 8 },
  host: 8,
  total: 16,
  claimMs: 120_000,
}

/** Creates the queue that `runBatches` runs. */
export function createCallbackQueue(deps: CallbackDeps): DeliveryQueue {
  const { database, clock, log } = deps
  const timing = { ...systemTiming, now: clock.now }
  return createDeliveryQueue<ClaimedCallback, ClaimedCallback>(
    { timing, log },
    {
      name: 'batch callbacks',
      claim: (request) => claimCallbacks(database, request),
      load: async (callbacks) => callbacks,
      send: ({ batch }) =>
        postWebhook(deps, batch.webhookUrl ?? '', {
          id: `batch_${batch.id}`,
          body: stringifyExactly({ event: 'batch.completed', ...batchView(batch), webhook: undefined }),
          secrets: batch.webhookSecret === null ? [] : [batch.webhookSecret],
        }),
      nextAttempt: ({ batch }, failure, now) => retryAfterPauses(RETRY_PAUSES_MS, batch.webhookAttempts, failure, now),
      settle: (settled) => settleCallbacks(database, settled.map(settledCallback)),
    },
    LIMITS,
  )
}

function settledCallback({ delivery, status, outcome, nextAt }: Settled<ClaimedCallback>): SettledCallback {
  return {
    batchId: delivery.batch.id,
    attempts: delivery.batch.webhookAttempts,
    status: status === 'sent' || status === 'empty' ? 'delivered' : status,
    error: outcome === undefined || outcome.ok ? null : outcome.reason,
    nextAt,
  }
}
