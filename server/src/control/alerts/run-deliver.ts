/** Runs the `deliver` role: one delivery queue for each kind of channel, the Telegram bot, and cleanup. */
import { randomUUID } from 'node:crypto'
import { systemTiming, type Timing } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Fault } from '../../lib/health.ts'
import type { Logger } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { Database } from '../../platform/database.ts'
import { CHANNEL_KINDS } from '../../platform/deliveries/channel-kinds.ts'
import { findDeliveryHold } from '../../platform/deliveries/delivery-hold.ts'
import { type Lease, releaseLease, takeLease } from '../../platform/leases.ts'
import { listen } from '../../platform/notifications.ts'
import { ALERTS_CHANNEL } from './alert-matches.ts'
import { endOrphanedMessages } from './alert-messages.ts'
import { measureDeliveries } from './alert-metrics.ts'
import { type AlertQueueDeps, createAlertQueue } from './alert-queue.ts'
import { readBotUpdates } from './bot-updates.ts'
import { pruneDeliveries } from './delivery-records.ts'
import type { SendDeps } from './send.ts'
import { limitRate } from './telegram.ts'

export type DeliverDeps = SendDeps & {
  readonly database: Database
  /** For LISTEN. */
  readonly databaseUrl: string
  readonly publicUrl: string
  readonly log: Logger
  readonly metrics: Metrics
  /** How long delivery records are kept. */
  readonly historyDays: number
  readonly timing?: Timing
}

export type Delivering = { readonly faults: () => readonly Fault[]; readonly stop: () => Promise<void> }

/** Only one process at a time uses the bot, so that Telegram's rate limits hold. */
const BOT_LEASE = 'telegram bot'
const LEASE_MS = 15_000
const CLEANUP_EVERY_MS = 60_000
/** Attempts in flight get this long when the process stops. Another process repeats the rest. */
const DRAIN_MS = 5_000

export async function runDeliver(deps: DeliverDeps): Promise<Delivering> {
  const { database, log, timing = systemTiming } = deps
  const telegram = deps.telegram === undefined ? undefined : limitRate(deps.telegram, timing)
  const stopping = new AbortController()
  const { signal } = stopping
  const queueDeps: AlertQueueDeps = { ...deps, telegram, timing, random: Math.random, ...measureDeliveries(deps) }
  const queues = CHANNEL_KINDS.map((channel) => [channel, createAlertQueue(queueDeps, channel)] as const)
  const notifications = await listen({
    url: deps.databaseUrl,
    channel: ALERTS_CHANNEL,
    log,
    onNotification: () => queues.forEach(([, queue]) => queue.wake()),
    onLost: () => undefined, // The queues also check every second.
  })

  const bot = keepLease()
  const running = [
    ...queues.map(([channel, queue]) =>
      queue.run(signal, channel === 'telegram' && telegram !== undefined ? bot.isOurs : undefined),
    ),
    ...(telegram === undefined ? [] : [bot.run(), readBotUpdates({ ...deps, telegram, timing }, signal, bot.isOurs)]),
    cleanUp(),
  ]

  function keepLease() {
    const holder = randomUUID()
    let lease: Lease | undefined
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        lease = await findDeliveryHold(database)
          .then((hold) => (hold === undefined ? takeLease(database, BOT_LEASE, holder, LEASE_MS) : undefined))
          .catch(() => undefined)
        await timing.sleep(LEASE_MS / 3, signal)
      }
      if (lease !== undefined) await releaseLease(database, lease).catch(() => undefined)
    }
    return { run, isOurs: () => lease !== undefined }
  }

  async function cleanUp(): Promise<void> {
    while (!signal.aborted) {
      await timing.sleep(CLEANUP_EVERY_MS, signal)
      if (signal.aborted) return
      await endOrphanedMessages(database)
        .then(() => pruneDeliveries(database, deps.historyDays))
        .catch((error: unknown) => log.warn({ reason: reasonOf(error) }, 'cleanup of alert messages failed'))
    }
  }

  return {
    faults: () => queues.flatMap(([, queue]) => queue.faults()),
    stop: async () => {
      stopping.abort()
      const drained = new AbortController()
      await Promise.race([Promise.allSettled(running), timing.sleep(DRAIN_MS, drained.signal)])
      drained.abort()
      await notifications.close()
    },
  }
}
