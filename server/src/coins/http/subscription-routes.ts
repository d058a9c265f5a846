/** The endpoints of `/api/v2` for subscriptions to addresses, wallets and transactions, and their events. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UTXO_ALLOWANCES } from '../../accounts/plans.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../lib/http/cursor.ts'
import { wholeNumber } from '../../lib/http/params.ts'
import type { Database } from '../../platform/database.ts'
import { deliveryAttempt } from '../../platform/deliveries/delivery-schemas.ts'
import { getCoinEvents, type PositionedEvent } from '../subscriptions/event-store.ts'
import {
  deleteCoinSubscription,
  findCoinSubscription,
  getCoinSubscriptions,
} from '../subscriptions/subscription-store.ts'
import { attemptView, type CoinDeliveries, coinDelivery, coinDeliveryView } from './coin-deliveries.ts'
import { type SubscriberDeps, subscribe, subscriptionsOf, subscriptionView } from './coin-subscriber.ts'
import {
  coinSubscription,
  deletedSubscription,
  eventList,
  subscriptionBody,
  subscriptionId,
  subscriptionList,
} from './subscription-schemas.ts'
import { described, success } from './v2-conventions.ts'

export type SubscriptionRouteDeps = SubscriberDeps & {
  /** Undefined if no database stores deliveries. */
  readonly deliveries: CoinDeliveries | undefined
}

const notFound = (): ApiError =>
  new ApiError({
    status: 404,
    code: 'SUBSCRIPTION_NOT_FOUND',
    message: 'This account has no such subscription. See GET /subscriptions for those it has.',
  })

export const eventView = ({ isRetraction, event }: PositionedEvent) => {
  const { accountId: _, createdAt, retractedAt, ...shown } = event
  return {
    type: isRetraction ? ('retracted' as const) : ('reported' as const),
    ...shown,
    createdAt: createdAt.toISOString(),
    retractedAt: retractedAt?.toISOString() ?? null,
  }
}

export const eventCursor = (position: number): string => encodeCursor(position)

const NUMBER = /^(\d{1,15})$/

/** Reads a cursor; undefined without one. */
export function positionOf(cursor: string | undefined, parameter: string): number | undefined {
  if (cursor === undefined) return undefined
  const [position] = decodeCursor(cursor, NUMBER) ?? []
  if (position === undefined) throw invalidCursor('INVALID_PARAMETER', parameter)
  return Number(position)
}

const cursor = z.string().max(512).optional()
const none = z.strictObject({})
const params = z.object({ id: subscriptionId })

const deliveryParams = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER).meta({ example: '1' }) })

export function subscriptionRoutes(instance: FastifyInstance, deps: SubscriptionRouteDeps): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const store = (): Database => subscriptionsOf(deps)

  app.get(
    '/subscriptions',
    {
      schema: {
        ...described('Subscriptions to addresses, wallets and transactions', subscriptionList),
        querystring: z.strictObject({ limit: wholeNumber(1, 1_000).default(100), cursor }),
      },
    },
    async ({ query: { limit, cursor: text }, caller: { accountId, utxoPlan } }) => {
      const before = positionOf(text, 'cursor')
      const found = await getCoinSubscriptions(store(), accountId, { before, limit: limit + 1 })
      const page = found.slice(0, limit)
      return success({
        subscriptions: page.map(subscriptionView),
        subscriptionLimit: UTXO_ALLOWANCES[utxoPlan].subscriptionLimit,
        nextCursor: found.length > limit ? encodeCursor(page.at(-1)?.id ?? 0) : null,
      })
    },
  )
  app.post(
    '/subscriptions',
    {
      schema: {
        ...described(
          'Subscribe to an address, a kept wallet or a transaction. A subscription to the same is changed',
          coinSubscription,
          403,
          404,
        ),
        body: subscriptionBody,
        querystring: none,
      },
    },
    async ({ body, caller }) => success(subscriptionView(await subscribe(deps, body, caller))),
  )
  app.get(
    '/subscriptions/:id',
    { schema: { ...described('A subscription', coinSubscription, 404), params, querystring: none } },
    async ({ params: { id }, caller: { accountId } }) => {
      const found = await findCoinSubscription(store(), accountId, id)
      if (found === undefined) throw notFound()
      return success(subscriptionView(found))
    },
  )
  app.delete(
    '/subscriptions/:id',
    { schema: { ...described('Delete a subscription', deletedSubscription, 404), params, querystring: none } },
    async ({ params: { id }, caller: { accountId } }) => {
      if (!(await deleteCoinSubscription(store(), accountId, id))) throw notFound()
      return success({ id })
    },
  )
  app.get(
    '/events',
    {
      schema: {
        ...described('Events of all subscriptions and their retractions, oldest first', eventList),
        querystring: z.strictObject({ after: cursor, limit: wholeNumber(1, 1_000).default(100) }),
      },
    },
    async ({ query: { after: text, limit }, caller: { accountId } }) => {
      const after = positionOf(text, 'after') ?? 0
      const events = await getCoinEvents(store(), accountId, { after, limit })
      return success({ events: events.map(eventView), nextCursor: eventCursor(events.at(-1)?.position ?? after) })
    },
  )
  app.get(
    '/notifications',
    {
      schema: {
        ...described('Deliveries of events to the channels of the account, newest first', deliveryList),
        querystring: z.strictObject({ limit: wholeNumber(1, 200).default(50), cursor }),
      },
    },
    async ({ query: { limit, cursor: text }, caller: { accountId } }) => {
      const before = positionOf(text, 'cursor')
      const found = (await deps.deliveries?.list(accountId, { before, limit: limit + 1 })) ?? []
      const page = found.slice(0, limit)
      return success({
        notifications: page.map(coinDeliveryView),
        nextCursor: found.length > limit ? encodeCursor(page.at(-1)?.id ?? 0) : null,
      })
    },
  )
  app.get(
    '/notifications/:id/attempts',
    {
      schema: {
        ...described('The last 500 attempts of a delivery, newest first', attemptList, 404),
        params: deliveryParams,
        querystring: none,
      },
    },
    async ({ params: { id }, caller: { accountId } }) => {
      const attempts = await deps.deliveries?.attempts(accountId, id)
      if (attempts !== undefined) return success({ attempts: attempts.map(attemptView) })
      throw new ApiError({
        status: 404,
        code: 'NOTIFICATION_NOT_FOUND',
        message: 'This account has no such delivery. See GET /notifications for those it has.',
      })
    },
  )
}

const deliveryList = z.object({
  notifications: z.array(coinDelivery),
  nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last one'),
})
const attemptList = z.object({ attempts: z.array(deliveryAttempt) })
