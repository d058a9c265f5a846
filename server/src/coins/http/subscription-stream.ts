/** `GET /api/v2/stream`: the events of the account's subscriptions as server-sent events. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ApiKeyDeps, findCaller } from '../../accounts/require-api-key.ts'
import { reasonOf } from '../../lib/errors.ts'
import {
  createEventStreams,
  eventText,
  HEARTBEAT_MS,
  MAX_STREAMS_PER_ACCOUNT,
  type StreamSource,
} from '../../lib/http/event-stream.ts'
import { stringifyExactly } from '../../lib/json.ts'
import type { CoinEventReader, CoinEventTail } from '../subscriptions/event-tail.ts'
import { eventCursor, eventView, positionOf } from './subscription-routes.ts'
import { described, V2 } from './v2-conventions.ts'

export type SubscriptionStreamDeps = Pick<ApiKeyDeps, 'directory'> & {
  /** Without it the stream is unavailable. */
  readonly coinEvents?: CoinEventTail | undefined
}

const DESCRIPTION = `Sends each event of the account's subscriptions when it is stored, and again when it is retracted: the order, the data and the cursors of
\`/api/v2/events\`. \`event\` is \`reported\` or \`retracted\`.

Every \`id\` is a cursor. After a lost connection, send the last one as \`Last-Event-ID\`: the stream continues after it, without
a gap and without a repetition.

Every ${HEARTBEAT_MS / 1_000} seconds without an event a comment arrives, with the current \`id\`. A revoked key ends the stream with an event \`end\`.
Opening a stream counts as one request. An account can keep ${MAX_STREAMS_PER_ACCOUNT} streams open.`

const cursor = z.string().max(512, 'must have at most 512 characters').optional()

export function subscriptionStreamRoute(
  instance: FastifyInstance,
  { coinEvents, directory }: SubscriptionStreamDeps,
): void {
  const streams = createEventStreams(instance, {
    codes: { tooMany: 'UNAVAILABLE', tooManyOfAccount: 'TOO_MANY_STREAMS' },
    instead: '/api/v2/events',
  })
  const { response, ...description } = described('Events of subscriptions as server-sent events', z.string())
  instance.withTypeProvider<ZodTypeProvider>().get(
    '/stream',
    {
      schema: {
        ...description,
        description: DESCRIPTION,
        querystring: z.strictObject({
          after: cursor.describe('A cursor of /api/v2/events; by default the stream starts with the next event'),
        }),
        headers: z.looseObject({
          'last-event-id': cursor.describe('The id of the last event received. Continues after it'),
        }),
        response: {
          ...response,
          200: { description: 'A stream', content: { 'text/event-stream': { schema: z.string() } } },
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      const resumeAfter = request.headers['last-event-id']
      const after =
        resumeAfter === undefined || resumeAfter === ''
          ? positionOf(request.query.after, 'after')
          : positionOf(resumeAfter, 'Last-Event-ID')
      if (coinEvents === undefined) throw streams.tooMany()
      const key = V2.presentedKey(request)
      return await streams.send(reply, {
        accountId,
        open: async () => sourceOf(await coinEvents.open(accountId, after)),
        endCode: async () => ((await findCaller(directory, 'v2', key)) === undefined ? 'INVALID_API_KEY' : undefined),
        onError: (error) =>
          request.log.info({ reason: reasonOf(error) }, 'a stream ended early; its reader can resume'),
      })
    },
  )
}

const sourceOf = (reader: CoinEventReader): StreamSource => ({
  next: async (wait) =>
    (await reader.next(wait)).map((positioned) => {
      const view = eventView(positioned)
      return eventText(eventCursor(positioned.position), view.type, stringifyExactly(view))
    }),
  currentId: () => eventCursor(reader.position()),
  close: () => undefined,
})
