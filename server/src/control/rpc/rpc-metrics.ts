/** Counts RPC errors for Prometheus. */
import { Counter } from 'prom-client'
import type { Metrics } from '../../lib/metrics.ts'
import type { EndpointReporter } from './endpoint-log.ts'

/** Returns a reporter that counts errors. `role` separates the watcher's errors from the poller's. */
export function rpcErrorCounter(metrics: Metrics, role: 'watch' | 'poll'): EndpointReporter {
  const name = 'gatewatch_rpc_errors_total'
  const errors =
    (metrics.getSingleMetric(name) as Counter | undefined) ??
    new Counter({
      name,
      help: 'Failed requests to EVM endpoints, by endpoint and kind of error',
      labelNames: ['chain', 'host', 'kind', 'role'],
      registers: [metrics],
    })
  return (report) => {
    if (report.type === 'error') errors.inc({ chain: report.chain, host: report.host, kind: report.kind, role })
  }
}
