/** `GET /v1/stream`: the publication order as server-sent events. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { Gauge } from 'prom-client'
import { z } from 'zod'
import { type ApiKeyDeps, findCaller } from '../../accounts/require-api-key.ts'
import { reasonOf } from '../../lib/errors.ts'
import { ApiError, tooManyRequests } from '../../lib/http/api-error.ts'
import { invalidCursor } from '../../lib/http/cursor.ts'
import { stringifyExactly } from '../../lib/json.ts'
import type { Logger } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { PublicationReader, PublicationTail } from '../feed/publication-tail.ts'
import { BEGINNING, NOW, type PublishedEvent, publicationCursor, publishedEventView } from '../feed/publications.ts'
import { feedFilter, responses, streamQuery, tags, V1 } from './params.ts'

export type V1StreamDeps = ApiKeyDeps & {
  readonly log: Logger
  readonly metrics: Metrics
  /** Without it the stream is unavailable. */
  readonly publications?: PublicationTail | undefined
}

/** Proxies close connections that are idle for a minute. */
const HEARTBEAT_MS = 15_000
const RECONNECT_MS = 3_000
/** Every stream holds a socket. */
const MAX_STREAMS = 2_000
const MAX_STREAMS_PER_ACCOUNT = 20
/** Bytes that wait for a reader that is slower than the events. */
const MAX_UNREAD_BYTES = 64 * 1024

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
  const open = new Map<AbortController, string>()
  deps.metrics.registerMetric(
    new Gauge({
      name: 'gatewatch_stream_readers',
      help: 'Open connections of GET /v1/stream',
      registers: [],
      collect() {
        this.set(open.size)
      },
    }),
  )
  instance.addHook('preClose', async () => {
    for (const stream of open.keys()) stream.abort()
  })
  const countOf = (accountId: string): number =>
    open.values().reduce((count, other) => count + Number(other === accountId), 0)

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
      if (countOf(accountId) >= MAX_STREAMS_PER_ACCOUNT)
        throw tooManyRequests({
          code: 'too_many_streams',
          message: `An account can keep ${MAX_STREAMS_PER_ACCOUNT} streams open. Close one first.`,
          retryAfterSeconds: 60,
        })
      if (publications === undefined || open.size >= MAX_STREAMS)
        throw new ApiError({
          status: 503,
          code: 'unavailable',
          message: 'Too many streams are open. Retry in a minute, or poll /v1/events with after.',
          headers: { 'retry-after': '60' },
        })
      const stopped = new AbortController()
      open.set(stopped, accountId)
      const close = () => open.delete(stopped)
      try {
        const start = resumeAfter === '' ? after : cursorOf(resumeAfter)
        const reader = await publications.open(feedFilter(query), start)
        const key = V1.presentedKey(request)
        const mayRead = async () => {
          const holder = await findCaller(directory, 'v1', key)
          return holder !== undefined && V1.planError(request, holder) === undefined
        }
        const onError = (error: unknown) =>
          log.info({ reqId: request.id, reason: reasonOf(error) }, 'a stream ended early; its reader can resume')
        reply.raw.once('close', () => stopped.abort())
        const stream = Readable.from(
          streamChunks(reader, { signal: stopped.signal, mayRead, heartbeatMs: HEARTBEAT_MS, onError }),
          { objectMode: false, highWaterMark: MAX_UNREAD_BYTES },
        )
        stream.once('close', () => {
          stopped.abort()
          reader.close()
          close()
        })
        return await reply
          .type('text/event-stream; charset=utf-8')
          .header('x-accel-buffering', 'no')
          // A stop of the service ends the stream and must not wait for an idle connection.
          .header('connection', 'close')
          .send(stream as never)
      } catch (error) {
        close()
        throw error
      }
    },
  )
}

/** A `Last-Event-ID` is a cursor, never one of the words that start a reader. */
function cursorOf(lastEventId: string): string {
  if ([BEGINNING, NOW].includes(lastEventId)) throw invalidCursor('invalid_cursor', 'Last-Event-ID')
  return lastEventId
}

type StreamOptions = {
  readonly signal: AbortSignal
  /** Whether the key is still active. */
  readonly mayRead: () => Promise<boolean>
  readonly heartbeatMs: number
  readonly onError: (error: unknown) => void
}

/** The text of a stream. Nothing is read before the client has taken what was sent. */
export async function* streamChunks(
  reader: PublicationReader,
  { signal, mayRead, heartbeatMs: waitMs, onError }: StreamOptions,
): AsyncGenerator<string> {
  const currentId = () => `id: ${publicationCursor(reader.position())}\n\n`
  yield `retry: ${RECONNECT_MS}\n${currentId()}`
  try {
    for (;;) {
      const events = await reader.next({ signal, waitMs })
      if (signal.aborted) return
      if (!(await mayRead())) {
        yield 'event: end\ndata: {"code":"invalid_api_key"}\n\n'
        return
      }
      yield events.length === 0 ? `: heartbeat\n${currentId()}` : events.map(blockOf).join('')
    }
  } catch (error) {
    onError(error)
  }
}

/** Many readers get the same event: its text is made once. */
const blocks = new WeakMap<PublishedEvent, string>()

function blockOf(event: PublishedEvent): string {
  const known = blocks.get(event)
  if (known !== undefined) return known
  const name = event.isRetracted ? 'retracted' : 'published'
  const block = `id: ${publicationCursor(event.position)}\nevent: ${name}\ndata: ${stringifyExactly(publishedEventView(event))}\n\n`
  blocks.set(event, block)
  return block
}
