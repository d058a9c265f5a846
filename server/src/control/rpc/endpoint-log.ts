/**
 * Faults of endpoints as lines a person can act on: the first at once, its repetitions counted, its end said.
 *
 * A node that is down for an hour is two lines and a few reminders, whatever number of calls failed meanwhile.
 */
import type { Clock } from '../../lib/clock.ts'
import type { RpcErrorKind } from './rpc-error.ts'

export type EndpointReport =
  | {
      readonly type: 'fault'
      readonly chain: string
      readonly host: string
      readonly kind: RpcErrorKind
      readonly detail: string
    }
  | { readonly type: 'recovered'; readonly chain: string; readonly host: string }

export type EndpointReporter = (report: EndpointReport) => void

export type LineLog = {
  readonly warn: (facts: object, line: string) => void
  readonly info: (facts: object, line: string) => void
}

/** A range that was too wide and a block not there yet are daily business, not lines. */
const QUIET: ReadonlySet<RpcErrorKind> = new Set(['range', 'missing', 'pruned', 'unsupported', 'reverted'])
const REMIND_MS = 300_000

type Seen = {
  since: number
  said: number
  unsaid: number
  /** Whether the end of this fault is news: only if its beginning was. */
  isOpen: boolean
}

export function createEndpointLog({ log, clock }: { readonly log: LineLog; readonly clock: Clock }): EndpointReporter {
  const seen = new Map<string, Map<RpcErrorKind, Seen>>()
  return (report) => {
    const { chain, host } = report
    const now = clock.now()
    const place = `${chain} ${host}`
    const kinds = seen.get(place) ?? new Map<RpcErrorKind, Seen>()
    seen.set(place, kinds)
    if (report.type === 'recovered') {
      const open = [...kinds.values()].filter((entry) => entry.isOpen)
      if (open.length === 0) return
      for (const entry of open) entry.isOpen = false
      const since = Math.min(...open.map((entry) => entry.since))
      return log.info({ chain, host }, `${chain}: ${host} answers again after ${seconds(now - since)}`)
    }
    const { kind, detail } = report
    if (QUIET.has(kind)) return
    const entry = kinds.get(kind)
    if (entry === undefined) {
      kinds.set(kind, { since: now, said: now, unsaid: 0, isOpen: true })
      return log.warn({ chain, host, kind }, `${chain}: ${host}: ${detail}`)
    }
    entry.unsaid += 1
    // An endpoint that comes and goes is told of as rarely as one that stays away.
    if (now - entry.said < REMIND_MS) return
    log.warn({ chain, host, kind, times: entry.unsaid }, `${chain}: ${host}: ${detail} (${entry.unsaid} times more)`)
    if (!entry.isOpen) entry.since = now
    Object.assign(entry, { said: now, unsaid: 0, isOpen: true })
  }
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1_000))} s`
}
