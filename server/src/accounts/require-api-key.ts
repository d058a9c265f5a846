/**
 * Checks the API key of a request, in the order both APIs document: key (401), plan (403), minute limit (429), month
 * quota (429). The method (405) is checked before, the parameters (400) after.
 *
 * This file owns the order and the counting. Each API defines the header that carries the key, the limits and the
 * error texts (`ApiConventions`).
 */

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock, Month } from '../lib/clock.ts'
import type { ApiError } from '../lib/http/api-error.ts'
import { secondsUntil } from '../lib/http/retry-after.ts'
import type { RateLimiter, UnstoredResult } from '../platform/counters/rate-limiter.ts'
import { hashOf, isWellFormed, type KeyHolder, refusalOf } from './api-keys.ts'
import type { KeyDirectory } from './key-directory.ts'
import type { Api, KeyLimits } from './plans.ts'

/** The usage of a key in the current month. */
export type MonthUsage = { readonly limits: KeyLimits; readonly used: number; readonly month: Month }

/** The facts that an error about a limit reports. */
export type LimitExceeded = MonthUsage & { readonly retryAfterSeconds: number }

/** How one API reads keys and reports errors and usage. */
export type ApiConventions = {
  readonly api: Api
  /** Returns the key of the request; throws if the request has none. */
  readonly presentedKey: (request: FastifyRequest) => string
  readonly invalidKey: (message: string) => ApiError
  readonly limitsOf: (holder: KeyHolder) => KeyLimits
  /** Returns an error if the holder's plan does not include this request. */
  readonly planError: (request: FastifyRequest, holder: KeyHolder) => ApiError | undefined
  readonly minuteLimitError: (exceeded: LimitExceeded) => ApiError
  readonly monthQuotaError: (exceeded: LimitExceeded) => ApiError
  /** Sets the response headers that report the month's usage. */
  readonly reportUsage: (reply: FastifyReply, holder: KeyHolder, usage: MonthUsage) => void
}

export type ApiKeyDeps = { readonly directory: KeyDirectory; readonly rateLimiter: RateLimiter; readonly clock: Clock }

declare module 'fastify' {
  interface FastifyRequest {
    /** The holder of the request's API key. Set by `requireApiKey`. */
    caller: KeyHolder
    /** Returns the request to the limits of its key. Set while it counts toward them. */
    giveBack: (() => Promise<void>) | undefined
    /** Settles when the count of the request is stored. Undefined without `holdResponses`, which waits for it. */
    counted: Promise<void> | null | undefined
  }
  interface FastifyContextConfig {
    /** Requests to this route do not count against the month's quota, and it answers when the quota is used up. */
    isFree?: boolean
  }
}

const MINUTE_MS = 60_000

/** Finds the holder of an active key of the API; undefined if the key is malformed, unknown, revoked or of another API. */
export async function findCaller(directory: KeyDirectory, api: Api, key: string): Promise<KeyHolder | undefined> {
  if (!isWellFormed(api, key)) return undefined
  const holder = await directory.find(hashOf(key))
  return holder?.api === api ? holder : undefined
}

/** As `findCaller`, if the key is cached. */
function findCachedCaller(directory: KeyDirectory, api: Api, key: string): KeyHolder | undefined {
  const holder = isWellFormed(api, key) ? directory.findCached(hashOf(key)) : undefined
  return holder?.api === api ? holder : undefined
}

/** An `onRequest` hook: it runs before the body is read. It uses callbacks, because a promise for each step is slower. */
export type KeyCheck = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

