/** `/v1` routes: read only, with an API key. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ApiKeyDeps, requireApiKey } from '../../accounts/require-api-key.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { plainText } from '../../lib/http/params.ts'
import type { Queryable } from '../../platform/database.ts'
import { getFeedPage } from '../feed/feed.ts'
import { findContractView } from '../views/contract-view.ts'
import { findProtocolView } from '../views/protocol-view.ts'
import { contractView, envelope, event, protocolView } from '../views/schemas.ts'
import { address, chain, describeKeyCheck, eventsQuery, feedPageRequest, responses, tags, V1 } from './params.ts'
import { v1MeRoutes } from './v1-me-routes.ts'

export type V1Deps = ApiKeyDeps & { readonly database: Queryable }

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
          summary: 'Change feed over all chains, newest first',
          querystring: eventsQuery,
          response: responses(envelope(z.array(event))),
        },
      },
      async ({ query }) => getFeedPage(deps, feedPageRequest(query)),
    )

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
      '/protocols/:slug',
      {
        schema: {
          tags,
          summary: 'A protocol across chains',
          params: z.object({ slug: plainText(128) }),
          querystring: z.strictObject({}),
          response: responses(envelope(protocolView), 404),
        },
      },
      async ({ params: { slug } }) => {
        const data = await findProtocolView(deps, slug)
        if (data !== undefined) return { data, nextCursor: null }
        throw new ApiError({ status: 404, code: 'protocol_not_found', message: 'No protocol has this label or slug.' })
      },
    )

    await app.register(v1MeRoutes(deps), { prefix: '/me' })
  }
}
