/**
 * The images that messengers show with a link to the page of a contract, a protocol or a coin address.
 *
 * An image is drawn in a thread, one at a time, and kept: a link that many people see is asked for many times.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { ServedChains } from '../coins/serve/served-chain.ts'
import { renderCard } from '../control/badge/card.ts'
import type { BadgeProfiles } from '../control/views/profile-view.ts'
import { ApiError } from '../lib/http/api-error.ts'
import { findCoinPage, findContractPage, findProtocolPage, type PageSubject } from './page-heads.ts'

type CardDeps = {
  readonly profiles: BadgeProfiles
  readonly coins: ServedChains
  /** Throws 429 if the client made too many requests. */
  readonly limit: (request: FastifyRequest) => Promise<void>
}

const MAX_AGE_SECONDS = 300
/** About 30 kB each. */
const KEPT = 200
/** A thread that ends without an image must not hold up the others. */
const PAINT_MS = 10_000
/** More at once are refused: an image takes the CPU for tens of milliseconds. */
const MAX_WAITING = 20

export function cardRoutes({ profiles, coins, limit }: CardDeps) {
  const draw = createPainter()
  const unlisted = { schema: { hide: true }, exposeHeadRoute: true }
  const send = async (request: FastifyRequest, reply: FastifyReply, find: () => Promise<PageSubject | undefined>) => {
    await limit(request)
    const subject = await find()
    if (subject === undefined)
      throw new ApiError({ status: 404, code: 'not_found', message: 'No image: the address or protocol is not known.' })
    const svg = renderCard(subject.card)
    const tag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 22)}"`
    reply.header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`).header('etag', tag)
    if (request.headers['if-none-match'] === tag) return reply.code(304).send()
    return reply.type('image/png').send(await draw(svg))
  }
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Params: { chain: string; address: string } }>(
      '/cards/contracts/:chain/:address.png',
      unlisted,
      (request, reply) =>
        send(request, reply, () => findContractPage(profiles, request.params.chain, request.params.address)),
    )
    app.get<{ Params: { slug: string } }>('/cards/protocols/:slug.png', unlisted, (request, reply) =>
      send(request, reply, () => findProtocolPage(profiles, request.params.slug)),
    )
    app.get<{ Params: { chain: string; address: string } }>(
      '/cards/coins/:chain/:address.png',
      unlisted,
      (request, reply) =>
        send(request, reply, async () => findCoinPage(coins, request.params.chain, request.params.address)),
    )
  }
}

function createPainter(): (svg: string) => Promise<Buffer> {
  const images = new LRUCache<string, Promise<Buffer>>({ max: KEPT })
  const oneAtATime = pLimit(1)
  return (svg) => {
    const known = images.get(svg)
    if (known !== undefined) return known
    if (oneAtATime.pendingCount >= MAX_WAITING)
      throw new ApiError({
        status: 503,
        code: 'unavailable',
        message: 'Too many images wait to be drawn. Try again in a minute.',
      })
    const image = oneAtATime(() => paint(svg))
    images.set(svg, image)
    image.catch(() => images.delete(svg))
    return image
  }
}

async function paint(svg: string): Promise<Buffer> {
  const thread = new Worker(new URL('./page-card-thread.ts', import.meta.url), { workerData: svg })
  try {
    const [png] = (await once(thread, 'message', { signal: AbortSignal.timeout(PAINT_MS) })) as [Uint8Array]
    return Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  } finally {
    await thread.terminate()
  }
}
