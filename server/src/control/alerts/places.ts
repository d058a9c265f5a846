/** How many tries are under way at each place where receivers live. Pure bookkeeping, of one process. */

export type Places = {
  readonly most: number
  /** For every place that has less room than the most. */
  readonly rooms: () => ReadonlyMap<string, number>
  /** A receiver that lives at no place takes no room at one. */
  readonly begin: (place: string | null) => void
  readonly end: (place: string | null) => void
}

export function createPlaces(most: number): Places {
  const underWay = new Map<string, number>()
  return {
    most,
    rooms: () => new Map([...underWay].map(([place, count]) => [place, most - count])),
    begin: (place) => {
      if (place !== null) underWay.set(place, (underWay.get(place) ?? 0) + 1)
    },
    end: (place) => {
      if (place === null) return
      const left = (underWay.get(place) ?? 1) - 1
      if (left > 0) underWay.set(place, left)
      else underWay.delete(place)
    },
  }
}
