/** Schemas and parameters of the `/me` routes for subscriptions, channels and notifications. */

import { z } from 'zod'
import { CATEGORIES } from '../../../../vocabulary/categories.ts'
import { EFFECTS } from '../../../../vocabulary/powers.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { instant } from '../../lib/http/params.ts'
import { CHANNEL_KINDS } from '../../platform/deliveries/channel-kinds.ts'
import { acknowledgmentFields } from '../../platform/deliveries/delivery-schemas.ts'
import type { DeliveryAttempt, DeliveryRecord } from '../alerts/delivery-records.ts'
import { ALERT_TIMES, type Subscription } from '../alerts/subscriptions.ts'
import { channelFlags, delivery } from '../views/alert-schemas.ts'
import { contractName } from '../views/schemas.ts'
import { category, eventKey, severity } from './params.ts'

export const tags = ['Alerts']
export const nothing = z.strictObject({})

export const channelKind = z.enum(CHANNEL_KINDS, `must be one of ${CHANNEL_KINDS.join(', ')}`)
export const channelKindParam = z.object({ kind: channelKind.meta({ example: 'webhook' }) })

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00')

export const schedule = z
  .strictObject({
    digest: z
      .strictObject({ minutes: z.int().min(5).max(1_440), maxSeverity: severity })
      .nullable()
      .describe('Sends events up to a severity together, every so many minutes since midnight UTC'),
    quietHours: z
      .strictObject({ from: timeOfDay, to: timeOfDay, timeZone: z.string().max(64), maxSeverity: severity })
      .refine(({ from, to }) => from !== to, 'must have different times')
      .nullable()
      .describe('Events up to a severity wait until the end and are sent together'),
  })
  .meta({ id: 'ChannelSchedule' })

export const alertAt = z
  .enum(ALERT_TIMES)
  .nullable()
  .describe(
    'head: when a block is first seen, with a retraction if it leaves the chain; confirmed: once the block has the confirmations of its chain; null: transactions with a critical event at head, others when confirmed',
  )

const MAX_EVENT_KEYS = 50

/** What a subscription sends, in addition to its severity. */
export const rules = {
  powerEffects: z
    .array(z.enum(EFFECTS))
    .max(EFFECTS.length)
    .describe('Changes of these powers are sent whatever their severity'),
  categories: z
    .array(category)
    .max(CATEGORIES.length)
    .describe('Only events of these categories, or with one of eventKeys. Both empty: every event'),
  eventKeys: z.array(eventKey).max(MAX_EVENT_KEYS).describe('See categories'),
  queuedChanges: z
    .boolean()
    .describe('Changes that are queued, executed or canceled are sent whatever their severity, category and key'),
}

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
    ...rules,
    alertAt,
    createdAt: instant,
    pausedAt: instant.nullable(),
    contract: contractName.nullable(),
  })
  .meta({ id: 'MySubscription' })

export const myNotification = delivery
  .extend({
    subscriptionId: z.int(),
    confirmedAt: instant
      .nullable()
      .describe('When the block of the event had the confirmations of its chain; null while it has fewer'),
    retractedAt: instant.nullable().describe('When the event was retracted because of a reorg'),
    ...acknowledgmentFields,
  })
  .meta({ id: 'MyNotification' })

const disabled = z
  .object({ at: instant, reason: z.string() })
  .nullable()
  .describe('The recipient refused further messages. Setting the channel again switches it on')

const vendorChannel = z.object({
  target: z.string().nullable().describe('The host and the end of the URL; null if the channel is not set up'),
  setAt: instant.nullable(),
  disabled,
  schedule: schedule.nullable(),
})

export const myChannels = z
  .object({
    slack: vendorChannel.extend({
      interactivityUrl: z
        .string()
        .nullable()
        .describe('The request URL for the interactivity of your Slack app, so that alerts can be acknowledged'),
    }),
    discord: vendorChannel,
    teams: vendorChannel,
    pagerduty: vendorChannel,
    opsgenie: vendorChannel,
    custom: vendorChannel.extend({ template: z.string().nullable(), contentType: z.string().nullable() }),
    telegram: z.object({
      available: z.boolean().describe('Whether this service has a Telegram bot'),
      chat: z.object({ id: z.string(), title: z.string().nullable() }).nullable(),
      linkedAt: instant.nullable(),
      disabled,
      schedule: schedule.nullable(),
    }),
    email: z.object({
      available: z.boolean().describe('Whether this service can send mail'),
      address: z.string().nullable(),
      pendingAddress: z.string().nullable().describe('Address that is not confirmed yet'),
      confirmedAt: instant.nullable(),
      disabled,
      schedule: schedule.nullable(),
    }),
    webhook: z.object({
      url: z.string().nullable(),
      secret: z.string().describe('Secret that signs every webhook (Standard Webhooks)'),
      previousSecretValidUntil: instant.nullable(),
      setAt: instant.nullable(),
      disabled,
      schedule: schedule.nullable(),
    }),
  })
  .meta({ id: 'MyChannels' })
export type MyChannels = z.infer<typeof myChannels>

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
  powerEffects: [...subscription.powerEffects],
  categories: [...subscription.categories],
  eventKeys: [...subscription.eventKeys],
  createdAt: createdAt.toISOString(),
  pausedAt: pausedAt?.toISOString() ?? null,
})

export function deliveryView({
  createdAt,
  sentAt,
  confirmedAt,
  retractedAt,
  acknowledgedAt,
  event,
  ...record
}: DeliveryRecord) {
  return {
    ...record,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    retractedAt: retractedAt?.toISOString() ?? null,
    acknowledgedAt: acknowledgedAt?.toISOString() ?? null,
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

export const missingChannel = (): ApiError =>
  new ApiError({
    status: 404,
    code: 'channel_not_found',
    message: 'You have no channel of this kind. Set one up first.',
  })
