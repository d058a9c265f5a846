/**
 * Interface v1: `GET` only, behind a key. Everything the caller can get wrong is refused here. The feed is real;
 * contracts, protocols, subscriptions and deliveries have nothing behind them yet.
 */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type KeyedDeps, keyedGate } from '../../accounts/keyed.ts'
import { ApiError } from '../../lib/api-error.ts'
import { flag, plainText, wholeNumber } from '../../lib/inputs.ts'
import type { Database } from '../../platform/database.ts'
import type { Hex } from '../node/parse.ts'
import { type FeedEvent, getEvents } from '../store/feed.ts'
import { readCursor, writeCursor } from './feed-cursor.ts'
import { address, category, chain, cursor, severity } from './inputs.ts'
import { contractView, envelope, event, protocolView } from './resources.ts'
import { answers, security, tags, V1 } from './v1-interface.ts'
import { v1MeRoutes } from './v1-me-routes.ts'

export type V1Deps = KeyedDeps & { readonly database: Database }

export function v1Routes(deps: V1Deps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', async ({ method }, reply) => {
      reply.header('cache-control', 'no-store')
      if (method !== 'GET') {
        throw new ApiError({
          status: 405,
          code: 'method_not_allowed',
          message: 'Keys read only: use GET.',
          headers: { allow: 'GET' },
        })
      }
    })
    app.addHook('onRequest', keyedGate(deps, V1))
    app.setNotFoundHandler(() => {
      throw new ApiError({ status: 404, code: 'not_found', message: 'There is no such endpoint under /v1; see /docs.' })
    })

    const eventsQuery = z.strictObject({
      chain: chain.optional(),
      address: address.optional(),
      severity: severity.optional().describe('Minimum severity'),
      key: plainText(128).optional().describe('Exact eventKey'),
      category: category.optional(),
      includeInit: flag,
      limit: wholeNumber(1, 200).default(50),
      cursor,
    })
    app.get(
      '/events',
      {
        schema: {
          tags,
          security,
          summary: 'Change feed over all chains, newest first',
          querystring: eventsQuery,
          response: answers(envelope(z.array(event))),
        },
      },
      async ({ query }) => {
        const { chain, address, severity: minSeverity, key, category, includeInit, limit } = query
        const filter = {
          chainId: chain?.id,
          address: address as Hex | undefined,
          minSeverity,
          key,
          category,
          includeInit,
        }
        // One more than asked for tells whether there is a next page.
        const found = await getEvents(deps.database, filter, { after: readCursor(query.cursor), limit: limit + 1 })
        const events = found.slice(0, limit)
        const last = events.at(-1)
        const nextCursor =
          found.length > limit && last !== undefined
            ? writeCursor({ blockTime: last.blockTime.getTime(), id: last.id })
            : null
        return { data: events.map(shownEvent), nextCursor }
      },
    )

    app.get(
      '/contracts/:chain/:address',
      {
        schema: {
          tags,
          security,
          summary: 'One contract',
          params: z.object({ chain, address }),
          querystring: z.strictObject({}),
          response: answers(envelope(contractView)),
        },
      },
      async () => {
        throw new ApiError({
          status: 404,
          code: 'contract_not_found',
          message: 'Nothing is known of this address on this chain.',
        })
      },
    )

    app.get(
      '/protocols/:slug',
      {
        schema: {
          tags,
          security,
          summary: 'A protocol across chains',
          params: z.object({ slug: plainText(128) }),
          querystring: z.strictObject({}),
          response: answers(envelope(protocolView)),
        },
      },
      async () => {
        throw new ApiError({ status: 404, code: 'protocol_not_found', message: 'No protocol has this label or slug.' })
      },
    )

    await app.register(v1MeRoutes(), { prefix: '/me' })
  }
}

const shownEvent = ({ blockTime, args, ...event }: FeedEvent) => ({
  ...event,
  blockTime: blockTime.toISOString(),
  args: args as Record<string, z.core.util.JSONType>,
})
