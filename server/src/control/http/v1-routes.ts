/**
 * Interface v1: `GET` only, behind a key. Everything the caller can get wrong is refused here; the answers themselves
 * are made by `feed-page.ts`, `contract-view.ts` and `protocol-view.ts`.
 */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ApiKeyDeps, requireApiKey } from '../../accounts/require-api-key.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Hex } from '../../lib/hex.ts'
import { plainText } from '../../lib/params.ts'
import type { Queryable } from '../../platform/database.ts'
import { eventsQuery, getFeedPage } from '../feed/feed-page.ts'
import { findContractView } from '../views/contract-view.ts'
import { findProtocolView } from '../views/protocol-view.ts'
import { address, chain } from './inputs.ts'
import { contractView, envelope, event, protocolView } from './resources.ts'
import { answers, security, tags, V1 } from './v1-interface.ts'
import { v1MeRoutes } from './v1-me-routes.ts'

export type V1Deps = ApiKeyDeps & { readonly database: Queryable }

export function v1Routes(deps: V1Deps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', ({ method }, reply, done) => {
      reply.header('cache-control', 'no-store')
      if (method === 'GET') done()
      else
        done(
          new ApiError({
            status: 405,
            code: 'method_not_allowed',
            message: 'Keys read only: use GET.',
            headers: { allow: 'GET' },
          }),
        )
    })
    app.addHook('onRequest', requireApiKey(deps, V1))
    app.setNotFoundHandler(() => {
      throw new ApiError({ status: 404, code: 'not_found', message: 'There is no such endpoint under /v1; see /docs.' })
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
      async ({ query }) => getFeedPage(deps, query),
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
      async ({ params: { chain, address } }) => {
        const data = await findContractView(deps, { chain, address: address as Hex })
        if (data !== undefined) return { data, nextCursor: null }
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
      async ({ params: { slug } }) => {
        const data = await findProtocolView(deps, slug)
        if (data !== undefined) return { data, nextCursor: null }
        throw new ApiError({ status: 404, code: 'protocol_not_found', message: 'No protocol has this label or slug.' })
      },
    )

    await app.register(v1MeRoutes(deps), { prefix: '/me' })
  }
}
