/** Prometheus gauges of the alert backlog, read from the database, so that they work without a delivering process. */
import { Gauge } from 'prom-client'
import type { Metrics } from '../../lib/metrics.ts'
import type { Queryable } from '../../platform/database.ts'
import { type Backlog, getBacklog } from './alert-messages.ts'
import { CHANNEL_KINDS } from './subscriptions.ts'

const FIGURES: Readonly<Record<string, readonly [help: string, of: (backlog: Backlog) => number]>> = {
  gatewatch_alert_backlog: ['Messages that are due or wait for another attempt', ({ waiting }) => waiting],
  gatewatch_alert_overdue_seconds: [
    'How long the oldest due message has waited to be sent',
    ({ overdueSeconds }) => overdueSeconds,
  ],
}

export function measureBacklog({
  database,
  metrics,
}: {
  readonly database: Queryable
  readonly metrics: Metrics
}): void {
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
