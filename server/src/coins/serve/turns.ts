/**
 * Divides long work on the request thread into turns, so that other requests are served in between.
 *
 * Work is counted in units of about a microsecond instead of being timed: a count is the same on every machine and can
 * be tested.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises'

/** Units of one turn. Ten milliseconds are the limit; slow machines take twice as long for a unit. */
export const UNITS_PER_TURN = 4_000

export class Turns {
  #used = 0

  /** Counts work that was just done, or is done before the next call. Ends the turn if it does not fit. */
  async take(units: number): Promise<void> {
    if (this.#used > 0 && this.#used + units > UNITS_PER_TURN) {
      this.#used = 0
      await yieldToOthers()
    }
    this.#used += units
  }

  /** Calls `use` with chunks of a list, as many items at a time as fit into a turn. */
  async forChunks<T>(items: readonly T[], unitsPerItem: number, use: (chunk: readonly T[]) => void): Promise<void> {
    const size = Math.max(1, Math.floor(UNITS_PER_TURN / 2 / unitsPerItem))
    for (let at = 0; at < items.length; at += size) {
      const chunk = items.slice(at, at + size)
      await this.take(chunk.length * unitsPerItem)
      use(chunk)
    }
  }

  /** Sorts like `toSorted`: sorts chunks, and merges them two by two. */
  async sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
    let parts: T[][] = []
    await this.forChunks(items, SORT_UNITS, (chunk) => {
      parts.push(chunk.toSorted(compare))
    })
    while (parts.length > 1) {
      const merged: T[][] = []
      for (let i = 0; i < parts.length; i += 2)
        merged.push(await this.#merge(parts[i] ?? [], parts[i + 1] ?? [], compare))
      parts = merged
    }
    return parts[0] ?? []
  }

  async #merge<T>(first: readonly T[], second: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
    const merged: T[] = []
    let [i, j] = [0, 0]
    while (i < first.length || j < second.length) {
      const end = Math.min(merged.length + MERGED_AT_ONCE, first.length + second.length)
      await this.take((end - merged.length) * MERGE_UNITS)
      while (merged.length < end) {
        const [a, b] = [first[i], second[j]]
        // Equal items keep their order.
        const isFirst = j >= second.length || (i < first.length && compare(a as T, b as T) <= 0)
        merged.push((isFirst ? first[i++] : second[j++]) as T)
      }
    }
    return merged
  }
}

/** Sorting a chunk of a thousand takes about ten comparisons of each item. */
const SORT_UNITS = 2
const MERGE_UNITS = 0.5
const MERGED_AT_ONCE = 2_048
