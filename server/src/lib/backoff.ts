/** Exponential backoff: the pause before the next try doubles with each failure in a row. */

export type Backoff = { readonly firstMs: number; readonly longestMs: number }

/**
 * The pause after the `failures`-th failure in a row. `random`, from 0 to 1, makes it up to a quarter shorter or
 * longer, so that what failed together is not tried again together.
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number, random = 0.5): number {
  const pause = Math.min(firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30), longestMs)
  return Math.round(pause * (0.75 + random / 2))
}
