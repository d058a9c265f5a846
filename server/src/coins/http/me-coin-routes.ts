/** `/me/coins`: coin subscriptions and their deliveries, for the pages of an account. Codes are those of `/me`. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { meResponses } from '../../accounts/http/responses.ts'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import { COIN_CHAINS } from '../../config/config.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/http/cursor.ts'
import { wholeNumber } from '../../lib/http/params.ts'
import { CHANNEL_KINDS } from '../../platform/deliveries/channel-kinds.ts'
import {
  countCoinSubscriptions,
  deleteCoinSubscription,
  getCoinSubscriptions,
} from '../subscriptions/subscription-store.ts'
import { COIN_EVENT_KINDS } from '../subscriptions/transitions.ts'
import type { KeptWallets } from '../wallets/kept-wallets.ts'
import { type ChainGuardDeps, createChainGuard } from './chain-guard.ts'
import { type CoinDeliveries, coinDelivery, coinDeliveryView, type ReplayRefusal } from './coin-deliveries.ts'
import { type SubscriberDeps, subscribe, subscriptionsOf, subscriptionView } from './coin-subscriber.ts'
import { walletFinder } from './kept-wallet-routes.ts'
import { coinSubscription, deletedSubscription, MAX_CONFIRMATIONS, subscriptionId } from './subscription-schemas.ts'

export type MeCoinDeps = ChainGuardDeps &
  Pick<SubscriberDeps, 'database'> & {
    readonly keptWallets?: KeptWallets | undefined
    readonly coinDeliveries?: CoinDeliveries | undefined
  }

const tags = ['Alerts']
const nothing = z.strictObject({})
const cursor = z.string().max(512).optional()

const newSubscription = z
  .strictObject({
    chain: z.enum(COIN_CHAINS),
    address: z.string().max(150).optional(),
    walletId: z.string().max(64).optional(),
    txid: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal characters')
      .optional(),
    events: z
      .array(z.enum(COIN_EVENT_KINDS))
      .min(1)
      .max(COIN_EVENT_KINDS.length)
      .default([...COIN_EVENT_KINDS]),
    confirmations: z.int().min(1).max(MAX_CONFIRMATIONS).default(1),
    channels: z
      .array(z.enum(CHANNEL_KINDS))
      .max(CHANNEL_KINDS.length)
      .default([...CHANNEL_KINDS]),
  })
  .meta({ example: { chain: 'btc', address: '12c6DSiU4Rq3P4ZxziKxzrL5LmMBrzjrJX', events: ['seen', 'confirmed'] } })

const page = { limit: wholeNumber(1, 200).default(50), cursor }
const deliveryParams = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER).meta({ example: '2' }) })

const subscriptions = z.object({
  items: z.array(coinSubscription).describe('Newest first'),
  nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last one'),
  used: z.int().describe('How many there are'),
  limit: z.int().describe('Subscriptions that the plan includes'),
  wallets: z
    .array(z.object({ walletId: z.string(), chain: z.enum(COIN_CHAINS), name: z.string() }))
    .describe('Wallets that the account keeps'),
})

/** What the codes of `/api/v2` are called here. */
const CODES: Readonly<Record<string, readonly [number, string]>> = {
  INVALID_ADDRESS: [400, 'invalid_address'],
  INVALID_PARAMETER: [400, 'invalid_request'],
  CHAIN_DISABLED: [400, 'unknown_chain'],
  PLAN_REQUIRED: [403, 'plan_required'],
  WALLET_NOT_FOUND: [404, 'wallet_not_found'],
  SUBSCRIPTION_LIMIT_REACHED: [409, 'limit_reached'],
  NODE_NOT_SYNCED: [503, 'unavailable'],
  UNAVAILABLE: [503, 'unavailable'],
}

async function withOwnCodes<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const known = error instanceof ApiError ? CODES[error.code] : undefined
    if (!(error instanceof ApiError) || known === undefined) throw error
    const [status, code] = known
    const { message, details } = error
    throw new ApiError({ status, code, message, ...(details !== undefined && { details }) })
  }
}

/** Reads a cursor; undefined without one. */
function positionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [position] = decodeCursor(text, /^(\d{1,15})$/) ?? []
  if (position === undefined) throw invalidCursor('invalid_cursor')
  return Number(position)
}

/** Returns a page of at most `limit` of the found rows, of which there is one more if another page follows. */
function pageOf<Row extends { readonly id: number }>(found: readonly Row[], limit: number) {
  const rows = found.slice(0, limit)
  return { rows, nextCursor: found.length > limit ? encodeCursor(rows.at(-1)?.id ?? 0) : null }
}

