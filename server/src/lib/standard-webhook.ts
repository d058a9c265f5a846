/** Signs webhooks as https://www.standardwebhooks.com describes: symmetric, version 1. */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(24).toString('base64')}`

export type WebhookMessage = {
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
