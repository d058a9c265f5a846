/**
 * Fields that a poll did not settle, because they could not be read or only one endpoint showed the change.
 *
 * Pure. Between polls, each such field keeps the block from which a log may have announced its change: after an unread
 * field, that log may be older than the last poll, and the change would wrongly count as silent. A single observation
 * keeps the time since when it stands. The other endpoints may be unavailable briefly or for good, so it is not trusted
 * at once, but it is after some time: otherwise a label that is too strong would stand for as long as they are.
 */
import type { SlotField } from '../catalog/slot-events.ts'
import type { SlotChange } from './snapshot.ts'

export type LastPoll = {
  readonly polledBlock: number
  /** For fields that the poll did not settle. */
  readonly firstLogBlocks: Readonly<Partial<Record<string, number>>>
}

export function firstLogBlock({ polledBlock, firstLogBlocks: older }: LastPoll, field: SlotField): number {
  // A rollback may have moved the last poll to before the last read of the field.
  return Math.min(older[field] ?? polledBlock + 1, polledBlock + 1)
}

/**
 * The start blocks of fields that this poll did not settle. A start before `oldest` is dropped, because endpoints may
 * have pruned those logs and the change could never be judged.
 */
export function nextFirstLogBlocks(
  last: LastPoll,
  unsettled: readonly SlotField[],
  oldest: number,
): Readonly<Record<string, number>> {
  const pending = unsettled.filter(
    (field) => last.firstLogBlocks[field] === undefined || firstLogBlock(last, field) >= oldest,
  )
  return Object.fromEntries(pending.map((field) => [field, firstLogBlock(last, field)]))
}

/** By field: the observed value, and the block time in milliseconds of the first observation. */
export type SingleObservations = Readonly<Record<string, { readonly current: string | null; readonly since: number }>>

const TRUSTED_AFTER_MS = 600_000

export function isLongEnough(observations: SingleObservations, { field, current }: SlotChange, now: number): boolean {
  const observation = observations[field]
  return observation !== undefined && observation.current === current && now - observation.since >= TRUSTED_AFTER_MS
}

/** The observations to store. Another value, or a poll at which another endpoint responded, restarts the time. */
export function nextObservations(
  observations: SingleObservations,
  single: readonly SlotChange[],
  now: number,
): SingleObservations {
  return Object.fromEntries(
    single.map(({ field, current }) => {
      const observation = observations[field]
      return [field, observation?.current === current ? observation : { current, since: now }]
    }),
  )
}
