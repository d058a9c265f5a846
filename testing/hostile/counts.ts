/** Who was answered how, by area: a run that is refused everywhere shows nothing. */
import type { Aim } from './environment.ts'
import type { Area } from './operations.ts'

export type Noted = { readonly area: Area; readonly aim: Aim; readonly status: number }

export type AreaCount = {
  readonly area: Area
  readonly right: number
  /** Of the right ones. */
  readonly succeeded: number
}

/** Fewer right requests than this may all meet something that another one took away the moment before. */
const FEWEST_TELLING = 4

/** In the order they were sent. */
export function countByArea(noted: readonly Noted[]): readonly AreaCount[] {
  const right = noted.filter(({ aim }) => aim === 'right')
  return [...Map.groupBy(right, ({ area }) => area)].map(([area, all]) => ({
    area,
    right: all.length,
    succeeded: all.filter(({ status }) => status < 300).length,
  }))
}

/** The last tenth of a run: whether it ends as it began. */
export const lastTenth = (noted: readonly Noted[]): readonly Noted[] => noted.slice(-Math.ceil(noted.length / 10))

/** Areas where whoever may ask asked rightly, and was refused every time. */
export const refusedAreas = (noted: readonly Noted[]): readonly Area[] =>
  countByArea(noted)
    .filter(({ right, succeeded }) => right >= FEWEST_TELLING && succeeded === 0)
    .map(({ area }) => area)

export const describeCounts = (counts: readonly AreaCount[]): string =>
  counts
    .toSorted((a, b) => a.area.localeCompare(b.area))
    .map(({ area, right, succeeded }) => `${area} ${succeeded}/${right}`)
    .join(', ')
