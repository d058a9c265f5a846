/** Chance from a seed: the same seed, the same run. */

export type Random = {
  /** At least 0, below 1. */
  readonly next: () => number
  /** At least 0, below `below`. */
  readonly int: (below: number) => number
  readonly between: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly T[]) => T
  readonly hex: (bytes: number) => `0x${string}`
  /** A stream of its own: what one part draws does not disturb another. */
  readonly fork: () => Random
}

/** mulberry32 */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    next,
    int,
    between: (low, high) => low + int(high - low + 1),
    chance: (probability) => next() < probability,
    pick: (items) => items[int(items.length)] as never,
    hex: (bytes) => `0x${Array.from({ length: bytes }, () => int(256).toString(16).padStart(2, '0')).join('')}`,
    fork: () => randomFrom(int(4_294_967_295)),
  }
}
