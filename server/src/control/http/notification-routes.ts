/** `/me/notifications`: what was delivered, and once more where asked. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { meResponses } from '../../accounts/http/responses.ts'
import { ApiError } from '../../lib/api-error.ts'
import { wholeNumber } from '../../lib/params.ts'
import type { Database } from '../../platform/database.ts'
import { replayDelivery } from '../alerts/alert-messages.ts'
import { findDelivery, getDeliveries } from '../alerts/delivery-records.ts'
import { cursor } from './inputs.ts'
import { idParam, myNotification, nothing, notThere, shownDelivery, tags } from './me-resources.ts'
import { ENDLESS, readPaged } from './page-cursor.ts'

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
          most: ENDLESS,
        })
        return { items: rows.map(shownDelivery), nextCursor }
      },
    )

    app.post(
      '/me/notifications/:id/replay',
      {
        schema: {
          tags,
          summary: 'Sends the message of a past delivery once more, to where you are reached now',
          params: idParam,
          querystring: nothing,
          response: meResponses(202, myNotification),
        },
      },
      async ({ account, params: { id } }, reply) => {
        const outcome = await replayDelivery(database, account.id, id)
        if (outcome === 'not_found') throw notThere('notification')
        if (outcome === 'retracted')
          throw new ApiError({
            status: 409,
            code: 'event_retracted',
            message: 'The block of this event left the chain: it did not happen, and is not sent again.',
          })
        if (outcome === 'no_channel')
          throw new ApiError({
            status: 409,
            code: 'channel_missing',
            message: 'You have no working channel of this kind now; set one up first.',
          })
        // What is under way is sent anyway.
        const found = await findDelivery(database, account.id, id)
        if (found === undefined) throw notThere('notification')
        reply.status(202)
        return shownDelivery(found)
      },
    )
  }
}
