/** Streams of server-sent events: how many are open, heartbeats, and their end. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError, tooManyRequests } from './api-error.ts'

export type StreamSource = {
  /** Returns the next events as text, or none if none come within `waitMs` or before `signal` aborts. */
  readonly next: (wait: { readonly signal: AbortSignal; readonly waitMs: number }) => Promise<readonly string[]>
  /** The id from which a reader that loses its connection continues. */
  readonly currentId: () => string
  readonly close: () => void
}

export type StreamOptions = {
  readonly signal: AbortSignal
  /** Why the key may not read any more, which is the code of the last event. */
  readonly endCode: () => Promise<string | undefined>
  readonly heartbeatMs: number
  readonly onError: (error: unknown) => void
}

/** Proxies close connections that are idle for a minute. */
export const HEARTBEAT_MS = 15_000
const RECONNECT_MS = 3_000
/** Every stream holds a socket. */
const MAX_STREAMS = 2_000
export const MAX_STREAMS_PER_ACCOUNT = 20
/** Bytes that wait for a reader that is slower than the events. */
const MAX_UNREAD_BYTES = 64 * 1024

export const eventText = (id: string, event: string, data: string): string =>
  `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`

/** The text of a stream. Nothing is read before the client has taken what was sent. */
export async function* streamText(
  source: Pick<StreamSource, 'next' | 'currentId'>,
  { signal, endCode, heartbeatMs: waitMs, onError }: StreamOptions,
): AsyncGenerator<string> {
  const currentId = () => `id: ${source.currentId()}\n\n`
  yield `retry: ${RECONNECT_MS}\n${currentId()}`
  try {
    for (;;) {
      const events = await source.next({ signal, waitMs })
      if (signal.aborted) return
      const code = await endCode()
      if (code !== undefined) {
        yield `event: end\ndata: {"code":"${code}"}\n\n`
        return
      }
      yield events.length === 0 ? `: heartbeat\n${currentId()}` : events.join('')
    }
  } catch (error) {
    onError(error)
  }
}

export type OpenStream = Omit<StreamOptions, 'signal' | 'heartbeatMs'> & {
  readonly accountId: string
  readonly open: () => Promise<StreamSource>
}

export type EventStreams = {
  /** How many are open. */
  readonly size: () => number
  /** The refusal where no further stream can be opened. */
  readonly tooMany: () => ApiError
  readonly send: (reply: FastifyReply, stream: OpenStream) => Promise<FastifyReply>
}

/** How an API refuses a stream: the codes if all accounts together, or one account, has too many, and what to poll instead. */
export type StreamRefusals = {
  readonly codes: { readonly tooMany: string; readonly tooManyOfAccount: string }
  readonly instead: string
}

/** The streams of one route. They end when the service stops. */
export function createEventStreams(instance: FastifyInstance, { codes, instead }: StreamRefusals): EventStreams {
  const running = new Map<AbortController, string>()
  instance.addHook('preClose', async () => {
    for (const stream of running.keys()) stream.abort()
  })
  const countOf = (accountId: string): number =>
    running.values().reduce((count, other) => count + Number(other === accountId), 0)
  const tooMany = (): ApiError =>
    new ApiError({
      status: 503,
      code: codes.tooMany,
      message: `Too many streams are open. Retry in a minute, or poll ${instead} with after.`,
      headers: { 'retry-after': '60' },
    })
  const tooManyOfAccount = (): ApiError =>
    tooManyRequests({
      code: codes.tooManyOfAccount,
      message: `An account can keep ${MAX_STREAMS_PER_ACCOUNT} streams open. Close one first.`,
      retryAfterSeconds: 60,
    })

  return {
    size: () => running.size,
    tooMany,
    send: async (reply, { accountId, open, ...options }) => {
      if (countOf(accountId) >= MAX_STREAMS_PER_ACCOUNT) throw tooManyOfAccount()
      if (running.size >= MAX_STREAMS) throw tooMany()
      const stopped = new AbortController()
      running.set(stopped, accountId)
      try {
        const source = await open()
        reply.raw.once('close', () => stopped.abort())
        const text = streamText(source, { ...options, signal: stopped.signal, heartbeatMs: HEARTBEAT_MS })
        const stream = Readable.from(text, { objectMode: false, highWaterMark: MAX_UNREAD_BYTES })
        stream.once('close', () => {
          stopped.abort()
          source.close()
          running.delete(stopped)
        })
        return await reply
          .type('text/event-stream; charset=utf-8')
          .header('x-accel-buffering', 'no')
          // A stop of the service ends the stream and must not wait for an idle connection.
          .header('connection', 'close')
          .send(stream)
      } catch (error) {
        running.delete(stopped)
        throw error
      }
    },
  }
}
