/** `/me/notifications` routes: delivery records, their attempts and contents, and replays of them. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { meResponses } from '../../accounts/http/responses.ts'
import { countRequest } from '../../accounts/throttling.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { jsonObject, wholeNumber } from '../../lib/http/params.ts'
import type { RateLimiter } from '../../platform/counters/rate-limiter.ts'
import type { Database } from '../../platform/database.ts'
import { CHANNEL_KINDS } from '../../platform/deliveries/channel-kinds.ts'
import { deliveryAttempt } from '../../platform/deliveries/delivery-schemas.ts'
import { acknowledgeMessage, findMessageUid } from '../alerts/acknowledgments.ts'
import { loadAlerts } from '../alerts/alert.ts'
import { findMessageOf, MAX_REPLAYED, replayDelivery, replayRange } from '../alerts/alert-messages.ts'
import { findDelivery, getAttempts, getDeliveries } from '../alerts/delivery-records.ts'
import { webhookId, webhookPayload } from '../alerts/webhook-payload.ts'
import {
  attemptView,
  channelKind,
  deliveryView,
  idParam,
  myNotification,
  notFound,
  nothing,
  tags,
} from './me-schemas.ts'
import { readPaged, UNLIMITED } from './page-cursor.ts'
import { cursor } from './params.ts'

export type NotificationRouteDeps = {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
  readonly rateLimiter: RateLimiter
}

/** A time in a request, with or without milliseconds. */
const timeOf = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-15T00:00:00Z' })

const REPLAY_LIMIT = { perWindow: 10, windowMs: 600_000, perMonth: null }

export function notificationRoutes(deps: NotificationRouteDeps) {
  const { database, publicUrl } = deps
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

    app.get(
      '/me/notifications/:id/payload',
      {
        schema: {
          tags,
          summary:
            'The content of a delivery as a webhook sends it now. The state of the contracts may have changed since',
          params: idParam,
          querystring: nothing,
          response: meResponses(200, z.object({ id: z.string().describe('webhook-id'), payload: jsonObject }), 404),
        },
      },
      async ({ account, params: { id } }) => {
        const message = await findMessageOf(database, account.id, id)
        const original = { retracts: null, retractsUid: null, retractsWhole: false }
        const [alert] =
          message === undefined ? [] : await loadAlerts({ database, publicUrl }, [{ ...message, ...original }])
        if (alert === undefined) throw notFound('notification')
        return { id: webhookId(alert), payload: { ...webhookPayload(alert) } }
      },
    )

    app.post(
      '/me/notifications/:id/acknowledge',
      {
        schema: {
          tags,
          summary: 'States that you have seen an alert, for all your channels',
          params: idParam,
          querystring: nothing,
          response: meResponses(200, myNotification, 404),
        },
      },
      async ({ account, params: { id } }) => {
        // Deliveries of coin events are listed by /me/coins/notifications.
        if ((await findDelivery(database, account.id, id)) === undefined) throw notFound('notification')
        const uid = await findMessageUid(database, account.id, id)
        if (uid !== undefined) await acknowledgeMessage(database, uid, account.email)
        const found = await findDelivery(database, account.id, id)
        if (found === undefined) throw notFound('notification')
        return deliveryView(found)
      },
    )

    app.post(
      '/me/notifications/replay',
      {
        schema: {
          tags,
          summary: `Sends the messages of a time range again, at most ${MAX_REPLAYED} of them, oldest first`,
          querystring: nothing,
          body: z
            .strictObject({
              from: timeOf,
              to: timeOf,
              channels: z
                .array(channelKind)
                .min(1)
                .default([...CHANNEL_KINDS]),
              statuses: z
                .array(z.enum(['sent', 'failed']))
                .min(1)
                .default(['failed']),
            })
            .refine(({ from, to }) => Date.parse(from) < Date.parse(to), 'from must be before to')
            .meta({ example: { from: '2026-11-15T00:00:00Z', to: '2026-11-16T00:00:00Z' } }),
          response: meResponses(202, z.object({ queued: z.int() }), 429),
        },
      },
      async ({ account, body: { from, to, ...rest } }, reply) => {
        await countRequest(
          deps,
          { subject: `replays ${account.id}`, ...REPLAY_LIMIT },
          (seconds) => `Too many replays requested. Retry in ${seconds} seconds.`,
        )
        const range = { from: new Date(from), to: new Date(to), ...rest }
        reply.status(202)
        return { queued: await replayRange(database, account.id, range) }
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
        const known = await findDelivery(database, account.id, id)
        const outcome = known === undefined ? 'not_found' : await replayDelivery(database, account.id, id)
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
