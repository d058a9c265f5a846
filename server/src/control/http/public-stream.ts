/** Streams the feed as server-sent events: `published` with an event, `retracted` with the id of an event. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { v1Error } from '../../accounts/http/responses.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { clientAddress, customerNetwork } from '../../lib/http/client-address.ts'
import { errorResponses } from '../../lib/http/route-responses.ts'
import { stringifyExactly } from '../../lib/json.ts'
import type { FeedStream } from '../feed/feed-stream.ts'
import { eventView } from '../registry/control-event.ts'

/** Proxies close connections that are idle for a minute. */
const KEEPALIVE_MS = 20_000
/** A client that does not read is disconnected. */
const MAX_UNREAD_BYTES = 1_000_000

export function publicStreamRoute(app: FastifyInstance, { feed }: { readonly feed?: FeedStream | undefined }): void {
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of open) end()
  })
  app.get(
    '/stream',
    {
      schema: {
        tags: ['Web app'],
        summary: 'Published and retracted events, as server-sent events',
        querystring: z.strictObject({}),
        response: {
          200: { description: 'A stream', content: { 'text/event-stream': { schema: z.string() } } },
          ...errorResponses(v1Error, [503]),
        },
      },
    },
    (request, reply) => {
      const send = (name: string, data: unknown) => {
        if (reply.raw.writableLength > MAX_UNREAD_BYTES) reply.raw.destroy()
        else reply.raw.write(`event: ${name}\ndata: ${stringifyExactly(data)}\n\n`)
      }
      const leave = feed?.join(customerNetwork(clientAddress(request)), ({ published, retracted }) => {
        for (const { id } of retracted) send('retracted', { id })
        // Oldest first.
        for (const event of published.toReversed()) send('published', eventView(event))
      })
      if (leave === undefined) {
        const message = 'Too many pages are connected. Reload the page to see new events.'
        throw new ApiError({ status: 503, code: 'unavailable', message, headers: { 'retry-after': '60' } })
      }
      reply.hijack()
      const timer = setInterval(() => reply.raw.write(': keepalive\n\n'), KEEPALIVE_MS)
      const end = () => {
        clearInterval(timer)
        leave()
        open.delete(end)
        reply.raw.end()
      }
      open.add(end)
      reply.raw.on('close', end)
      for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
      reply.raw.write('retry: 3000\n\n')
    },
  )
}
