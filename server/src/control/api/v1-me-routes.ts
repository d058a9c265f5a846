/** `/v1/me`: what the key's owner subscribed to and what was delivered. Nothing is behind them yet. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ApiError } from '../../lib/api-error.ts'
import { wholeNumber } from '../../lib/inputs.ts'
import { cursor } from './inputs.ts'
import { delivery, envelope, subscription } from './resources.ts'
import { answers, security, tags } from './v1-interface.ts'

export function v1MeRoutes() {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    const page = (most: number, usual: number) => z.strictObject({ limit: wholeNumber(1, most).default(usual), cursor })
    app.get(
      '/subscriptions',
      {
        schema: {
          tags,
          security,
          summary: "The key owner's subscriptions",
          querystring: page(500, 500),
          response: answers(envelope(z.array(subscription))),
        },
      },
      async ({ query }) => {
        refuseForeignCursor(query.cursor)
        return { data: [], nextCursor: null }
      },
    )
    app.get(
      '/notifications',
      {
        schema: {
          tags,
          security,
          summary: "The key owner's alert deliveries, newest first",
          querystring: page(500, 100),
          response: answers(envelope(z.array(delivery))),
        },
      },
      async ({ query }) => {
        refuseForeignCursor(query.cursor)
        return { data: [], nextCursor: null }
      },
    )
  }
}

/** Only we make cursors, and an empty list has no next page: whatever was sent is not ours. */
function refuseForeignCursor(cursor: string | undefined): void {
  if (cursor !== undefined)
    throw new ApiError({
      status: 400,
      code: 'invalid_cursor',
      message: 'cursor: must be the nextCursor of an earlier answer',
    })
}
