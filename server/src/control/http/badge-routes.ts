/**
 * Badges: public pictures of a control status, for pages of other people.
 *
 * Every answer is a picture, refusals included, and nothing a page embeds ever breaks it: what is not known is grey.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Label } from '../../../../vocabulary/labels.ts'
import { refusal } from '../../accounts/http/responses.ts'
import { plainText } from '../../lib/params.ts'
import { refusals } from '../../lib/route-answers.ts'
import { type Badge, protocolBadge, renderBadge, shortAddress, themeOf } from '../badge/badge.ts'
import { address as addressInput, chain as chainInput } from './inputs.ts'

export type KnownProfile = { readonly label: Label; readonly stale: boolean; readonly name?: string | undefined }
export type KnownProtocol = { readonly name: string; readonly labels: readonly Label[] }

/** Where profiles come from: the store of the poller. */
export type ProfileSource = {
  readonly findProfile: (chainId: number, address: string) => Promise<KnownProfile | undefined>
  /** By label or slug, in any case. */
  readonly findProtocol: (slug: string) => Promise<KnownProtocol | undefined>
}

export type BadgeDeps = { readonly profiles?: ProfileSource | undefined }

const MAX_AGE_SECONDS = 300
const AWAY_SECONDS = 30
const picture = z.string().describe('An SVG image of 250 by 54')
const query = z.looseObject({
  theme: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ shownAs: { type: 'string', enum: ['light', 'dark'], default: 'light' } }),
})
const response = {
  ...refusals(refusal),
  200: { description: 'The badge; grey where nothing is known', content: { 'image/svg+xml': { schema: picture } } },
  400: {
    description: 'A picture that names the fault; as JSON only where the path itself cannot be read',
    content: { 'image/svg+xml': { schema: picture }, 'application/json': { schema: refusal } },
  },
  503: {
    description: 'A grey picture: the store cannot be asked at the moment',
    content: { 'image/svg+xml': { schema: picture } },
  },
}
const nameInput = plainText(128)
const tags = ['Badges']

export function badgeRoutes({ profiles }: BadgeDeps) {
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    app.get(
      '/badge/:chain/:address.svg',
      {
        ...asPicture,
        schema: {
          tags,
          summary: 'The control status of a contract as an image',
          params: z.object({ chain: z.string(), address: z.string() }),
          querystring: query,
          response,
        },
      },
      async (request, reply) => {
        const { chain: chainText, address: addressText } = request.params
        const chain = chainInput.safeParse(chainText)
        const address = addressInput.safeParse(addressText)
        if (!chain.success) return refuse(request, reply, 'Unknown chain', chainText)
        if (!address.success) return refuse(request, reply, 'Invalid address', addressText)
        try {
          const known = await profiles?.findProfile(chain.data.id, address.data)
          return answer(request, reply, {
            label: known?.label ?? 'unknown',
            subject: known?.name ?? shortAddress(address.data),
            detail: chain.data.name,
            stale: known?.stale ?? false,
          })
        } catch (error) {
          return tellAway(error, request, reply)
        }
      },
    )
    app.get(
      '/badge/protocol/:slug.svg',
      {
        ...asPicture,
        schema: {
          tags,
          summary: "The control status of a protocol's contracts as an image: the weakest names it",
          params: z.object({ slug: z.string() }),
          querystring: query,
          response,
        },
      },
      async (request, reply) => {
        const { slug } = request.params
        // What no name can be, none has: PostgreSQL knows no NUL.
        try {
          const known = nameInput.safeParse(slug).success ? await profiles?.findProtocol(slug) : undefined
          return answer(request, reply, protocolBadge(known?.name ?? slug, known?.labels ?? []))
        } catch (error) {
          return tellAway(error, request, reply)
        }
      },
    )
  }
}

/** Programs that check links and proxies ask with HEAD. */
const asPicture = { exposeHeadRoute: true }

/** Where the store cannot be asked a page must not show a broken image, and soon it asks again. */
function tellAway(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.error({ reqId: request.id, err: thrown, route: request.routeOptions.url }, 'request failed')
  const svg = renderBadge({ label: 'unknown', text: 'Not available now', subject: 'Gatewatch' }, themeIn(request))
  return pictureOf(reply).code(503).header('cache-control', 'no-store').header('retry-after', AWAY_SECONDS).send(svg)
}

const themeIn = ({ query: given }: FastifyRequest) => themeOf((given as { theme?: unknown }).theme)

function answer(request: FastifyRequest, reply: FastifyReply, badge: Badge): FastifyReply {
  const svg = renderBadge(badge, themeIn(request))
  const etag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 27)}"`
  reply.header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`).header('etag', etag)
  const asked = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  if (asked.includes(etag) || asked.includes('*')) return pictureOf(reply).code(304).send()
  return pictureOf(reply).send(svg)
}

function refuse(request: FastifyRequest, reply: FastifyReply, text: string, given: string): FastifyReply {
  const svg = renderBadge({ label: 'unknown', text, subject: given }, themeIn(request))
  return pictureOf(reply).code(400).header('cache-control', 'no-store').send(svg)
}

/** Pages of anyone may show it; a picture sends nothing and runs nothing. */
const pictureOf = (reply: FastifyReply): FastifyReply =>
  reply
    .type('image/svg+xml; charset=utf-8')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('access-control-allow-origin', '*')
    .serializer((body: unknown) => String(body))
