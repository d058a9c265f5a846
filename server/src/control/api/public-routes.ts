/**
 * What the pages of contract control read: the answers of interface v1 without a key, and what only pages need.
 *
 * Written for the web app and changed with it; the contract with everyone else is `/v1`.
 */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type VisitorDeps, visitorGate } from '../../accounts/api/visitors.ts'
import { routeAnswers } from '../../lib/route-answers.ts'
import type { Database } from '../../platform/database.ts'
import { eventsQuery, getFeedPage } from './feed-page.ts'
import type { FeedStream } from './feed-stream.ts'
import { publicStreamRoute } from './public-stream.ts'
import { envelope, event, refusal } from './resources.ts'

export type PublicControlDeps = VisitorDeps & {
  readonly database: Database
  /** Undefined where nobody tells of news. */
  readonly feed?: FeedStream | undefined
}

const tags = ['Web app']
const answers = <Success extends z.ZodType>(success: Success) => routeAnswers(success, refusal)

export function publicControlRoutes(deps: PublicControlDeps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    app.addHook('onRequest', visitorGate(deps, 'rate_limited'))

    app.get(
      '/events',
      {
        schema: {
          tags,
          summary: 'Change feed over all chains, newest first',
          querystring: eventsQuery,
          response: answers(envelope(z.array(event))),
        },
      },
      async ({ query }) => getFeedPage(deps, query),
    )
    publicStreamRoute(instance, deps)
  }
}
