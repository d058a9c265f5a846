/** Signing of callbacks as https://www.standardwebhooks.com describes it: symmetric, version 1. */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(24).toString('base64')}`

export type WebhookMessage = {
  /** The same for every attempt, so that a receiver can tell a repetition. */
  readonly id: string
  readonly secret: string
  readonly body: string
  /** Of this attempt, milliseconds since the epoch. */
  readonly at: number
}

export function webhookHeaders({ id, secret, body, at }: WebhookMessage): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
