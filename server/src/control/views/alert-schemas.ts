/** Response schemas of subscriptions and deliveries. */
import { z } from 'zod'
import { instant } from '../../lib/http/params.ts'
import { CHANNEL_KINDS, type ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { account, contractName, event, severity } from './schemas.ts'

/** A boolean for each kind of channel. */
export const channelFlags = z.object(
  Object.fromEntries(CHANNEL_KINDS.map((kind) => [kind, z.boolean()])) as Record<ChannelKind, z.ZodBoolean>,
)

export const subscription = z
  .object({
    id: z.int(),
    chainId: z.int(),
    chainSlug: z.string(),
    address: account,
    source: z.string(),
    minSeverity: severity,
    channels: channelFlags,
    createdAt: instant,
    pausedAt: instant.nullable(),
    contract: contractName,
  })
  .meta({ id: 'Subscription' })

export const delivery = z
  .object({
    id: z.int(),
    channel: z.enum(CHANNEL_KINDS),
    status: z.enum(['pending', 'retrying', 'sent', 'failed', 'cancelled']),
    attempts: z.int(),
    lastError: z.string().nullable(),
    createdAt: instant,
    sentAt: instant.nullable(),
    event,
  })
  .meta({ id: 'Delivery' })

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
