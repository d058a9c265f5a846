/**
 * What the pages of contract control read: the answers of interface v1 without a key, and what only pages need.
 *
 * Written for the web app and changed with it; the contract with everyone else is `/v1`.
 */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { refusal } from '../../accounts/http/responses.ts'
import { limitVisitors, type ThrottleDeps } from '../../accounts/throttling.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { Hex } from '../../lib/hex.ts'
import { plainText } from '../../lib/params.ts'
import { routeAnswers } from '../../lib/route-answers.ts'
import type { ReadDatabase } from '../../platform/database.ts'
import { eventsQuery, getFeedPage } from '../feed/feed-page.ts'
import type { FeedStream } from '../feed/feed-stream.ts'
import { findContractView } from '../views/contract-view.ts'
import { findProtocolView } from '../views/protocol-view.ts'
import { findControlPage, getNames, getOverview, getProtocolList, search } from '../views/public-answers.ts'
import { address, chain } from './inputs.ts'
import { control, knownName, listedProtocol, overview, searchResults } from './public-resources.ts'
import { publicStreamRoute } from './public-stream.ts'
import { contractView, envelope, event, protocolView } from './resources.ts'

export type PublicControlDeps = ThrottleDeps & {
  readonly database: ReadDatabase
  /** Undefined where nobody tells of news. */
  readonly feed?: FeedStream | undefined
}

const described = <Success extends z.ZodType>(summary: string, success: Success) => ({
  tags: ['Web app'],
  summary,
  response: routeAnswers(envelope(success), refusal),
})
const nothing = z.strictObject({})

/** One object in the envelope of the interface. */
function only<Data>(data: Data | undefined, code: string, message: string): { data: Data; nextCursor: null } {
  if (data === undefined) throw new ApiError({ status: 404, code, message })
  return { data, nextCursor: null }
}
const NO_CONTRACT = ['contract_not_found', 'Nothing is known of this address on this chain.'] as const

export function publicControlRoutes(deps: PublicControlDeps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    app.addHook('onRequest', limitVisitors(deps, 'rate_limited'))

    const ofContract = { params: z.object({ chain, address }), querystring: nothing }
    app.get(
      '/events',
      {
        schema: { ...described('Change feed over all chains, newest first', z.array(event)), querystring: eventsQuery },
      },
      async ({ query }) => getFeedPage(deps, query),
    )
    app.get(
      '/overview',
      { schema: { ...described('What is watched, and what happened within a day', overview), querystring: nothing } },
      async () => ({ data: await getOverview(deps), nextCursor: null }),
    )
    app.get(
      '/contracts/:chain/:address',
      { schema: { ...described('One contract', contractView), ...ofContract } },
      async ({ params: { chain, address } }) =>
        only(await findContractView(deps, { chain, address: address as Hex }), ...NO_CONTRACT),
    )
    app.get(
      '/contracts/:chain/:address/control',
      { schema: { ...described('Who controls a contract, and how that changed', control), ...ofContract } },
      async ({ params: { chain, address } }) =>
        only(await findControlPage(deps, { chainId: chain.id, address: address as Hex }), ...NO_CONTRACT),
    )
    app.get(
      '/names',
      {
        schema: {
          ...described('What people call the contracts under watch', z.array(knownName)),
          querystring: nothing,
        },
      },
      async () => ({ data: await getNames(deps), nextCursor: null }),
    )
    app.get(
      '/protocols',
      { schema: { ...described('All protocols', z.array(listedProtocol)), querystring: nothing } },
      async () => ({ data: await getProtocolList(deps), nextCursor: null }),
    )
    app.get(
      '/protocols/:slug',
      {
        schema: {
          ...described('A protocol across chains', protocolView),
          params: z.object({ slug: plainText(128) }),
          querystring: nothing,
        },
      },
      async ({ params: { slug } }) =>
        only(await findProtocolView(deps, slug), 'protocol_not_found', 'No protocol has this label or slug.'),
    )
    app.get(
      '/search',
      {
        schema: {
          ...described('Contracts, protocols and transactions', searchResults),
          querystring: z.strictObject({ q: plainText(128) }),
        },
      },
      async ({ query }) => ({ data: await search(deps, query.q), nextCursor: null }),
    )
    publicStreamRoute(instance, deps)
  }
}
