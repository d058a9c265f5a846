/** Exponential backoff: the pause before the next attempt doubles with each consecutive failure. */

export type Backoff = { readonly firstMs: number; readonly longestMs: number }

/**
 * Returns the pause after the given number of consecutive failures. `random`, from 0 to 1, makes it up to a quarter
 * shorter or longer, so that what failed at the same time is not retried at the same time.
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number, random = 0.5): number {
  const pause = Math.min(firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30), longestMs)
  return Math.round(pause * (0.75 + random / 2))
}
