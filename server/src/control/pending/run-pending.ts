/** Runs the loop that keeps queued changes up to date. */
import { systemTiming, type Timing } from '../../lib/clock.ts'
import type { Fault } from '../../lib/health.ts'
import type { Logger } from '../../lib/log.ts'
import { faultLog, faultOf, LoopMonitor } from '../../lib/supervise.ts'
import type { Database } from '../../platform/database.ts'
import { collectSteps } from './collect.ts'

type Deps = { readonly database: Database; readonly log: Logger; readonly timing?: Timing }

export type Pending = { readonly faults: () => readonly Fault[]; readonly stop: () => Promise<void> }

const COLLECT_EVERY_MS = 500

export function runPending({ database, log, timing = systemTiming }: Deps): Pending {
  const stop = new AbortController()
  const monitor = new LoopMonitor(timing, faultLog(log, 'queued changes'))
  const collect = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        while (!stop.signal.aborted && (await collectSteps(database))) {}
        monitor.works()
      } catch (error) {
        monitor.failed(error)
      }
      await timing.sleep(Math.max(COLLECT_EVERY_MS, monitor.pauseMs), stop.signal)
    }
  }
  const running = collect()
  return {
    faults: () => faultOf('queued changes', monitor),
    stop: async () => {
      stop.abort()
      await running
    },
  }
}
