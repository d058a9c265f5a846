/** `/feeds` routes: the newest events as Atom and RSS, for feed readers, which send no key. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { v1Error } from '../../accounts/http/responses.ts'
import { limitVisitors, type ThrottleDeps } from '../../accounts/throttling.ts'
import { describeGuard, errorResponses } from '../../lib/http/route-responses.ts'
import type { ReadDatabase } from '../../platform/database.ts'
import { getEvents } from '../feed/feed.ts'
import { findRegistered } from '../registry/contracts.ts'
import { getTokens } from '../registry/tokens.ts'
import type { ProtocolViews } from '../views/prepared-protocols.ts'
import {
  renderSyndication,
  SYNDICATION_FORMATS,
  SYNDICATION_TYPES,
  type Syndication,
  type SyndicationFormat,
} from '../views/syndication.ts'
import { address, chain, feedFilter, feedFilters, protocolSlug } from './params.ts'
import { requireProtocol } from './prepared-answer.ts'

export type SyndicationDeps = ThrottleDeps & {
  readonly database: ReadDatabase
  readonly protocols: ProtocolViews
  readonly publicUrl: string
}

const ENTRIES = 50
const MAX_AGE_SECONDS = 60

export function syndicationRoutes(deps: SyndicationDeps) {
  const { database, publicUrl } = deps
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', limitVisitors(deps, 'rate_limited'))
    app.addHook(
      'onRoute',
      describeGuard(v1Error, () => [429, 503]),
    )
    for (const format of SYNDICATION_FORMATS) {
      const type = SYNDICATION_TYPES[format]
      const described = (summary: string, ...refusals: readonly 404[]) => ({
        tags: ['Feeds'],
        summary: `${summary}, as ${format === 'atom' ? 'Atom' : 'RSS'}`,
        response: {
          ...errorResponses(v1Error, refusals),
          200: { description: `The ${ENTRIES} newest events`, content: { [type]: { schema: z.string() } } },
        },
      })
      app.get(
        `/events.${format}`,
        { schema: { ...described('The newest events that match'), querystring: feedFilters } },
        async (request, reply) => {
          const events = await getEvents(database, feedFilter(request.query), { limit: ENTRIES })
          return send(request, reply, format, { title: 'Gatewatch: control events', page: '/feed', events })
        },
      )
      app.get(
        `/contracts/:chain/:address.${format}`,
        {
          schema: {
            ...described('The newest events of a contract'),
            params: z.object({ chain, address }),
            querystring: z.strictObject({}),
          },
        },
        async (request, reply) => {
          const { chain, address } = request.params
          const filter = { chainId: chain.id, address, includeInit: true }
          const [events, known] = await Promise.all([
            getEvents(database, filter, { limit: ENTRIES }),
            findRegistered(database, { chainId: chain.id, address }),
          ])
          const title = `Gatewatch: ${known?.name ?? address} on ${chain.name}`
          return send(request, reply, format, { title, page: `/contracts/${chain.slug}/${address}`, events })
        },
      )
      app.get(
        `/protocols/:slug.${format}`,
        {
          schema: {
            ...described("The newest events of a protocol's contracts", 404),
            params: z.object({ slug: protocolSlug }),
            querystring: z.strictObject({}),
          },
        },
        async (request, reply) => {
          const { protocol, events } = requireProtocol(await deps.protocols.find(request.params.slug))
          const page = `/protocols/${protocol.slug}`
          return send(request, reply, format, { title: `Gatewatch: ${protocol.label}`, page, events })
        },
      )
    }

    async function send(
      request: FastifyRequest,
      reply: FastifyReply,
      format: SyndicationFormat,
      document: Pick<Syndication, 'title' | 'page' | 'events'>,
    ): Promise<never> {
      const tokenOf = await getTokens(database, document.events)
      const text = renderSyndication(format, { ...document, tokenOf, publicUrl, self: request.url })
      const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
      reply.header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`).header('etag', etag)
      // The type provider knows only the described JSON.
      if (request.headers['if-none-match'] === etag) return reply.code(304).send() as never
      return reply
        .type(`${SYNDICATION_TYPES[format]}; charset=utf-8`)
        .serializer((body: unknown) => String(body))
        .send(text) as never
    }
  }
}
