/** Signs a message as https://www.standardwebhooks.com describes (symmetric, version 1), and posts it. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Outcome } from './outcome.ts'
import { type PostDeps, postForOutcome, type Recipient } from './post.ts'

export type WebhookDeps = PostDeps

/** `secrets` holds all that are valid now: two while an account changes its secret. */
export type Webhook = { readonly id: string; readonly body: string; readonly secrets: readonly string[] }

export async function postWebhook(deps: WebhookDeps, url: string, { id, body, secrets }: Webhook): Promise<Outcome> {
  const headers = webhookHeaders({ id, secret: secrets, body, at: deps.clock.now() })
  return await postForOutcome(deps, { url, body, headers }, WEBHOOK)
}

const WEBHOOK: Recipient = {
  name: 'The webhook',
  readRefusal: ({ status }) =>
    status === 410 ? { detail: '410 Gone: it accepts no more messages', isGone: true } : {},
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
