/** `/v1/me` routes: subscriptions and deliveries of the account that owns the API key. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { wholeNumber } from '../../lib/http/params.ts'
import type { Queryable } from '../../platform/database.ts'
import { deliveryAttempt } from '../../platform/deliveries/delivery-schemas.ts'
import { getAttempts, getDeliveries } from '../alerts/delivery-records.ts'
import { getSubscribedContracts, type SubscribedContract } from '../alerts/subscriptions.ts'
import { delivery, subscription } from '../views/alert-schemas.ts'
import { envelope } from '../views/schemas.ts'
import { attemptView, deliveryView, idParam, notFound } from './me-schemas.ts'
import { readPaged, UNLIMITED } from './page-cursor.ts'
import { cursor, responses, tags } from './params.ts'

/** Older events are in the events feed. */
const MAX_DELIVERIES = 500

export function v1MeRoutes({ database }: { readonly database: Queryable }) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    const page = (max: number, initial: number) =>
      z.strictObject({ limit: wholeNumber(1, max).default(initial), cursor })
    app.get(
      '/subscriptions',
      {
        schema: {
          tags,
          summary: "The key owner's subscriptions",
          description:
            'One entry for each contract. The entries of a subscription to a protocol have the same id, by which `/me/subscriptions` manages it.',
          querystring: page(500, 500),
          response: responses(envelope(z.array(subscription))),
        },
      },
      async ({ query, caller }) => {
        const { rows, nextCursor } = await readPaged(
          (page) => getSubscribedContracts(database, caller.accountId, page),
          { ...query, max: UNLIMITED },
        )
        return { data: rows.map(subscribedContractView), nextCursor }
      },
    )
    app.get(
      '/notifications',
      {
        schema: {
          tags,
          summary: "The key owner's alert deliveries, newest first",
          querystring: page(MAX_DELIVERIES, 100),
          response: responses(envelope(z.array(delivery))),
        },
      },
      async ({ query, caller }) => {
        const { rows, nextCursor } = await readPaged((page) => getDeliveries(database, caller.accountId, page), {
          ...query,
          max: MAX_DELIVERIES,
        })
        return { data: rows.map(deliveryView), nextCursor }
      },
    )
    app.get(
      '/notifications/:id/attempts',
      {
        schema: {
          tags,
          summary: 'The last 500 attempts of a delivery, newest first',
          params: idParam,
          querystring: z.strictObject({}),
          response: responses(envelope(z.array(deliveryAttempt)), 404),
        },
      },
      async ({ params: { id }, caller }) => {
        const attempts = await getAttempts(database, caller.accountId, id)
        if (attempts === undefined) throw notFound('notification')
        return { data: attempts.map(attemptView), nextCursor: null }
      },
    )
  }
}

const subscribedContractView = ({ subscription: row }: SubscribedContract) => ({
  id: row.id,
  chainId: row.chainId ?? 0,
  chainSlug: row.chainSlug ?? '',
  address: row.address ?? '',
  source: row.source,
  minSeverity: row.minSeverity,
  channels: row.channels,
  createdAt: row.createdAt.toISOString(),
  pausedAt: row.pausedAt?.toISOString() ?? null,
  contract: row.contract ?? { name: null, protocol: null, kind: null },
})
