/**
 * Faults of endpoints as lines a person can act on: the first at once, its repetitions counted, its end said.
 *
 * A node that is down for an hour is two lines and a few reminders, whatever number of calls failed meanwhile.
 */
import type { Clock } from '../../lib/clock.ts'
import type { FaultKind } from './faults.ts'

export type NodeReport =
  | {
      readonly type: 'fault'
      readonly chain: string
      readonly host: string
      readonly kind: FaultKind
      readonly detail: string
    }
  | { readonly type: 'recovered'; readonly chain: string; readonly host: string }

export type NodeReporter = (report: NodeReport) => void

export type LineLog = {
  readonly warn: (facts: object, line: string) => void
  readonly info: (facts: object, line: string) => void
}

/** A range that was too wide and a block not there yet are daily business, not lines. */
const QUIET: ReadonlySet<FaultKind> = new Set(['range', 'missing', 'pruned', 'unsupported', 'reverted'])
const REMIND_MS = 300_000

type Seen = { since: number; said: number; unsaid: number }

export function createReporter({ log, clock }: { readonly log: LineLog; readonly clock: Clock }): NodeReporter {
  const seen = new Map<string, Map<FaultKind, Seen>>()
  return (report) => {
    const { chain, host } = report
    const place = `${chain} ${host}`
    if (report.type === 'recovered') {
      const kinds = seen.get(place)
      seen.delete(place)
      if (kinds === undefined) return
      const since = Math.min(...[...kinds.values()].map((entry) => entry.since))
      return log.info({ chain, host }, `${chain}: ${host} answers again after ${seconds(clock.now() - since)}`)
    }
    const { kind, detail } = report
    if (QUIET.has(kind)) return
    const now = clock.now()
    const kinds = seen.get(place) ?? new Map<FaultKind, Seen>()
    seen.set(place, kinds)
    const entry = kinds.get(kind)
    if (entry === undefined) {
      kinds.set(kind, { since: now, said: now, unsaid: 0 })
      return log.warn({ chain, host, kind }, `${chain}: ${host}: ${detail}`)
    }
    entry.unsaid += 1
    if (now - entry.said < REMIND_MS) return
    log.warn({ chain, host, kind, times: entry.unsaid }, `${chain}: ${host}: ${detail} (${entry.unsaid} times more)`)
    entry.said = now
    entry.unsaid = 0
  }
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1_000))} s`
}
