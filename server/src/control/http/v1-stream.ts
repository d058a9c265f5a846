/** `GET /v1/stream`: the publication order as server-sent events. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { Gauge } from 'prom-client'
import { z } from 'zod'
import { type ApiKeyDeps, findCaller } from '../../accounts/require-api-key.ts'
import { reasonOf } from '../../lib/errors.ts'
import { invalidCursor } from '../../lib/http/cursor.ts'
import {
  createEventStreams,
  eventText,
  HEARTBEAT_MS,
  MAX_STREAMS_PER_ACCOUNT,
  type StreamSource,
} from '../../lib/http/event-stream.ts'
import { stringifyExactly } from '../../lib/json.ts'
import type { Logger } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { PublicationReader, PublicationTail } from '../feed/publication-tail.ts'
import { findPosition, type PublishedEvent, publicationCursor, publishedEventView } from '../feed/publications.ts'
import { feedFilter, responses, streamQuery, tags, V1 } from './params.ts'

export type V1StreamDeps = ApiKeyDeps & {
  readonly log: Logger
  readonly metrics: Metrics
  /** Without it the stream is unavailable. */
  readonly publications?: PublicationTail | undefined
}

const DESCRIPTION = `Sends each event when it is published, and again when a reorg retracts it, in publication order: the order of
\`/v1/events?after=\`, with the same filters, the same data and the same cursors.

\`\`\`
id: cC4xMjM0LjU2Nzg
event: published
data: {"id":5678,"eventKey":"proxy.upgraded",…,"retracted":false}
\`\`\`

\`event\` is \`published\` or \`retracted\`. A retraction carries the event that left the chain: undo what you did for its \`id\`.

Every \`id\` is a cursor. After a lost connection, send the last one as \`Last-Event-ID\`: the stream continues after it, without
a gap and without a repetition. Browsers and most libraries do this on their own. Cursors are kept for at least seven days.

Every ${HEARTBEAT_MS / 1_000} seconds without an event a comment arrives, with the current \`id\`. A stream that is silent for a minute is lost:
connect again. A revoked key ends the stream with an event \`end\`.

Opening a stream counts as one request. An account can keep ${MAX_STREAMS_PER_ACCOUNT} streams open.`

export function v1StreamRoute(instance: FastifyInstance, deps: V1StreamDeps): void {
  const { publications, directory, log } = deps
  const streams = createEventStreams(instance, {
    codes: { tooMany: 'unavailable', tooManyOfAccount: 'too_many_streams' },
    instead: '/v1/events',
  })
  deps.metrics.registerMetric(
    new Gauge({
      name: 'gatewatch_stream_readers',
      help: 'Open connections of GET /v1/stream',
      registers: [],
      collect() {
        this.set(streams.size())
      },
    }),
  )

  instance.withTypeProvider<ZodTypeProvider>().get(
    '/stream',
    {
      schema: {
        tags,
        summary: 'The change feed as server-sent events, in publication order',
        description: DESCRIPTION,
        querystring: streamQuery,
        headers: z.looseObject({
          'last-event-id': z
            .string()
            .max(512, 'must have at most 512 characters')
            .optional()
            .describe('The id of the last event received. Continues after it'),
        }),
        response: {
          ...responses(z.string()),
          200: { description: 'A stream', content: { 'text/event-stream': { schema: z.string() } } },
        },
      },
    },
    async (request, reply) => {
      const { after, ...query } = request.query
      const resumeAfter = request.headers['last-event-id'] ?? ''
      const { accountId } = request.caller
      if (publications === undefined) throw streams.tooMany()
      const key = V1.presentedKey(request)
      return await streams.send(reply, {
        accountId,
        open: async () => {
          const start = resumeAfter === '' ? after : cursorOf(resumeAfter)
          return sourceOf(await publications.open(feedFilter(query), start))
        },
        endCode: async () => {
          const holder = await findCaller(directory, 'v1', key)
          return holder === undefined ? 'invalid_api_key' : V1.planError(request, holder)?.code
        },
        onError: (error) =>
          log.info({ reqId: request.id, reason: reasonOf(error) }, 'a stream ended early; its reader can resume'),
      })
    },
  )
}

/** A `Last-Event-ID` is a cursor, never one of the words that start a reader. */
function cursorOf(lastEventId: string): string {
  if (findPosition(lastEventId) === undefined) throw invalidCursor('invalid_cursor', 'Last-Event-ID')
  return lastEventId
}

/** Publications as the events of a stream. */
export const sourceOf = (reader: PublicationReader): StreamSource => ({
  next: async (wait) => (await reader.next(wait)).map(blockOf),
  currentId: () => publicationCursor(reader.position()),
  close: reader.close,
})

/** Many readers get the same event: its text is made once. */
const blocks = new WeakMap<PublishedEvent, string>()

function blockOf(event: PublishedEvent): string {
  const known = blocks.get(event)
  if (known !== undefined) return known
  const name = event.isRetracted ? 'retracted' : 'published'
  const block = eventText(publicationCursor(event.position), name, stringifyExactly(publishedEventView(event)))
  blocks.set(event, block)
  return block
}