const REFUSED_REPLAYS = {
  not_found: { status: 404, code: 'notification_not_found', message: 'You have no delivery with this id.' },
  retracted: {
    status: 409,
    code: 'event_retracted',
    message: 'This event was retracted: it does not hold any more. It is not sent again.',
  },
  no_channel: {
    status: 409,
    code: 'channel_missing',
    message: 'You have no active channel of this kind. Set one up first.',
  },
} as const satisfies Record<ReplayRefusal, ConstructorParameters<typeof ApiError>[0]>

export function meCoinRoutes(deps: MeCoinDeps) {
  const { database, keptWallets, coinDeliveries } = deps
  const { served } = createChainGuard(deps)
  const subscriber = { database, served, findWallet: walletFinder({ keptWallets }) }
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()

    app.get(
      '/me/coins/subscriptions',
      {
        schema: {
          tags,
          summary: 'Your subscriptions to addresses, wallets and transactions, newest first',
          querystring: z.strictObject({
            ...page,
            target: z.string().max(150).optional().describe('Only those to this address, walletId or txid'),
          }),
          response: meResponses(200, subscriptions),
        },
      },
      ({ account: { id, utxoPlan }, query: { limit, cursor: text, target } }) =>
        withOwnCodes(async () => {
          const store = subscriptionsOf(subscriber)
          const found = await getCoinSubscriptions(store, id, { before: positionOf(text), limit: limit + 1, target })
          const { rows, nextCursor } = pageOf(found, limit)
          const kept = (await keptWallets?.list(id)) ?? []
          return {
            items: rows.map(subscriptionView),
            nextCursor,
            used: await countCoinSubscriptions(store, id),
            limit: UTXO_ALLOWANCES[utxoPlan].subscriptionLimit,
            wallets: kept.map(({ id: walletId, chain, name }) => ({ walletId, chain, name })),
          }
        }),
    )

    app.post(
      '/me/coins/subscriptions',
      {
        schema: {
          tags,
          summary: 'Subscribes to an address, a kept wallet or a transaction. A subscription to the same is changed',
          querystring: nothing,
          body: newSubscription,
          response: meResponses(201, coinSubscription, 404, 409),
        },
      },
      async ({ account: { id: accountId, utxoPlan }, body: { txid, ...body } }, reply) => {
        const wanted = { ...body, txid: txid?.toLowerCase() }
        const made = await withOwnCodes(() => subscribe(subscriber, wanted, { accountId, utxoPlan }))
        reply.status(201)
        return subscriptionView(made)
      },
    )

    app.delete(
      '/me/coins/subscriptions/:id',
      {
        schema: {
          tags,
          summary: 'Deletes a coin subscription and cancels its pending deliveries',
          params: z.object({ id: subscriptionId.meta({ example: '2' }) }),
          querystring: nothing,
          response: meResponses(200, deletedSubscription, 404),
        },
      },
      async ({ account, params: { id } }) => {
        const isDeleted = await withOwnCodes(() => deleteCoinSubscription(subscriptionsOf(subscriber), account.id, id))
        if (isDeleted) return { id }
        throw new ApiError({
          status: 404,
          code: 'subscription_not_found',
          message: 'You have no subscription with this id.',
        })
      },
    )

    app.get(
      '/me/coins/notifications',
      {
        schema: {
          tags,
          summary: 'Deliveries of coin events, newest first. Attempts and contents are at /me/notifications/{id}',
          querystring: z.strictObject(page),
          response: meResponses(200, z.object({ items: z.array(coinDelivery), nextCursor: z.string().nullable() })),
        },
      },
      async ({ account, query: { limit, cursor: text } }) => {
        const position = { before: positionOf(text), limit: limit + 1 }
        const { rows, nextCursor } = pageOf((await coinDeliveries?.list(account.id, position)) ?? [], limit)
        return { items: rows.map(coinDeliveryView), nextCursor }
      },
    )

    app.post(
      '/me/coins/notifications/:id/acknowledge',
      {
        schema: {
          tags,
          summary: 'States that you have seen a coin event, for all your channels',
          params: deliveryParams,
          querystring: nothing,
          response: meResponses(200, coinDelivery, 404),
        },
      },
      async ({ account, params: { id } }) => {
        const acknowledged = await coinDeliveries?.acknowledge(account.id, id, account.email)
        if (acknowledged === undefined) throw new ApiError(REFUSED_REPLAYS.not_found)
        return coinDeliveryView(acknowledged)
      },
    )

    app.post(
      '/me/coins/notifications/:id/replay',
      {
        schema: {
          tags,
          summary: 'Sends the message of a past delivery of a coin event again, to your current channel',
          params: deliveryParams,
          querystring: nothing,
          response: meResponses(202, coinDelivery, 404, 409),
        },
      },
      async ({ account, params: { id } }, reply) => {
        const replayed = (await coinDeliveries?.replay(account.id, id)) ?? 'not_found'
        if (typeof replayed === 'string') throw new ApiError(REFUSED_REPLAYS[replayed])
        reply.status(202)
        return coinDeliveryView(replayed)
      },
    )
  }
}
