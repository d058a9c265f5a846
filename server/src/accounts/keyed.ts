/**
 * The gate of every keyed route, in the order both interfaces promise: key (401), plan (403), minute limit (429),
 * month quota (429). The method (405) is checked before, the input (400) after.
 *
 * Owns the order and the counting; which header holds the key, which limits apply and in which words a refusal is
 * told is the interface's own (`KeyedInterface`).
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, secondsUntil } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Passage, Turnstile } from '../platform/counters/turnstile.ts'
import { hashOf, isWellFormed } from './api-key.ts'
import type { KeyDirectory } from './key-directory.ts'
import type { Api, KeyLimits } from './plans.ts'
import type { KeyHolder } from './store/keys.ts'

/** What a refusal by a limit needs to say. */
export type Refusal = {
  readonly limits: KeyLimits
  readonly used: number
  readonly retryAfterSeconds: number
  readonly monthEndsAt: Date
}

export type KeyedInterface = {
  readonly api: Api
  /** The key as presented; throws where there is none to look at. */
  readonly presentedKey: (request: FastifyRequest) => string
  readonly invalidKey: () => ApiError
  readonly limitsOf: (holder: KeyHolder) => KeyLimits
  /** Why the holder's plan does not include this request; undefined where it does. */
  readonly planRefusal: (request: FastifyRequest, holder: KeyHolder) => ApiError | undefined
  readonly minuteRefusal: (refusal: Refusal) => ApiError
  readonly monthRefusal: (refusal: Refusal) => ApiError
  /** Tells the caller where their month stands. */
  readonly announce: (reply: FastifyReply, holder: KeyHolder, standing: Standing) => void
}

export type Standing = { readonly limits: KeyLimits; readonly used: number; readonly monthEndsAt: Date }

export type KeyedDeps = { readonly directory: KeyDirectory; readonly turnstile: Turnstile; readonly clock: Clock }

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom the key of a keyed request acts for; set by the gate, so every keyed handler has it. */
    caller: KeyHolder
  }
}

const MINUTE_MS = 60_000

export async function findCaller(directory: KeyDirectory, api: Api, key: string): Promise<KeyHolder | undefined> {
  if (!isWellFormed(api, key)) return undefined
  const holder = await directory.find(hashOf(key))
  return holder?.api === api ? holder : undefined
}

/** An `onRequest` hook: it runs before a body is read. */
export function keyedGate({ directory, turnstile, clock }: KeyedDeps, face: KeyedInterface) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const holder = await findCaller(directory, face.api, face.presentedKey(request))
    if (holder === undefined) throw face.invalidKey()
    request.caller = holder
    const limits = face.limitsOf(holder)
    const planRefusal = face.planRefusal(request, holder)
    // Counted whatever its answer will be, a refusal by plan included; only what a limit refuses is not counted.
    const passage = await turnstile.pass(holder.keyId, {
      perWindow: limits.perMinute,
      windowMs: MINUTE_MS,
      perMonth: limits.perMonth,
    })
    const standing = standingOf(limits, passage)
    face.announce(reply, holder, standing)
    if (planRefusal !== undefined) throw planRefusal
    if (passage.passed) return
    const retryAfterSeconds = secondsUntil(passage.retryAt, clock.now())
    const refusal = { ...standing, retryAfterSeconds }
    throw passage.by === 'window' ? face.minuteRefusal(refusal) : face.monthRefusal(refusal)
  }
}

const standingOf = (limits: KeyLimits, { monthUsed, monthEndsAt }: Passage): Standing => ({
  limits,
  used: monthUsed,
  monthEndsAt: new Date(monthEndsAt),
})
