/**
 * How hard one endpoint may be asked, and whether at all.
 *
 * Owns pace (a token bucket whose rate learns) and rest (a circuit that opens after faults). Pure: the hour is part of
 * every event, and `endpoint.ts` acts on the answer.
 */
import type { RpcErrorKind } from './rpc-error.ts'

export type HealthPolicy = {
  /** Calls a second, at the start, at least and at most. */
  readonly rate: { readonly start: number; readonly least: number; readonly most: number }
  /** Faults in a row that open the circuit. */
  readonly patience: number
  /** First rest; doubles with every failed trial, up to `longest`. */
  readonly rest: { readonly first: number; readonly longest: number }
}

/** 100 calls a second suits a node of one's own; a public one teaches its limit within a few refusals. */
export const DEFAULT_POLICY: HealthPolicy = {
  rate: { start: 100, least: 0.5, most: 2_000 },
  patience: 4,
  rest: { first: 1_000, longest: 60_000 },
}

export type Health = {
  readonly rate: number
  readonly tokens: number
  readonly countedAt: number
  /** Faults since the last good answer. */
  readonly faults: number
  /** Rests since the last good answer: the exponent of the next one. */
  readonly rests: number
  readonly restUntil: number
}

export type HealthEvent =
  | { readonly type: 'sent'; readonly at: number; readonly calls: number }
  | { readonly type: 'answered'; readonly at: number; readonly calls: number }
  | {
      readonly type: 'failed'
      readonly at: number
      readonly kind: RpcErrorKind
      readonly retryAfterMs?: number | undefined
    }

export type HealthEffect =
  | { readonly type: 'rests'; readonly until: number }
  | { readonly type: 'recovered' }
  | { readonly type: 'slowed'; readonly rate: number }

export function newHealth(policy: HealthPolicy, at: number): Health {
  const { start } = policy.rate
  return { rate: start, tokens: start, countedAt: at, faults: 0, rests: 0, restUntil: 0 }
}

/** The first instant at which `calls` may be sent. */
export function readyAt(health: Health, calls: number): number {
  const missing = Math.min(calls, Math.max(1, health.rate)) - health.tokens
  const paced = missing <= 0 ? health.countedAt : health.countedAt + Math.ceil((missing / health.rate) * 1_000)
  return Math.max(paced, health.restUntil)
}

export function onHealthEvent(
  policy: HealthPolicy,
  health: Health,
  event: HealthEvent,
): readonly [Health, readonly HealthEffect[]] {
  const elapsed = Math.max(0, event.at - health.countedAt)
  // A second's worth of calls may be saved up, so that a quiet endpoint answers a burst at once.
  const tokens = Math.min(Math.max(1, health.rate), health.tokens + (elapsed * health.rate) / 1_000)
  const counted: Health = { ...health, tokens, countedAt: Math.max(health.countedAt, event.at) }

  if (event.type === 'failed') return onFailure(policy, counted, event)
  if (event.type === 'sent') return [{ ...counted, tokens: tokens - event.calls }, []]
  // Slow growth, fast retreat: 1 % a call finds a provider's limit from below without living above it.
  const rate = Math.min(policy.rate.most, counted.rate * 1.01 ** Math.min(event.calls, 10))
  return [{ ...counted, rate, faults: 0, rests: 0 }, health.rests > 0 ? [{ type: 'recovered' }] : []]
}

function onFailure(
  policy: HealthPolicy,
  health: Health,
  event: Extract<HealthEvent, { type: 'failed' }>,
): readonly [Health, readonly HealthEffect[]] {
  const { at, kind, retryAfterMs } = event
  const faults = health.faults + 1
  if (kind === 'rate') {
    // Several calls in flight are refused together: one refusal halves, the rest of the same burst does not.
    if (at < health.restUntil) return [{ ...health, faults }, []]
    const rate = Math.max(policy.rate.least, health.rate / 2)
    const pause = Math.min(policy.rest.longest, retryAfterMs ?? restOf(policy, health.rests))
    const restUntil = at + pause
    const slowed: Health = { ...health, rate, tokens: 0, faults, rests: health.rests + 1, restUntil }
    return [slowed, [{ type: 'slowed', rate }]]
  }
  const hopeless = kind === 'chain' || kind === 'auth'
  if (!hopeless && faults < policy.patience && health.rests === 0) return [{ ...health, faults }, []]
  const restUntil = at + (hopeless ? policy.rest.longest : restOf(policy, health.rests))
  return [
    { ...health, faults, rests: health.rests + 1, restUntil: Math.max(health.restUntil, restUntil) },
    [{ type: 'rests', until: restUntil }],
  ]
}

function restOf(policy: HealthPolicy, rests: number): number {
  return Math.min(policy.rest.longest, policy.rest.first * 2 ** Math.min(rests, 16))
}
