/**
 * The gate of what anyone may read without a key: the web app's own routes. Counted for each network, far above what
 * a person clicks, so that nobody takes them for a free interface.
 */
import type { FastifyRequest } from 'fastify'
import { secondsUntil, tooManyRequests } from '../../lib/api-error.ts'
import { clientAddress } from '../../lib/client-address.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Turnstile } from '../../platform/counters/turnstile.ts'
import { networkOf } from './throttle.ts'

/** A page asks for a handful of things; an office behind one address has many people. */
export const VISITS_PER_MINUTE = 600

/** How the subjects of these counters begin; they are forgotten a day later (`forgetCounters`). */
export const VISITS = 'visits'

export type VisitorDeps = { readonly turnstile: Turnstile; readonly clock: Clock }

/** An `onRequest` hook; `code` is the refusal's, as the interface it belongs to spells it. */
export function visitorGate({ turnstile, clock }: VisitorDeps, code: string) {
  return async (request: FastifyRequest): Promise<void> => {
    const allowance = { perWindow: VISITS_PER_MINUTE, windowMs: 60_000, perMonth: null }
    const passage = await turnstile.pass(`${VISITS} from ${networkOf(clientAddress(request))}`, allowance)
    if (passage.passed) return
    const retryAfterSeconds = secondsUntil(passage.retryAt, clock.now())
    const message = `More than ${VISITS_PER_MINUTE} requests in a minute; wait ${retryAfterSeconds} seconds, or use an API key.`
    throw tooManyRequests({ code, message, retryAfterSeconds })
  }
}
