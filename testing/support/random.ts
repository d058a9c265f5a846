/** A seeded random number generator: the same seed gives the same sequence. */

export type Random = {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number
  /** Returns an integer from 0 to `bound` - 1. */
  readonly below: (bound: number) => number
  /** Returns an integer from `low` to `high`, both inclusive. */
  readonly between: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly T[]) => T
  readonly hex: (bytes: number) => `0x${string}`
  /** Returns an independent generator, so that the draws of one part do not affect another. */
  readonly fork: () => Random
}

/** Creates a generator (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => next() < probability,
    pick: (items) => {
      if (items.length === 0) throw new RangeError('nothing to pick from')
      return items[below(items.length)] as never
    },
    hex: (bytes) => `0x${Array.from({ length: bytes }, () => below(256).toString(16).padStart(2, '0')).join('')}`,
    fork: () => seededRandom(below(4_294_967_295)),
  }
}
