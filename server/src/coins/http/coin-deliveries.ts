/** Deliveries of coin events: their schema and view. The alerts of contracts send and record them. */
import { z } from 'zod'
import type { CoinEventContent } from '../../../../vocabulary/coin-events.ts'
import { instant } from '../../lib/http/params.ts'
import type { ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { acknowledgmentFields, deliveryFields } from '../../platform/deliveries/delivery-schemas.ts'
import { coinEventContent } from './subscription-schemas.ts'

export type CoinDelivery = {
  readonly id: number
  readonly subscriptionId: number
  readonly channel: ChannelKind
  readonly status: 'pending' | 'retrying' | 'sent' | 'failed' | 'canceled'
  readonly attempts: number
  readonly lastError: string | null
  readonly createdAt: Date
  readonly sentAt: Date | null
  readonly retractedAt: Date | null
  readonly acknowledgedAt: Date | null
  readonly acknowledgedBy: string | null
  readonly event: CoinEventContent & { readonly id: number }
}

export type CoinDeliveryAttempt = {
  readonly number: number
  readonly startedAt: Date
  readonly status: 'sent' | 'failed' | 'unknown'
  readonly durationMs: number | null
  readonly responseStatus: number | null
  readonly error: string | null
}

/** The deliveries of an account. */
export type CoinDeliveries = {
  /** Newest first. */
  readonly list: (
    accountId: string,
    page: { readonly before: number | undefined; readonly limit: number },
  ) => Promise<readonly CoinDelivery[]>
  /** Undefined if the account has no such delivery. */
  readonly attempts: (accountId: string, id: number) => Promise<readonly CoinDeliveryAttempt[] | undefined>
  /** States that the account has seen the event, for all its channels. Undefined if the account has no such delivery. */
  readonly acknowledge: (accountId: string, id: number, by: string) => Promise<CoinDelivery | undefined>
  /** Sends the message of a delivery again. Returns the delivery, or why it is not sent. */
  readonly replay: (accountId: string, id: number) => Promise<CoinDelivery | ReplayRefusal>
}

export type ReplayRefusal = 'not_found' | 'retracted' | 'no_channel'

export const coinDelivery = z
  .object({
    ...deliveryFields,
    subscriptionId: z.int(),
    retractedAt: instant.nullable().describe('When the event was retracted'),
    ...acknowledgmentFields,
    event: coinEventContent,
  })
  .meta({ id: 'CoinDelivery' })

export const coinDeliveryView = ({ createdAt, sentAt, retractedAt, acknowledgedAt, ...shown }: CoinDelivery) => ({
  ...shown,
  createdAt: createdAt.toISOString(),
  sentAt: sentAt?.toISOString() ?? null,
  retractedAt: retractedAt?.toISOString() ?? null,
  acknowledgedAt: acknowledgedAt?.toISOString() ?? null,
})

export const attemptView = ({ startedAt, ...attempt }: CoinDeliveryAttempt) => ({
  ...attempt,
  startedAt: startedAt.toISOString(),
})
