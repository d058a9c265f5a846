/** The Retry-After header, in requests that this service sends and in responses that it returns. */

/** Parses a Retry-After header, seconds or an HTTP date, into milliseconds from `now`. */
export function parseRetryAfter(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined) return undefined
  const seconds = Number(header)
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Whole seconds from `now` until `retryAt`, at least one: the value of a Retry-After header. */
export const secondsUntil = (retryAt: number, now: number): number => Math.max(1, Math.ceil((retryAt - now) / 1_000))
