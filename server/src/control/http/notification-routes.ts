/** `/me/notifications` routes: delivery records, their attempts, and replays of them. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { meResponses } from '../../accounts/http/responses.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { wholeNumber } from '../../lib/http/params.ts'
import type { Database } from '../../platform/database.ts'
import { replayDelivery } from '../alerts/alert-messages.ts'
import { findDelivery, getAttempts, getDeliveries } from '../alerts/delivery-records.ts'
import { deliveryAttempt } from '../views/schemas.ts'
import { attemptView, deliveryView, idParam, myNotification, notFound, nothing, tags } from './me-schemas.ts'
import { readPaged, UNLIMITED } from './page-cursor.ts'
import { cursor } from './params.ts'

export function notificationRoutes({ database }: { readonly database: Database }) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()

    app.get(
      '/me/notifications',
      {
        schema: {
          tags,
          summary: 'Your alert deliveries, newest first',
          querystring: z.strictObject({ limit: wholeNumber(1, 200).default(50), cursor }),
          response: meResponses(200, z.object({ items: z.array(myNotification), nextCursor: z.string().nullable() })),
        },
      },
      async ({ account, query }) => {
        const { rows, nextCursor } = await readPaged((page) => getDeliveries(database, account.id, page), {
          ...query,
          max: UNLIMITED,
        })
        return { items: rows.map(deliveryView), nextCursor }
      },
    )

    app.get(
      '/me/notifications/:id/attempts',
      {
        schema: {
          tags,
          summary: 'The last 500 attempts of a delivery, newest first',
          params: idParam,
          querystring: nothing,
          response: meResponses(200, z.object({ items: z.array(deliveryAttempt) }), 404),
        },
      },
      async ({ account, params: { id } }) => {
        const attempts = await getAttempts(database, account.id, id)
        if (attempts === undefined) throw notFound('notification')
        return { items: attempts.map(attemptView) }
      },
    )

    app.post(
      '/me/notifications/:id/replay',
      {
        schema: {
          tags,
          summary: 'Sends the message of a past delivery again, to your current channel',
          params: idParam,
          querystring: nothing,
          response: meResponses(202, myNotification, 404, 409),
        },
      },
      async ({ account, params: { id } }, reply) => {
        const outcome = await replayDelivery(database, account.id, id)
        if (outcome === 'not_found') throw notFound('notification')
        if (outcome === 'retracted')
          throw new ApiError({
            status: 409,
            code: 'event_retracted',
            message: 'This event was retracted: its block is no longer part of the chain. It is not sent again.',
          })
        if (outcome === 'no_channel')
          throw new ApiError({
            status: 409,
            code: 'channel_missing',
            message: 'You have no active channel of this kind. Set one up first.',
          })
        // A message in progress is sent anyway.
        const found = await findDelivery(database, account.id, id)
        if (found === undefined) throw notFound('notification')
        reply.status(202)
        return deliveryView(found)
      },
    )
  }
}
