/**
 * Logs and counts the errors of endpoints: the first is logged at once, repetitions as a count every five minutes, the
 * recovery and each warning once.
 *
 * An endpoint that is down for an hour causes a dozen log lines, whatever the number of failed calls.
 */

import { Counter } from 'prom-client'
import type { Clock } from '../../lib/clock.ts'
import type { Metrics } from '../../lib/metrics.ts'
import { REFUSALS, type RpcErrorKind } from './rpc-error.ts'

export type EndpointReport =
  | {
      readonly type: 'error'
      readonly chain: string
      readonly host: string
      readonly kind: RpcErrorKind
      readonly detail: string
    }
  | { readonly type: 'warning'; readonly chain: string; readonly host: string; readonly detail: string }
  | { readonly type: 'recovered'; readonly chain: string; readonly host: string }

export type EndpointReporter = (report: EndpointReport) => void

/** The part of a logger that the RPC layer and the watcher use. */
export type InfoWarnLog = {
  readonly warn: (fields: object, message: string) => void
  readonly info: (fields: object, message: string) => void
}

const REPEAT_EVERY_MS = 300_000

type ErrorEntry = {
  since: number
  loggedAt: number
  /** Repetitions since the last log line. */
  repetitions: number
  /** Whether the recovery will be logged: only if the error was. */
  isOpen: boolean
}

export function createEndpointLog({
  log,
  clock,
}: {
  readonly log: InfoWarnLog
  readonly clock: Clock
}): EndpointReporter {
  const warnings = new Set<string>()
  const entries = new Map<string, Map<RpcErrorKind, ErrorEntry>>()
  return (report) => {
    const { chain, host } = report
    const now = clock.now()
    const endpoint = `${chain} ${host}`
    const kinds = entries.get(endpoint) ?? new Map<RpcErrorKind, ErrorEntry>()
    entries.set(endpoint, kinds)
    if (report.type === 'recovered') {
      const open = [...kinds.values()].filter((entry) => entry.isOpen)
      if (open.length === 0) return
      for (const entry of open) entry.isOpen = false
      const since = Math.min(...open.map((entry) => entry.since))
      return log.info({ chain, host }, `${chain}: ${host} responds again after ${seconds(now - since)}`)
    }
    if (report.type === 'warning') {
      const warning = `${chain}: ${host} ${report.detail}`
      if (warnings.has(warning)) return
      warnings.add(warning)
      return log.warn({ chain, host }, warning)
    }
    const { kind, detail } = report
    if (REFUSALS.has(kind)) return
    const entry = kinds.get(kind)
    if (entry === undefined) {
      kinds.set(kind, { since: now, loggedAt: now, repetitions: 0, isOpen: true })
      return log.warn({ chain, host, kind }, `${chain}: ${host}: ${detail}`)
    }
    entry.repetitions += 1
    // An endpoint that fails intermittently is logged as rarely as one that is down.
    if (now - entry.loggedAt < REPEAT_EVERY_MS) return
    const { repetitions } = entry
    log.warn({ chain, host, kind, repetitions }, `${chain}: ${host}: ${detail} (${repetitions} more times)`)
    if (!entry.isOpen) entry.since = now
    Object.assign(entry, { loggedAt: now, repetitions: 0, isOpen: true })
  }
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1_000))} s`
}

/** Returns a reporter that counts faults of endpoints, as the log has them. `role` separates the watcher's errors from the poller's. */
export function rpcErrorCounter(metrics: Metrics, role: 'watch' | 'poll'): EndpointReporter {
  const name = 'gatewatch_rpc_errors_total'
  const errors =
    (metrics.getSingleMetric(name) as Counter | undefined) ??
    new Counter({
      name,
      help: 'Faults of EVM endpoints, by endpoint and kind. Refusals such as a reverted call do not count',
      labelNames: ['chain', 'host', 'kind', 'role'],
      registers: [metrics],
    })
  return (report) => {
    if (report.type === 'error' && !REFUSALS.has(report.kind))
      errors.inc({ chain: report.chain, host: report.host, kind: report.kind, role })
  }
}
