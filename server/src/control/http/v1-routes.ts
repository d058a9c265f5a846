/** `/v1` routes: read only, with an API key. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireApiKey } from '../../accounts/require-api-key.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import type { Queryable } from '../../platform/database.ts'
import { getFeedPage } from '../feed/feed.ts'
import { BEGINNING, getPublicationPage, NOW } from '../feed/publications.ts'
import { findAddressView } from '../views/address-view.ts'
import { findContractView } from '../views/contract-view.ts'
import { findPendingPage } from '../views/pending-view.ts'
import type { ProtocolViews } from '../views/prepared-protocols.ts'
import { addressView, contractView, envelope, feedEvent, pendingChange, protocolView } from '../views/schemas.ts'
import {
  address,
  chain,
  describeKeyCheck,
  feedPageRequest,
  pendingQuery,
  protocolSlug,
  publicationPageRequest,
  responses,
  tags,
  V1,
  v1EventsQuery,
} from './params.ts'
import { requireProtocol, sendProtocol } from './prepared-answer.ts'
import { v1ExportRoutes } from './v1-export.ts'
import { v1MeRoutes } from './v1-me-routes.ts'
import { type V1StreamDeps, v1StreamRoute } from './v1-stream.ts'

export type V1Deps = V1StreamDeps & { readonly database: Queryable; readonly protocols: ProtocolViews }

const POLLING = `Without \`after\`, pages run from the newest block time backwards. An event that is stored late (a backfill, a slower
chain) then appears between events that were read before, so a reader that polls the first page can miss it.

To miss nothing, read forward with \`after\`. Events come in the order in which they were published, oldest first:

1. Start once with \`after=${NOW}\` (new events only) or \`after=${BEGINNING}\` (all stored events).
2. Process \`data\`, then store \`nextCursor\`. It is never null.
3. Call again with \`after\` set to the stored cursor and the same filters. If \`nextCursor\` equals the cursor you sent, you
   have read everything: wait, for example 30 seconds. Otherwise call again at once, also if \`data\` is empty: one call
   examines a limited number of events.

\`retracted\` is true if a reorg removed the event from the chain: undo what you did for the event with this \`id\`, and ignore
it if you never received that event. An event can be published again after its retraction, with the same or another \`id\`.`

const PENDING = `What timelocks, governors, delay modules and Safes are about to do, with the calls decoded as far as their
functions are known. A change is listed if its contract is registered or controls a registered contract. Safe transactions
that wait for signatures are listed on chains with a Safe Transaction Service, if an owner has signed them.

The code of every target is compared with its code at the time of queueing. \`hasChanged\` is true if it differs: the change
may then do something else than what was reviewed.`

export function v1Routes(deps: V1Deps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRoute', describeKeyCheck)
    app.addHook('onRequest', ({ method }, reply, done) => {
      reply.header('cache-control', 'no-store')
      if (method === 'GET') done()
      else
        done(
          new ApiError({
            status: 405,
            code: 'method_not_allowed',
            message: 'API keys are read-only. Use GET.',
            headers: { allow: 'GET' },
          }),
        )
    })
    app.addHook('onRequest', requireApiKey(deps, V1))
    app.setNotFoundHandler(() => {
      throw new ApiError({ status: 404, code: 'not_found', message: 'No such endpoint under /v1. See /docs.' })
    })

    app.get(
      '/events',
      {
        schema: {
          tags,
          summary: 'Change feed over all chains, newest first, or forward in publication order',
          description: POLLING,
          querystring: v1EventsQuery,
          response: responses(envelope(z.array(feedEvent))),
        },
      },
      async ({ query: { after, ...query } }) =>
        after === undefined
          ? getFeedPage(deps, feedPageRequest(query))
          : getPublicationPage(deps, publicationPageRequest(after, query)),
    )

    v1StreamRoute(instance, deps)
    v1ExportRoutes(instance, deps)

    app.get(
      '/contracts/:chain/:address',
      {
        schema: {
          tags,
          summary: 'One contract',
          params: z.object({ chain, address }),
          querystring: z.strictObject({}),
          response: responses(envelope(contractView), 404),
        },
      },
      async ({ params: { chain, address } }) => {
        const data = await findContractView(deps, { chain, address })
        if (data !== undefined) return { data, nextCursor: null }
        throw new ApiError({
          status: 404,
          code: 'contract_not_found',
          message: 'No contract with this address is known on this chain.',
        })
      },
    )

    app.get(
      '/addresses/:chain/:address',
      {
        schema: {
          tags,
          summary: 'What an address can do: itself, as a signer, and through accounts it controls',
          params: z.object({ chain, address }),
          querystring: z.strictObject({}),
          response: responses(envelope(addressView)),
        },
      },
      async ({ params: { chain, address } }) => ({
        data: await findAddressView(deps, { chain, address }),
        nextCursor: null,
      }),
    )

    app.get(
      '/pending',
      {
        schema: {
          tags,
          summary: 'Queued changes, earliest execution first',
          description: PENDING,
          querystring: pendingQuery,
          response: responses(envelope(z.array(pendingChange)), 404),
        },
      },
      async ({ query }) => requireProtocol(await findPendingPage(deps, query)),
    )

    app.get(
      '/protocols/:slug',
      {
        schema: {
          tags,
          summary: 'A protocol across chains',
          params: z.object({ slug: protocolSlug }),
          querystring: z.strictObject({}),
          response: responses(envelope(protocolView), 404),
        },
      },
      async ({ params: { slug } }, reply) => sendProtocol(reply, await deps.protocols.find(slug)),
    )

    await app.register(v1MeRoutes(deps), { prefix: '/me' })
  }
}
