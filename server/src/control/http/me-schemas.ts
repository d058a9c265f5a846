/** Schemas and parameters of the `/me` routes for subscriptions, channels and notifications. */

import { z } from 'zod'
import { ApiError } from '../../lib/http/api-error.ts'
import { instant } from '../../lib/http/params.ts'
import type { DeliveryAttempt, DeliveryRecord } from '../alerts/delivery-records.ts'
import type { Subscription } from '../alerts/subscriptions.ts'
import { contractName, delivery } from '../views/schemas.ts'
import { severity } from './params.ts'

export const tags = ['Alerts']
export const nothing = z.strictObject({})

export const channelFlags = z.object({ telegram: z.boolean(), email: z.boolean(), webhook: z.boolean() })

export const mySubscription = z
  .object({
    id: z.int(),
    source: z.enum(['manual', 'protocol']).describe('manual: one contract; protocol: every contract of a protocol'),
    chainId: z.int().nullable(),
    chainSlug: z.string().nullable(),
    address: z.string().nullable(),
    protocol: z.object({ label: z.string(), slug: z.string(), contracts: z.int() }).nullable(),
    minSeverity: severity,
    channels: channelFlags,
    includeControllers: z.boolean().describe('Also sends alerts for the contracts that control it'),
    createdAt: instant,
    pausedAt: instant.nullable(),
    contract: contractName.nullable(),
  })
  .meta({ id: 'MySubscription' })

export const myNotification = delivery
  .extend({
    subscriptionId: z.int(),
    retractedAt: instant.nullable().describe('When the event was retracted because of a reorg'),
  })
  .meta({ id: 'MyNotification' })

const disabled = z
  .object({ at: instant, reason: z.string() })
  .nullable()
  .describe('The recipient refused further messages. Setting the channel again switches it on')

export const myChannels = z
  .object({
    telegram: z.object({
      available: z.boolean().describe('Whether this service has a Telegram bot'),
      chat: z.object({ id: z.string(), title: z.string().nullable() }).nullable(),
      linkedAt: instant.nullable(),
      disabled,
    }),
    email: z.object({
      available: z.boolean().describe('Whether this service can send mail'),
      address: z.string().nullable(),
      pendingAddress: z.string().nullable().describe('Address that is not confirmed yet'),
      confirmedAt: instant.nullable(),
      disabled,
    }),
    webhook: z.object({
      url: z.string().nullable(),
      secret: z.string().describe('Secret that signs every webhook (Standard Webhooks)'),
      previousSecretValidUntil: instant.nullable(),
      setAt: instant.nullable(),
      disabled,
    }),
  })
  .meta({ id: 'MyChannels' })

export const telegramLink = z
  .object({
    code: z.string(),
    url: z.string().nullable().describe('Opens a private chat with the bot'),
    groupUrl: z.string().nullable().describe('Adds the bot to a group'),
    command: z.string().describe('Message to send to the bot instead of opening a link'),
    expiresAt: instant,
  })
  .meta({ id: 'TelegramLink' })

export const testOutcome = z
  .object({ delivered: z.boolean(), error: z.string().nullable() })
  .meta({ id: 'ChannelTest' })

export const subscriptionView = ({ createdAt, pausedAt, ...subscription }: Subscription) => ({
  ...subscription,
  createdAt: createdAt.toISOString(),
  pausedAt: pausedAt?.toISOString() ?? null,
})

export function deliveryView({ createdAt, sentAt, retractedAt, event, ...record }: DeliveryRecord) {
  return {
    ...record,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    retractedAt: retractedAt?.toISOString() ?? null,
    event: {
      ...event,
      blockTime: event.blockTime.toISOString(),
      args: event.args as Record<string, z.core.util.JSONType>,
    },
  }
}

export const attemptView = ({ startedAt, ...attempt }: DeliveryAttempt) => ({
  ...attempt,
  startedAt: startedAt.toISOString(),
})

export const idParam = z.object({
  id: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .meta({ example: '1' }),
})

export const notFound = (what: 'subscription' | 'notification'): ApiError =>
  new ApiError({ status: 404, code: `${what}_not_found`, message: `You have no ${what} with this id.` })
