/**
 * Slows down guessing: attempts to sign in are counted for each address they come from and each e-mail they aim at,
 * exactly and over all processes.
 */
import { createHash } from 'node:crypto'
import { secondsUntil, tooManyRequests } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Turnstile } from '../../platform/counters/turnstile.ts'

const QUARTER_HOUR = { windowMs: 15 * 60_000, perMonth: null }
/** A person mistypes a few times. */
export const ATTEMPTS_PER_EMAIL_AND_CLIENT = 10
/** Guessing from many places at once; far above the first, so that a stranger cannot lock the owner out for long. */
export const ATTEMPTS_PER_EMAIL = 100
/** An office behind one address has many people. */
export const ATTEMPTS_PER_CLIENT = 100

/** What can be tried without being signed in, and what each attempt may cost (a password hash, a mail). */
const GUARDED = [
  '/sign-in/',
  '/sign-up/',
  '/request-password-reset',
  '/reset-password',
  '/send-verification-email',
  '/siwe/',
]

/** How the subjects of these counters begin; they are forgotten a day later (`forgetCounters`). */
export const ATTEMPTS = 'attempts'

export type Throttle = (path: string, client: string, email: unknown) => Promise<void>

export function createThrottle({
  turnstile,
  clock,
}: {
  readonly turnstile: Turnstile
  readonly clock: Clock
}): Throttle {
  const count = async (subject: string, perWindow: number) => {
    const passage = await turnstile.pass(subject, { ...QUARTER_HOUR, perWindow })
    if (passage.passed) return
    const retryAfterSeconds = secondsUntil(passage.retryAt, clock.now())
    const message = `Too many attempts; try again in ${retryAfterSeconds} seconds.`
    throw tooManyRequests({ code: 'rate_limited', message, retryAfterSeconds })
  }
  return async (path, client, email) => {
    if (!GUARDED.some((guarded) => path.startsWith(guarded))) return
    const place = networkOf(client)
    await count(`${ATTEMPTS} from ${place}`, ATTEMPTS_PER_CLIENT)
    if (typeof email !== 'string') return
    // The address is hashed: counters are no place for a list of people.
    const person = createHash('sha256').update(email.toLowerCase()).digest('base64url')
    await count(`${ATTEMPTS} on ${person} from ${place}`, ATTEMPTS_PER_EMAIL_AND_CLIENT)
    await count(`${ATTEMPTS} on ${person}`, ATTEMPTS_PER_EMAIL)
  }
}

/** What a single customer of a network gets: one IPv4 address, but a whole /64 of IPv6. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [
    ...groups,
    ...Array.from({ length: missing }, () => '0'),
    ...(tail === undefined || tail === '' ? [] : tail.split(':')),
  ]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
