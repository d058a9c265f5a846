/** Faults of endpoints as a counter, beside the lines of the reporter: a line is for reading, a rate for alerting. */
import { Counter } from 'prom-client'
import type { Metrics } from '../../lib/metrics.ts'
import type { EndpointReporter } from './endpoint-log.ts'

/** A reporter that counts. `role` tells the watcher's faults from the poller's. */
export function rpcErrorCounter(metrics: Metrics, role: 'watch' | 'poll'): EndpointReporter {
  const name = 'gatewatch_rpc_faults_total'
  const faults =
    (metrics.getSingleMetric(name) as Counter | undefined) ??
    new Counter({
      name,
      help: 'Answers of EVM endpoints that were no answers, by endpoint and kind',
      labelNames: ['chain', 'host', 'kind', 'role'],
      registers: [metrics],
    })
  return (report) => {
    if (report.type === 'fault') faults.inc({ chain: report.chain, host: report.host, kind: report.kind, role })
  }
}
