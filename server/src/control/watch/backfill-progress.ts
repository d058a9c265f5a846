/** The speed of a backfill job and its remaining time. Pure. */
import type { Job } from './watch-store.ts'

export type Progress = {
  readonly chain: string
  readonly job: Job
  readonly next: number
  readonly now: number
  readonly startedAt: number
  readonly first: number
  readonly events: number
}

export type Pace = {
  /** 0 to 1. */
  readonly done: number
  readonly blocksPerSecond: number
  readonly eventsPerSecond: number
  readonly secondsLeft: number
}

export function paceOf({ job, next, now, startedAt, first, events }: Progress): Pace {
  const seconds = Math.max((now - startedAt) / 1_000, 0.001)
  const blocksPerSecond = (next - first) / seconds
  const left = Math.max(0, job.to + 1 - next)
  return {
    done: Math.min(1, (next - job.from) / Math.max(1, job.to + 1 - job.from)),
    blocksPerSecond,
    eventsPerSecond: events / seconds,
    secondsLeft: blocksPerSecond === 0 ? Number.POSITIVE_INFINITY : left / blocksPerSecond,
  }
}
