/**
 * How fast one endpoint may be called, and whether it may be called at all.
 *
 * The pace is a token bucket with an adaptive rate. A circuit breaker suspends the endpoint after errors. Pure: every
 * event carries its time, and `endpoint.ts` acts on the result.
 */
import { type Backoff, backoffMs } from '../../lib/backoff.ts'
import type { RpcErrorKind } from './rpc-error.ts'

export type HealthPolicy = {
  /** Calls per second. */
  readonly rate: { readonly start: number; readonly min: number; readonly max: number }
  /** Consecutive errors that open the circuit. */
  readonly maxErrors: number
  /** How long the endpoint is suspended. Doubles with every failed trial. */
  readonly suspension: Backoff
}

/** The operator's own node can serve 100 calls per second. A public endpoint lowers the rate with a few refusals. */
export const DEFAULT_POLICY: HealthPolicy = {
  rate: { start: 100, min: 0.5, max: 2_000 },
  maxErrors: 4,
  suspension: { firstMs: 1_000, longestMs: 60_000 },
}

export type Health = {
  readonly rate: number
  readonly tokens: number
  readonly countedAt: number
  /** Errors since the last successful response. */
  readonly errors: number
  /** Suspensions since the last successful response: the exponent of the next one. */
  readonly suspensions: number
  readonly suspendedUntil: number
}

export type HealthEvent =
  | { readonly type: 'sent'; readonly at: number; readonly calls: number }
  | { readonly type: 'succeeded'; readonly at: number; readonly calls: number }
  | {
      readonly type: 'failed'
      readonly at: number
      readonly kind: RpcErrorKind
      readonly retryAfterMs?: number | undefined
    }

export type HealthEffect =
  | { readonly type: 'suspended'; readonly until: number }
  | { readonly type: 'recovered' }
  | { readonly type: 'slowed'; readonly rate: number }

export function newHealth(policy: HealthPolicy, at: number): Health {
  const { start } = policy.rate
  return { rate: start, tokens: start, countedAt: at, errors: 0, suspensions: 0, suspendedUntil: 0 }
}

/** The first time at which `calls` may be sent. */
export function readyAt(health: Health, calls: number): number {
  const missing = Math.min(calls, Math.max(1, health.rate)) - health.tokens
  const paced = missing <= 0 ? health.countedAt : health.countedAt + Math.ceil((missing / health.rate) * 1_000)
  return Math.max(paced, health.suspendedUntil)
}

export function onHealthEvent(
  policy: HealthPolicy,
  health: Health,
  event: HealthEvent,
): readonly [Health, readonly HealthEffect[]] {
  const elapsed = Math.max(0, event.at - health.countedAt)
  // The bucket holds the calls of one second, so that an idle endpoint takes a burst at once.
  const tokens = Math.min(Math.max(1, health.rate), health.tokens + (elapsed * health.rate) / 1_000)
  const counted: Health = { ...health, tokens, countedAt: Math.max(health.countedAt, event.at) }

  if (event.type === 'failed') return onFailure(policy, counted, event)
  if (event.type === 'sent') return [{ ...counted, tokens: tokens - event.calls }, []]
  // Growth of 1 % per call approaches the provider's limit from below. A refusal halves the rate.
  const rate = Math.min(policy.rate.max, counted.rate * 1.01 ** Math.min(event.calls, 10))
  return [{ ...counted, rate, errors: 0, suspensions: 0 }, health.suspensions > 0 ? [{ type: 'recovered' }] : []]
}

function onFailure(
  policy: HealthPolicy,
  health: Health,
  event: Extract<HealthEvent, { type: 'failed' }>,
): readonly [Health, readonly HealthEffect[]] {
  const { at, kind, retryAfterMs } = event
  const errors = health.errors + 1
  if (kind === 'rate') {
    // Several calls in flight are refused together: only the first refusal of a burst halves the rate.
    if (at < health.suspendedUntil) return [{ ...health, errors }, []]
    const rate = Math.max(policy.rate.min, health.rate / 2)
    const pause = Math.min(
      policy.suspension.longestMs,
      retryAfterMs ?? backoffMs(policy.suspension, health.suspensions + 1),
    )
    const suspendedUntil = at + pause
    const slowed: Health = {
      ...health,
      rate,
      tokens: 0,
      errors,
      suspensions: health.suspensions + 1,
      suspendedUntil,
    }
    return [slowed, [{ type: 'slowed', rate }]]
  }
  const isPermanent = kind === 'chain' || kind === 'auth'
  if (!isPermanent && errors < policy.maxErrors && health.suspensions === 0) return [{ ...health, errors }, []]
  const until = at + (isPermanent ? policy.suspension.longestMs : backoffMs(policy.suspension, health.suspensions + 1))
  return [
    {
      ...health,
      errors,
      suspensions: health.suspensions + 1,
      suspendedUntil: Math.max(health.suspendedUntil, until),
    },
    [{ type: 'suspended', until }],
  ]
}
