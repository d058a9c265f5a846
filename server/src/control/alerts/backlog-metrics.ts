/** What waits to be told, in Prometheus' words. Read from the database: also where nobody delivers, it can be seen. */
import { Gauge } from 'prom-client'
import type { Metrics } from '../../lib/metrics.ts'
import type { Queryable } from '../../platform/database.ts'
import { type Backlog, getBacklog } from './alert-messages.ts'
import { CHANNEL_KINDS } from './subscriptions.ts'

const FIGURES: Readonly<Record<string, readonly [help: string, of: (backlog: Backlog) => number]>> = {
  gatewatch_alert_backlog: ['Messages that are due or wait for another try', ({ waiting }) => waiting],
  gatewatch_alert_overdue_seconds: [
    'How long the longest due message has waited for a process to send it',
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
          this.reset() // where the database does not answer, an old figure would look alive
          const backlogs = await getBacklog(database).catch(() => undefined)
          if (backlogs === undefined) return
          for (const channel of CHANNEL_KINDS) this.set({ channel }, 0)
          for (const backlog of backlogs) this.set({ channel: backlog.channel }, of(backlog))
        },
      }),
    )
}
