/**
 * Fields that a poll did not settle, because they could not be read or only one endpoint showed the change.
 *
 * Pure. Between polls, each such field keeps the block from which a log may have announced its change: after an unread
 * field, that log may be older than the last poll, and the change would wrongly count as silent. A single observation
 * keeps the time since when it stands. The other endpoints may be unavailable briefly or for good, so it is not trusted
 * at once, but it is after some time: otherwise a label that is too strong would stand for as long as they are. A
 * disagreement of two endpoints is never decided; one that lasts is shown.
 */
import type { SlotField } from '../catalog/slot-events.ts'
import type { EndpointValue, SilentChange } from './announced-changes.ts'
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

/** Chain time after which a single observation is trusted and a disagreement is lasting. */
const LONG_MS = 600_000

export function isLongEnough(observations: SingleObservations, { field, current }: SlotChange, now: number): boolean {
  const observation = observations[field]
  return observation !== undefined && observation.current === current && now - observation.since >= LONG_MS
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

/** Two endpoints return different values: since when, and until when it was found (block time in milliseconds). */
export type Disagreement = { readonly values: readonly EndpointValue[]; readonly since: number; readonly until: number }
export type Disagreements = Readonly<Record<string, Disagreement>>

/** The disagreements to store. A poll at which the endpoints agree, or one of them does not respond, ends one. */
export function nextDisagreements(last: Disagreements, silent: readonly SilentChange[], now: number): Disagreements {
  return Object.fromEntries(
    silent.flatMap(({ change: { field }, disagreement: values }) =>
      values === undefined ? [] : [[field, { values, since: last[field]?.since ?? now, until: now }]],
    ),
  )
}

export const isLasting = ({ since, until }: Disagreement): boolean => until - since >= LONG_MS
