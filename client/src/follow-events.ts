/** Follows the change feed without missing an event. */
import type { GatewatchClient, Schemas } from './client.ts'
import { ResponseError } from './response-error.ts'
import { pause } from './retry.ts'
import type { paths } from './schema.ts'

type EventsQuery = NonNullable<paths['/v1/events']['get']['parameters']['query']>

export type FollowOptions = {
  /** The cursor that was stored last, `now` (the default) or `beginning`. */
  readonly after?: string
  /** The filters of `/v1/events`. They must stay the same for a cursor. */
  readonly filters?: Omit<EventsQuery, 'after' | 'cursor' | 'limit'>
  /** The pause after everything was read, in milliseconds. The default is 30 seconds. */
  readonly pollMs?: number
  /** Ends the iteration. */
  readonly signal?: AbortSignal
}

/** Events in publication order. Store `cursor` once they are processed, and pass it as `after` to continue later. */
export type FollowedEvents = { readonly events: readonly Schemas['FeedEvent'][]; readonly cursor: string }

const POLL_MS = 30_000

/**
 * Yields published and retracted events as they come, until `signal` aborts. After a rate limit it waits as long as the
 * service asks for.
 *
 *     for await (const { events, cursor } of followEvents(client, { after: stored })) {
 *       for (const event of events) event.retracted ? undo(event.id) : handle(event)
 *       await store(cursor)
 *     }
 */
export async function* followEvents(
  client: GatewatchClient,
  { after = 'now', filters = {}, pollMs = POLL_MS, signal }: FollowOptions = {},
): AsyncGenerator<FollowedEvents, void, undefined> {
  const isAborted = (): boolean => signal?.aborted === true
  for (let cursor = after; !isAborted(); ) {
    const { data, error, response } = await client.GET('/v1/events', {
      params: { query: { ...filters, limit: 200, after: cursor } },
    })
    // A refusal without a body has no error either.
    if (data === undefined) {
      const seconds = Number(response.headers.get('retry-after'))
      if (response.status !== 429 || !(seconds > 0)) throw new ResponseError(response.status, error)
      await pause(seconds * 1_000, signal)
      continue
    }
    const next = data.nextCursor ?? cursor
    if (next === cursor) {
      await pause(pollMs, signal)
      continue
    }
    cursor = next
    yield { events: data.data, cursor }
  }
}
