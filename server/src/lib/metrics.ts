/** One registry of Prometheus metrics for this process. Each part makes its own gauges on it. */
import { collectDefaultMetrics, Registry } from 'prom-client'

export type Metrics = Registry

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'gatewatch_' })
  return registry
}
