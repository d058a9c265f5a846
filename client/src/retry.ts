/** A `fetch` that repeats requests which failed for a reason that passes. */

export type RetryOptions = {
  /** How often a request is repeated. The default is 4. */
  readonly retries?: number
  /** The longest pause that the service may ask for, in milliseconds. A longer one returns the response. The default is 2 minutes. */
  readonly maxPauseMs?: number
  readonly fetch?: (request: Request) => Promise<Response>
}

const FIRST_PAUSE_MS = 500
const PASSING = [429, 502, 503, 504]

/**
 * Repeats a GET or HEAD after 429, 502, 503, 504 and a lost connection. It waits as long as `Retry-After` asks, otherwise
 * half a second, then twice as long each time. Other methods may have had an effect and are sent once.
 *
 *     createClient({ baseUrl, controlKey, fetch: retryingFetch() })
 */
export function retryingFetch({
  retries = 4,
  maxPauseMs = 120_000,
  fetch: send = fetch,
}: RetryOptions = {}): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(request)
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries
      const backoffMs = FIRST_PAUSE_MS * 2 ** attempt
      try {
        const response = await send(request.clone())
        const pauseMs = pauseOf(response, Date.now()) ?? backoffMs
        if (isLast || !PASSING.includes(response.status) || pauseMs > maxPauseMs) return response
        await response.body?.cancel()
        await pause(pauseMs, request.signal)
      } catch (error) {
        if (isLast || request.signal.aborted) throw error
        await pause(backoffMs, request.signal)
      }
    }
  }
}

/** The pause that a response asks for: seconds or a date. */
function pauseOf({ headers }: Response, now: number): number | undefined {
  const text = headers.get('retry-after')
  if (text === null || text.trim() === '') return undefined
  const ms = Number.isNaN(Number(text)) ? Date.parse(text) - now : Number(text) * 1_000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Timers with a longer delay end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Resolves after `ms`, or as soon as `signal` aborts. At most 24 days: a month's quota may be used up on its first day. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(ms, LONGEST_TIMER_MS))
    signal?.addEventListener('abort', end)
    if (signal?.aborted === true) end()
  })
}
