/** Counts successful valid requests by area, because a run whose requests are all refused proves nothing. */
import type { Aim } from './environment.ts'
import type { Area } from './operations.ts'

export type Outcome = { readonly area: Area; readonly aim: Aim; readonly status: number }

export type AreaCount = {
  readonly area: Area
  readonly valid: number
  /** How many of the valid requests succeeded. */
  readonly succeeded: number
}

/** Fewer valid requests than this may all fail because a concurrent request deleted what they read. */
const MIN_VALID_REQUESTS = 4

/** Counts valid requests and their successes by area. */
export function countByArea(outcomes: readonly Outcome[]): readonly AreaCount[] {
  const valid = outcomes.filter(({ aim }) => aim === 'valid')
  return [...Map.groupBy(valid, ({ area }) => area)].map(([area, all]) => ({
    area,
    valid: all.length,
    succeeded: all.filter(({ status }) => status < 300).length,
  }))
}

/** Returns the last tenth of a run, to detect areas that stopped working during it. */
export const lastTenth = (outcomes: readonly Outcome[]): readonly Outcome[] =>
  outcomes.slice(-Math.ceil(outcomes.length / 10))

/** Returns the areas whose valid requests were all refused. */
export const refusedAreas = (outcomes: readonly Outcome[]): readonly Area[] =>
  countByArea(outcomes)
    .filter(({ valid, succeeded }) => valid >= MIN_VALID_REQUESTS && succeeded === 0)
    .map(({ area }) => area)

export const describeCounts = (counts: readonly AreaCount[]): string =>
  counts
    .toSorted((a, b) => a.area.localeCompare(b.area))
    .map(({ area, valid, succeeded }) => `${area} ${succeeded}/${valid}`)
    .join(', ')
