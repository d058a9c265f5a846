/** Metrics of the connection pools: requests that wait for a connection are the first sign of a slow database. */
import { Gauge } from 'prom-client'
import type { Metrics } from '../lib/metrics.ts'
import type { Database } from './database.ts'

export function measureConnections(metrics: Metrics, pools: Readonly<Record<string, Database>>): void {
  metrics.registerMetric(
    new Gauge({
      name: 'gatewatch_database_connections',
      help: 'Connections of this process to PostgreSQL: open, idle, and requests that wait for one',
      labelNames: ['pool', 'state'],
      registers: [],
      collect() {
        for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
          this.set({ pool, state: 'open' }, totalCount)
          this.set({ pool, state: 'idle' }, idleCount)
          this.set({ pool, state: 'waiting' }, waitingCount)
        }
      },
    }),
  )
}
