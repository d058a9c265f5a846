/**
 * Changes that only one of several endpoints showed.
 *
 * Pure. The other endpoints may be unavailable briefly or for good. A single observation is not trusted at once, but it
 * is after some time: otherwise a label that is too strong would stand for as long as the others are unavailable.
 */
import type { SlotChange } from './snapshot.ts'

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
