/**
 * Limits for requests without an API key: attempts to sign in, mails, and the routes that anyone may read. Counted exactly
 * and across all processes.
 */

import type { FastifyRequest } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { tooManyRequests } from '../lib/http/api-error.ts'
import { clientAddress, customerNetwork } from '../lib/http/client-address.ts'
import { secondsUntil } from '../lib/http/retry-after.ts'
import type { RateLimits } from '../platform/counters/counters.ts'
import type { RateLimiter, RateLimitResult } from '../platform/counters/rate-limiter.ts'
import { hashOfEmail } from './known-devices.ts'

const QUARTER_HOUR = { windowMs: 15 * 60_000, perMonth: null }
/** Allows a user a few typing errors. */
export const ATTEMPTS_PER_EMAIL_AND_CLIENT = 10
/** Many users of one office may share an address. */
export const ATTEMPTS_PER_CLIENT = 100
/** Attempts of unknown devices on one e-mail address that are not delayed. */
export const UNDELAYED_ATTEMPTS_PER_EMAIL = 20
/** Further attempts are accepted one at a time. This delays guesses from many networks and does not lock the account. */
export const DELAY_MS = 10_000

/**
 * The routes of better-auth that cost a password hash, a mail or a signature check, or accept a guess. Each kind has its
 * own counters, so that failed sign-ins do not prevent a password reset.
 */
const KINDS = [
  ['/sign-in/', 'sign-in'],
  ['/sign-up/', 'sign-up'],
  ['/request-password-reset', 'reset'],
  ['/reset-password', 'reset'],
  ['/send-verification-email', 'confirmation'],
  ['/siwe/', 'wallet'],
  ['/two-factor/', 'account'],
  ['/verify-password', 'account'],
  ['/change-password', 'account'],
  ['/delete-user', 'account'],
] as const

/** The kind of attempt that a path of better-auth is; undefined if it costs nothing. */
export const attemptKindOf = (path: string): (typeof KINDS)[number][1] | undefined =>
  KINDS.find(([prefix]) => path.startsWith(prefix))?.[1]

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

/** An attempt to sign in, to reset a password, or to use the password of a session's account. */
export type Attempt = {
  readonly path: string
  readonly client: string
  /** As the client sent it. */
  readonly email: unknown
  /** The device that signed in with this e-mail address before. */
  readonly device: string | undefined
  /** The account of the session. */
  readonly accountId: string | undefined
}

/** Counts an attempt; throws 429 if there were too many. */
export type Throttle = (attempt: Attempt) => Promise<void>

export function createThrottle(deps: ThrottleDeps): Throttle {
  const messageOf = (seconds: number) => `Too many attempts. Try again in ${seconds} seconds.`
  const count = (subject: string, perWindow: number) =>
    countRequest(deps, { subject, ...QUARTER_HOUR, perWindow }, messageOf)
  return async ({ path, client, email, device, accountId }) => {
    const kind = attemptKindOf(path)
    if (kind === undefined) return
    const attempts = `${ATTEMPTS} ${kind}`
    if (kind === 'sign-in' && device !== undefined)
      return await count(`${attempts} by ${device}`, ATTEMPTS_PER_EMAIL_AND_CLIENT)
    const network = customerNetwork(client)
    await count(`${attempts} from ${network}`, ATTEMPTS_PER_CLIENT)
    if (accountId !== undefined && kind === 'account')
      await count(`${attempts} of ${accountId}`, ATTEMPTS_PER_EMAIL_AND_CLIENT)
    if (typeof email !== 'string') return
    const hashed = hashOfEmail(email)
    await count(`${attempts} on ${hashed} from ${network}`, ATTEMPTS_PER_EMAIL_AND_CLIENT)
    if (kind !== 'sign-in') return
    const limits = { ...QUARTER_HOUR, perWindow: UNDELAYED_ATTEMPTS_PER_EMAIL }
    const { isAllowed } = await deps.rateLimiter.take(`${attempts} on ${hashed}`, limits)
    if (isAllowed) return
    const delayed = { subject: `${attempts} delayed on ${hashed}`, perWindow: 1, windowMs: DELAY_MS, perMonth: null }
    await countRequest(deps, delayed, messageOf)
  }
}

const MAIL_INTERVAL_MS = 3_600_000

/** Reports whether a mail of this kind may be sent to the address: at most one in an hour, from any client. */
export type MailLimit = (kind: 'verification' | 'reset' | 'channel', address: string) => Promise<RateLimitResult>

export const createMailLimit =
  ({ rateLimiter }: Pick<ThrottleDeps, 'rateLimiter'>): MailLimit =>
  (kind, address) =>
    rateLimiter.take(`${ATTEMPTS} mail ${kind} to ${hashOfEmail(address)}`, {
      perWindow: 1,
      windowMs: MAIL_INTERVAL_MS,
      perMonth: null,
    })

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
