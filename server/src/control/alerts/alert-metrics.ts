/** Prometheus metrics of alerts. */
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Metrics } from '../../lib/metrics.ts'
import type { Queryable } from '../../platform/database.ts'
import { CHANNEL_KINDS } from '../../platform/deliveries/channel-kinds.ts'
import { findDeliveryHold } from '../../platform/deliveries/delivery-hold.ts'
import { type Backlog, getBacklog } from './alert-messages.ts'
import type { AlertQueueDeps } from './alert-queue.ts'

const FIGURES: Readonly<Record<string, readonly [help: string, of: (backlog: Backlog) => number]>> = {
  gatewatch_alert_backlog: ['Messages that are due or wait for another attempt', ({ waiting }) => waiting],
  gatewatch_alert_overdue_seconds: [
    'How long the oldest due message has waited to be sent',
    ({ overdueSeconds }) => overdueSeconds,
  ],
}

/** Registers gauges of the backlog. They read the database, so that they work without a delivering process. */
export function measureBacklog({
  database,
  metrics,
}: {
  readonly database: Queryable
  readonly metrics: Metrics
}): void {
  metrics.registerMetric(
    new Gauge({
      name: 'gatewatch_deliveries_held',
      help: '1 while alerts and callbacks are held until the operator resumes them',
      registers: [],
      async collect() {
        this.reset()
        await findDeliveryHold(database).then(
          (hold) => this.set(hold === undefined ? 0 : 1),
          () => undefined,
        )
      },
    }),
  )
  for (const [name, [help, of]] of Object.entries(FIGURES))
    metrics.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['channel'],
        registers: [],
        async collect() {
          this.reset() // Without a database an old value would look current.
          const backlogs = await getBacklog(database).catch(() => undefined)
          if (backlogs === undefined) return
          for (const channel of CHANNEL_KINDS) this.set({ channel }, 0)
          for (const backlog of backlogs) this.set({ channel: backlog.channel }, of(backlog))
        },
      }),
    )
}

/** Counts the attempts of this process and the time they take. */
export function measureDeliveries({ metrics }: { readonly metrics: Metrics }): Pick<AlertQueueDeps, 'onAttempt'> {
  const attempts = new Counter({
    name: 'gatewatch_alert_attempts_total',
    help: 'Attempts to deliver a message, by channel and outcome',
    labelNames: ['channel', 'outcome'],
    registers: [metrics],
  })
  const latency = new Histogram({
    name: 'gatewatch_alert_delivery_seconds',
    help: 'Time from storing an event to the delivery of its message',
    labelNames: ['channel'],
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 30, 300, 3_600, 86_400],
    registers: [metrics],
  })
  return {
    onAttempt: ({ channel, createdAt }, outcome) => {
      attempts.inc({ channel, outcome: outcome.ok ? 'accepted' : 'failed' })
      if (outcome.ok) latency.observe({ channel }, (Date.now() - createdAt.getTime()) / 1_000)
    },
  }
}
