/** Bodies and responses of the endpoints for subscriptions. */
import { z } from 'zod'
import { instant, wholeNumber } from '../../lib/http/params.ts'
import { CHANNEL_KINDS } from '../../platform/deliveries/channel-kinds.ts'
import { COIN_TARGETS } from '../subscriptions/subscription-store.ts'
import { COIN_EVENT_KINDS } from '../subscriptions/transitions.ts'
import { address, chain, txid } from './params.ts'
import { satoshi } from './schemas.ts'

export const MAX_CONFIRMATIONS = 100
const eventKinds = z.array(z.enum(COIN_EVENT_KINDS)).min(1).max(COIN_EVENT_KINDS.length)
const channels = z.array(z.enum(CHANNEL_KINDS)).max(CHANNEL_KINDS.length)

export const subscriptionBody = z
  .strictObject({
    chain,
    address: address.optional(),
    walletId: z.string().max(64).optional().describe('A kept wallet; its chain is used'),
    txid: txid.optional(),
    events: eventKinds.default([...COIN_EVENT_KINDS]),
    confirmations: z
      .int()
      .min(1)
      .max(MAX_CONFIRMATIONS)
      .default(1)
      .describe('Confirmations after which confirmed is reported'),
    channels: channels
      .default([...CHANNEL_KINDS])
      .describe('Kinds of channels of the account that get messages; by default all'),
  })
  .meta({
    example: {
      chain: 'btc',
      address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      events: ['seen', 'confirmed'],
      confirmations: 3,
    },
  })

export const subscriptionId = wholeNumber(1, Number.MAX_SAFE_INTEGER).meta({ example: '1' })

const target = {
  chain: z.enum(['btc', 'ltc']),
  targetKind: z.enum(COIN_TARGETS),
  target: z.string().describe('The address, the walletId, or the txid'),
}

export const coinSubscription = z
  .object({
    id: z.int(),
    ...target,
    events: z.array(z.enum(COIN_EVENT_KINDS)),
    confirmations: z.int(),
    channels: z.array(z.string()),
    fromHeight: z.int().describe('Transactions of later blocks are reported, and unconfirmed ones'),
    createdAt: instant,
  })
  .meta({ id: 'CoinSubscription' })

export const subscriptionList = z.object({
  subscriptions: z.array(coinSubscription).describe('Newest first'),
  subscriptionLimit: z.int().describe('Subscriptions that the plan includes'),
  nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last one'),
})

export const deletedSubscription = z.object({ id: z.int() })

const eventContent = {
  id: z.int().describe('The same for an event and its retraction'),
  subscriptionId: z.int(),
  chain: target.chain,
  kind: z.enum([...COIN_EVENT_KINDS, 'more']).describe('more: events of an hour beyond the limit'),
  targetKind: target.targetKind,
  target: target.target,
  txid: z.string().nullable().describe('Null of more'),
  blockHeight: z.int().nullable(),
  blockHash: z.string().nullable(),
  confirmations: z.int().nullable().describe('Of confirmed: the confirmations that the subscription waits for'),
  received: satoshi.describe('What the transaction pays to the address or wallet'),
  sent: satoshi.describe('What it spends from the address or wallet, or from the outputs of the transaction'),
  replacedBy: z.string().nullable(),
  count: z.int().nullable().describe('Of more: how many events there were'),
  hour: instant.nullable().describe('Of more: the beginning of the hour'),
}

/** An event as a message reports it. */
export const coinEventContent = z.object(eventContent)

export const coinEvent = z
  .object({
    type: z.enum(['reported', 'retracted']),
    ...eventContent,
    createdAt: instant,
    retractedAt: instant.nullable(),
    retractedBecause: z.enum(['reorganized', 'replaced', 'dropped', 'returned']).nullable(),
  })
  .meta({ id: 'CoinEvent' })

export const eventList = z.object({
  events: z.array(coinEvent).describe('Events and retractions, oldest first'),
  nextCursor: z.string().describe('Send it as after to read what follows'),
})
