/**
 * Badge routes: SVG images of a control status, for embedding.
 *
 * Every response is an image, errors included, so that an embedding page never shows a broken one.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { v1Error } from '../../accounts/http/responses.ts'
import { reasonOf } from '../../lib/errors.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { plainText } from '../../lib/http/params.ts'
import { errorResponses } from '../../lib/http/route-responses.ts'
import { isOutage } from '../../platform/errors.ts'
import { type Badge, protocolBadge, renderBadge, shortAddress, themeOf } from '../badge/badge.ts'
import type { BadgeProfiles } from '../views/profile-view.ts'
import { address as addressParam, chain as chainParam } from './params.ts'

export type BadgeDeps = {
  readonly profiles?: BadgeProfiles | undefined
  /** Throws 429 if the client made too many requests. */
  readonly limit: (request: FastifyRequest) => Promise<void>
}

const MAX_AGE_SECONDS = 300
const RETRY_SECONDS = 30
const image = z.string().describe('An SVG image of 250 by 54')
const query = z.looseObject({
  theme: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ documentedAs: { type: 'string', enum: ['light', 'dark'], default: 'light' } }),
})
const response = {
  ...errorResponses(v1Error),
  200: { description: 'The badge; gray if the control is not known', content: { 'image/svg+xml': { schema: image } } },
  400: {
    description: 'An image that states the error; JSON only if the path is malformed',
    content: { 'image/svg+xml': { schema: image }, 'application/json': { schema: v1Error } },
  },
  429: {
    description: 'A gray image: too many requests of this network',
    content: { 'image/svg+xml': { schema: image } },
  },
  503: {
    description: 'A gray image: the database is not available',
    content: { 'image/svg+xml': { schema: image } },
  },
}
const nameParam = plainText(128)
const tags = ['Badges']

export function badgeRoutes({ profiles, limit }: BadgeDeps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.get(
      '/badge/:chain/:address.svg',
      {
        ...imageRoute,
        schema: {
          tags,
          summary: 'The control status of a contract as an image',
          params: z.object({
            chain: z.string().meta({ example: 'ethereum' }),
            address: z.string().meta({ example: '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2' }),
          }),
          querystring: query,
          response,
        },
      },
      async (request, reply) => {
        const { chain: chainText, address: addressText } = request.params
        const chain = chainParam.safeParse(chainText)
        const address = addressParam.safeParse(addressText)
        if (!chain.success) return refuse(request, reply, 'Unknown chain', chainText)
        if (!address.success) return refuse(request, reply, 'Invalid address', addressText)
        try {
          await limit(request)
          const known = await profiles?.findProfile(chain.data.id, address.data)
          return sendBadge(request, reply, {
            label: known?.label ?? 'unknown',
            ...(known === undefined ? {} : { tone: known.tone, power: known.power, leader: known.leader }),
            subject: known?.name ?? shortAddress(address.data),
            detail: chain.data.name,
            stale: known?.stale ?? false,
          })
        } catch (error) {
          return sendUnavailable(error, request, reply)
        }
      },
    )
    app.get(
      '/badge/protocol/:slug.svg',
      {
        ...imageRoute,
        schema: {
          tags,
          summary: "The weakest control status of a protocol's contracts, as an image",
          params: z.object({ slug: z.string().meta({ example: 'aave' }) }),
          querystring: query,
          response,
        },
      },
      async (request, reply) => {
        const { slug } = request.params
        try {
          await limit(request)
          // PostgreSQL rejects some texts, NUL for example. No protocol has such a name.
          const known = nameParam.safeParse(slug).success ? await profiles?.findProtocol(slug) : undefined
          return sendBadge(request, reply, protocolBadge(known?.name ?? slug, known?.contracts ?? []))
        } catch (error) {
          return sendUnavailable(error, request, reply)
        }
      },
    )
  }
}

/** Link checkers and proxies use HEAD. */
const imageRoute = { exposeHeadRoute: true }

function sendUnavailable(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (thrown instanceof ApiError) {
    const svg = renderBadge({ label: 'unknown', text: 'Too many requests', subject: 'Gatewatch' }, themeIn(request))
    return imageReply(reply).code(thrown.status).headers(thrown.headers).header('cache-control', 'no-store').send(svg)
  }
  const facts = { reqId: request.id, route: request.routeOptions.url }
  if (isOutage(thrown)) request.log.info({ ...facts, reason: reasonOf(thrown) }, 'request refused: not available')
  else request.log.error({ ...facts, err: thrown }, 'request failed')
  const svg = renderBadge({ label: 'unknown', text: 'Not available now', subject: 'Gatewatch' }, themeIn(request))
  return imageReply(reply).code(503).header('cache-control', 'no-store').header('retry-after', RETRY_SECONDS).send(svg)
}

const themeIn = ({ query: given }: FastifyRequest) => themeOf((given as { theme?: unknown }).theme)

function sendBadge(request: FastifyRequest, reply: FastifyReply, badge: Badge): FastifyReply {
  const svg = renderBadge(badge, themeIn(request))
  const etag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 27)}"`
  reply.header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`).header('etag', etag)
  const etags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  if (etags.includes(etag) || etags.includes('*')) return imageReply(reply).code(304).send()
  return imageReply(reply).send(svg)
}

function refuse(request: FastifyRequest, reply: FastifyReply, text: string, given: string): FastifyReply {
  const svg = renderBadge({ label: 'unknown', text, subject: given }, themeIn(request))
  return imageReply(reply).code(400).header('cache-control', 'no-store').send(svg)
}

/** Any site may embed the image. */
const imageReply = (reply: FastifyReply): FastifyReply =>
  reply
    .type('image/svg+xml; charset=utf-8')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('access-control-allow-origin', '*')
    .serializer((body: unknown) => String(body))
