/** The `deliver` role of a process: three lines that never wait for each other, the bot's ear, and a broom. */
import { randomUUID } from 'node:crypto'
import { Counter, Histogram } from 'prom-client'
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { systemTiming, type Timing } from '../../lib/timing.ts'
import type { Database } from '../../platform/database.ts'
import { type Lease, releaseLease, takeLease } from '../../platform/leases.ts'
import { listen } from '../../platform/notices.ts'
import { ALERTS_CHANNEL } from './alert-matches.ts'
import { sweepMessages } from './alert-messages.ts'
import { pruneDeliveries } from './deliveries.ts'
import { createLine, type LineDeps } from './delivery-line.ts'
import { linkChats } from './link-chats.ts'
import type { SendDeps } from './send.ts'
import { LINE_KINDS, preparations } from './senders.ts'
import { CHANNEL_KINDS } from './subscriptions.ts'
import { paced } from './telegram-pace.ts'

export type DeliverDeps = SendDeps & {
  readonly database: Database
  /** For listening. */
  readonly databaseUrl: string
  readonly publicUrl: string
  readonly log: Logger
  readonly metrics: Metrics
  /** How long what was delivered stays on record. */
  readonly historyDays: number
  readonly timing?: Timing
}

export type Delivering = { readonly stop: () => Promise<void> }

/** Of several processes one speaks to Telegram, so that its limits are kept exactly. */
const BOT_LEASE = 'telegram bot'
const LEASE_MS = 15_000
const SWEEP_EVERY_MS = 60_000
/** Tries under way when the process is told to stop get this long; what is left is tried again by another. */
const DRAIN_MS = 5_000

export async function runDeliver(deps: DeliverDeps): Promise<Delivering> {
  const { database, log, timing = systemTiming } = deps
  const telegram = deps.telegram === undefined ? undefined : paced(deps.telegram, timing)
  const stopping = new AbortController()
  const { signal } = stopping
  const measured = measureDeliveries(deps)
  const prepare = preparations({ ...deps, telegram, timing })
  const lines = CHANNEL_KINDS.map((kind) => {
    const lineDeps: LineDeps = { ...deps, timing, chance: Math.random, prepare: prepare[kind], ...measured }
    return [kind, createLine(lineDeps, LINE_KINDS[kind])] as const
  })
  const wakeAll = (): void => lines.forEach(([, line]) => line.wake())
  const notices = await listen({
    url: deps.databaseUrl,
    channel: ALERTS_CHANNEL,
    log,
    onNotice: wakeAll,
    onLost: () => undefined, // due messages are looked for every second anyway
  })

  const bot = keepLease()
  const running = [
    ...lines.map(([kind, line]) =>
      line.run(signal, kind === 'telegram' && telegram !== undefined ? bot.isOurs : undefined),
    ),
    ...(telegram === undefined ? [] : [bot.run(), linkChats({ ...deps, telegram, timing }, signal, bot.isOurs)]),
    sweep(),
  ]

  function keepLease() {
    const holder = randomUUID()
    let lease: Lease | undefined
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        lease = await takeLease(database, BOT_LEASE, holder, LEASE_MS).catch(() => undefined)
        await timing.sleep(LEASE_MS / 3, signal)
      }
      if (lease !== undefined) await releaseLease(database, lease).catch(() => undefined)
    }
    return { run, isOurs: () => lease !== undefined }
  }

  async function sweep(): Promise<void> {
    while (!signal.aborted) {
      await timing.sleep(SWEEP_EVERY_MS, signal)
      if (signal.aborted) return
      await sweepMessages(database)
        .then(() => pruneDeliveries(database, deps.historyDays))
        .catch((error: unknown) => log.warn({ reason: reasonOf(error) }, 'sweeping failed'))
    }
  }

  return {
    stop: async () => {
      stopping.abort()
      const drained = new AbortController()
      await Promise.race([Promise.allSettled(running), timing.sleep(DRAIN_MS, drained.signal)])
      drained.abort()
      await notices.close()
    },
  }
}

function measureDeliveries({ metrics }: Pick<DeliverDeps, 'metrics'>): Pick<LineDeps, 'onTry'> {
  const tries = new Counter({
    name: 'gatewatch_alert_tries_total',
    help: 'Tries to hand a message over, by channel and outcome',
    labelNames: ['channel', 'outcome'],
    registers: [metrics],
  })
  const latency = new Histogram({
    name: 'gatewatch_alert_delivery_seconds',
    help: 'From the event being stored to its message being accepted',
    labelNames: ['channel'],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 30, 300, 3_600, 86_400],
    registers: [metrics],
  })
  return {
    onTry: ({ channel, createdAt }, outcome) => {
      tries.inc({ channel, outcome: outcome.ok ? 'accepted' : 'failed' })
      if (outcome.ok) latency.observe({ channel }, (Date.now() - createdAt.getTime()) / 1_000)
    },
  }
}
