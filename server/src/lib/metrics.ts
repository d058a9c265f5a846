/** The registry of Prometheus metrics of this process. Each part registers its own gauges. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export type Metrics = Registry

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'gatewatch_' })
  // Gauges with the suffix of counters, which Prometheus' own check refuses. The same by type stays.
  for (const what of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`gatewatch_nodejs_active_${what}_total`)
  return registry
}

/** The help text of each gauge by its name, and how to read its value; null if the value is unknown. */
export type ChainGauges<Status> = Readonly<
  Record<string, readonly [help: string, of: (status: Status) => number | null]>
>

/** Registers gauges with one value per chain. `read` returns the statuses of all chains at each scrape. */
export function registerChainGauges<Status extends { readonly chain: string }>(
  metrics: Metrics,
  gauges: ChainGauges<Status>,
  read: () => readonly Status[] | Promise<readonly Status[]>,
): void {
  for (const [name, [help, of]] of Object.entries(gauges))
    metrics.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['chain'],
        registers: [],
        async collect() {
          this.reset() // an unknown value is omitted instead of repeating an old one
          for (const status of await read()) {
            const value = of(status)
            if (value !== null) this.set({ chain: status.chain }, value)
          }
        },
      }),
    )
}
