/**
 * Slows down guessing: attempts to sign in are counted for each address they come from and each e-mail they aim at,
 * exactly and over all processes.
 */
import { createHash } from 'node:crypto'
import { ApiError } from '../../lib/api-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Turnstile } from '../../platform/counters/turnstile.ts'

const QUARTER_HOUR = { windowMs: 15 * 60_000, perMonth: null }
/** A person mistypes a few times; an office behind one address has many people. */
export const ATTEMPTS_PER_EMAIL = 10
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
    const seconds = Math.max(1, Math.ceil((passage.retryAt - clock.now()) / 1000))
    throw new ApiError({
      status: 429,
      code: 'rate_limited',
      message: `Too many attempts; try again in ${seconds} seconds.`,
      headers: { 'retry-after': String(seconds) },
    })
  }
  return async (path, client, email) => {
    if (!GUARDED.some((guarded) => path.startsWith(guarded))) return
    await count(`attempts from ${client}`, ATTEMPTS_PER_CLIENT)
    // The address is hashed: counters are no place for a list of people.
    if (typeof email === 'string')
      await count(
        `attempts on ${createHash('sha256').update(email.toLowerCase()).digest('base64url')}`,
        ATTEMPTS_PER_EMAIL,
      )
  }
}