export function requireApiKey({ directory, rateLimiter, clock }: ApiKeyDeps, conventions: ApiConventions): KeyCheck {
  const { api } = conventions

  const count = (holder: KeyHolder, ...[request, reply, done]: Parameters<KeyCheck>): void => {
    request.caller = holder
    const limits = conventions.limitsOf(holder)
    const planError = conventions.planError(request, holder)
    const isFree = request.routeOptions.config.isFree === true
    const answer = (taken: UnstoredResult): void => {
      const usage = { limits, used: taken.monthUsed, month: taken.month }
      if (!isFree) conventions.reportUsage(reply, holder, usage)
      if (taken.isAllowed) {
        // Not assigned at once: V8 places a function literal that is assigned to a property among old objects, where it
        // would keep the request in memory until the next collection of all objects.
        const giveBack = async (): Promise<void> => {
          request.giveBack = undefined
          if (!isFree) conventions.reportUsage(reply, holder, { ...usage, used: usage.used - 1 })
          await taken.giveBack()
        }
        request.giveBack = giveBack
      }
      if (planError !== undefined || taken.isAllowed) return done(planError)
      const exceeded = { ...usage, retryAfterSeconds: secondsUntil(taken.retryAt, clock.now()) }
      done(taken.by === 'window' ? conventions.minuteLimitError(exceeded) : conventions.monthQuotaError(exceeded))
    }
    const onKnown = (taken: UnstoredResult): void => {
      // What only reads runs while the count is stored, and its response waits. What writes must not run uncounted.
      if (request.method === 'GET' && request.counted === null) {
        request.counted = taken.stored
        answer(taken)
      } else void taken.stored.then(() => answer(taken), done)
    }
    // Every request counts, including one that the plan refuses. Only requests refused by a limit do not count.
    // Free requests have a minute limit of their own.
    const subject = isFree ? `free ${holder.keyId}` : holder.keyId
    const perMonth = isFree ? null : limits.perMonth
    rateLimiter.takeAhead(subject, { perWindow: limits.perMinute, windowMs: MINUTE_MS, perMonth }, onKnown, done)
  }

  const check: KeyCheck = (request, reply, done) => {
    const key = conventions.presentedKey(request)
    const cached = findCachedCaller(directory, api, key)
    if (cached !== undefined) return count(cached, request, reply, done)
    const refuseOrCount = (holder: KeyHolder | undefined): void => {
      if (holder === undefined) done(conventions.invalidKey(refusalOf(api, key)))
      else count(holder, request, reply, done)
    }
    // Without a cached key the request waits for the database anyway.
    void findCaller(directory, api, key).then(refuseOrCount, done)
  }

  return (request, reply, done) => {
    try {
      check(request, reply, done)
    } catch (error) {
      // Once the parser has read what else arrived: if that is not valid HTTP, the request gets one response that says so.
      queueMicrotask(() => done(error as Error))
    }
  }
}

/** Replaces a response that is about to be sent by one that reports the error, and returns its body. */
export type TurnIntoError = (error: Error, request: FastifyRequest, reply: FastifyReply) => object

/**
 * Holds each response until its request is stored as counted, so that no crash can lose the count of a response that was
 * sent. If it cannot be stored, the caller gets that error instead. Registered before hooks that record the response.
 */
export function holdResponses(app: FastifyInstance, turnIntoError: TurnIntoError): void {
  app.decorateRequest('counted', null)
  app.addHook('onSend', (request, reply, payload, done) => {
    const { counted } = request
    if (counted === null || counted === undefined) return done()
    const send = (): void => done()
    const refuse = (error: Error): void => {
      request.giveBack = undefined // nothing was counted, or that is unknown
      if (payload instanceof Readable) payload.destroy()
      for (const name of HEADERS_OF_FILES) reply.removeHeader(name)
      done(null, JSON.stringify(turnIntoError(error, request, reply)))
    }
    void counted.then(send, refuse)
  })
}

const HEADERS_OF_FILES = ['content-disposition', 'x-accel-buffering']

/** The longest wait of a failed response until its request is subtracted: the store may be the part that failed. */
const LONGEST_WAIT_MS = 1_000

/** Subtracts requests that fail with 5xx from the counts of their keys, before the response is sent. */
export function returnFailedRequests(app: FastifyInstance): void {
  app.decorateRequest('giveBack', undefined)
  app.addHook('onSend', (request, reply, _payload, done) => {
    const returning = reply.statusCode >= 500 ? request.giveBack?.() : undefined
    if (returning === undefined) return done()
    let isSent = false
    const send = (): void => {
      clearTimeout(timer)
      if (!isSent) done()
      isSent = true
    }
    const timer = setTimeout(send, LONGEST_WAIT_MS)
    void returning.then(send)
  })
}
