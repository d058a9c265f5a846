/**
 * Limits for requests without an API key: attempts to sign in, and the routes that anyone may read. Counted exactly and
 * across all processes.
 */

import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { tooManyRequests } from '../lib/http/api-error.ts'
import { clientAddress, customerNetwork } from '../lib/http/client-address.ts'
import { secondsUntil } from '../lib/http/retry-after.ts'
import type { RateLimits } from '../platform/counters/counters.ts'
import type { RateLimiter } from '../platform/counters/rate-limiter.ts'

const QUARTER_HOUR = { windowMs: 15 * 60_000, perMonth: null }
/** Allows a user a few typing errors. */
export const ATTEMPTS_PER_EMAIL_AND_CLIENT = 10
/** Limits guessing from many networks. Far above the limit per client, so that an attacker cannot easily lock out the owner. */
export const ATTEMPTS_PER_EMAIL = 100
/** Many users of one office may share an address. */
export const ATTEMPTS_PER_CLIENT = 100

/** Routes of better-auth that need no session and cost a password hash or a mail. */
const THROTTLED_PATHS = [
  '/sign-in/',
  '/sign-up/',
  '/request-password-reset',
  '/reset-password',
  '/send-verification-email',
  '/siwe/',
]

/** Prefixes of the counter subjects of this file. Such counters are deleted after a day (`deleteIdleCounters`). */
export const ATTEMPTS = 'attempts'
export const VISITS = 'visits'

export type ThrottleDeps = { readonly rateLimiter: RateLimiter; readonly clock: Clock }

/** Counts one request of `subject`, or throws 429. `messageOf` states the seconds to wait. */
export async function countRequest(
  { rateLimiter, clock }: ThrottleDeps,
  { subject, ...limits }: RateLimits & { readonly subject: string },
  messageOf: (seconds: number) => string,
  code = 'rate_limited',
): Promise<void> {
  const taken = await rateLimiter.take(subject, limits)
  if (taken.isAllowed) return
  const retryAfterSeconds = secondsUntil(taken.retryAt, clock.now())
  throw tooManyRequests({ code, message: messageOf(retryAfterSeconds), retryAfterSeconds })
}

/** Counts one attempt of a client on an e-mail address; throws 429 if there were too many. */
export type Throttle = (path: string, client: string, email: unknown) => Promise<void>

export function createThrottle(deps: ThrottleDeps): Throttle {
  const count = (subject: string, perWindow: number) =>
    countRequest(
      deps,
      { subject, ...QUARTER_HOUR, perWindow },
      (seconds) => `Too many attempts. Try again in ${seconds} seconds.`,
    )
  return async (path, client, email) => {
    if (!THROTTLED_PATHS.some((prefix) => path.startsWith(prefix))) return
    const network = customerNetwork(client)
    await count(`${ATTEMPTS} from ${network}`, ATTEMPTS_PER_CLIENT)
    if (typeof email !== 'string') return
    // Hashed, so that the counters do not hold a list of e-mail addresses.
    const hashed = createHash('sha256').update(email.toLowerCase()).digest('base64url')
    await count(`${ATTEMPTS} on ${hashed} from ${network}`, ATTEMPTS_PER_EMAIL_AND_CLIENT)
    await count(`${ATTEMPTS} on ${hashed}`, ATTEMPTS_PER_EMAIL)
  }
}

/** Far above what the web app needs, even for many users behind one address. */
export const VISITS_PER_MINUTE = 600

/**
 * Returns an `onRequest` hook that limits requests per client network. It guards the routes of the web app that need no
 * key, so that they do not replace the keyed APIs. `code` is the error code in the spelling of the route's API.
 */
export function limitVisitors(deps: ThrottleDeps, code: string) {
  return (request: FastifyRequest): Promise<void> => {
    const subject = `${VISITS} from ${customerNetwork(clientAddress(request))}`
    return countRequest(
      deps,
      { subject, perWindow: VISITS_PER_MINUTE, windowMs: 60_000, perMonth: null },
      (seconds) => `More than ${VISITS_PER_MINUTE} requests in a minute. Wait ${seconds} seconds, or use an API key.`,
      code,
    )
  }
}
