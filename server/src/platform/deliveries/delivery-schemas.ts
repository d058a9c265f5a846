/** Response schemas of deliveries, of alerts about contracts and about coins. */
import { z } from 'zod'
import { instant } from '../../lib/http/params.ts'
import { CHANNEL_KINDS } from './channel-kinds.ts'

/** The fields of every delivery. */
export const deliveryFields = {
  id: z.int(),
  channel: z.enum(CHANNEL_KINDS),
  status: z.enum(['pending', 'retrying', 'sent', 'failed', 'canceled']),
  attempts: z.int(),
  lastError: z.string().nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
}

export const acknowledgmentFields = {
  acknowledgedAt: instant.nullable(),
  acknowledgedBy: z
    .string()
    .nullable()
    .describe('The name that Telegram or Slack gives for the person, or the e-mail address of the account'),
}

export const deliveryAttempt = z
  .object({
    number: z.int(),
    startedAt: instant,
    status: z
      .enum(['sent', 'failed', 'unknown'])
      .describe('unknown: the recipient may have received the message, but no response is known'),
    durationMs: z.int().nullable().describe('null: the sending process stopped before it recorded a response'),
    responseStatus: z
      .int()
      .nullable()
      .describe('The HTTP status of the response; null if there was none, or the channel does not use HTTP'),
    error: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' })
