/**
 * Signs a message as https://www.standardwebhooks.com describes (symmetric, version 1), posts it, and reads the response
 * as an outcome.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import { parseRetryAfter } from '../../lib/http/retry-after.ts'
import { OutboundError, type OutboundOptions, postOutbound } from '../outbound.ts'
import type { Outcome } from './outcome.ts'

export type WebhookDeps = { readonly clock: Clock; readonly outbound: OutboundOptions }

/** `secrets` holds all that are valid now: two while an account changes its secret. */
export type Webhook = { readonly id: string; readonly body: string; readonly secrets: readonly string[] }

/** A longer Retry-After is cut to this, so that a mistake of a recipient does not silence it for a day. */
const LONGEST_PAUSE_MS = 3_600_000

export async function postWebhook({ clock, outbound }: WebhookDeps, url: string, webhook: Webhook): Promise<Outcome> {
  const { id, body, secrets } = webhook
  const signed = webhookHeaders({ id, secret: secrets, body, at: clock.now() })
  const headers = { 'content-type': 'application/json', 'user-agent': 'gatewatch', ...signed }
  try {
    const { status, retryAfter } = await postOutbound(url, { body, headers }, outbound)
    if (status >= 200 && status < 300) return { ok: true }
    if (status === 410)
      return { ok: false, reason: 'The webhook returned 410 Gone: it accepts no more messages.', isGone: true }
    const requestedMs = parseRetryAfter(retryAfter, clock.now())
    const pause = requestedMs === undefined ? {} : { pauseAtLeastMs: Math.min(requestedMs, LONGEST_PAUSE_MS) }
    return { ok: false, reason: `The webhook returned status ${status}.`, ...pause }
  } catch (error) {
    const isForbidden = error instanceof OutboundError && !error.retryable
    const isUncertain = error instanceof OutboundError && error.isConnected
    return {
      ok: false,
      reason: reasonOf(error),
      ...(isForbidden && { isForbidden }),
      ...(isUncertain && { isUncertain }),
    }
  }
}

const PREFIX = 'whsec_'

export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(24).toString('base64')}`

type WebhookMessage = {
  /** The same for every attempt, so that a receiver recognizes a duplicate. */
  readonly id: string
  /** One secret, or all valid ones while it is being rotated. */
  readonly secret: string | readonly string[]
  readonly body: string
  /** Time of this attempt, milliseconds since the epoch. */
  readonly at: number
}

export function webhookHeaders({ id, secret, body, at }: WebhookMessage): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = [secret].flat().map((text) => {
    const key = Buffer.from(text.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
