/**
 * Reads one HTTP response within limits of time and size, so that a broken or hostile node can neither exhaust memory
 * nor hold a connection forever.
 */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { reasonOf } from '../../lib/errors.ts'

export type ResponseLimits = {
  readonly bytes: number
  /** From the call to the last byte, so it includes the wait for a free connection and ends a slow response. */
  readonly timeoutMs: number
}

export type HttpResponse = { readonly status: number; readonly body: Buffer }

/** The node received the request but did not respond within the limits. Sending it again at once would not help. */
export class ResponseError extends Error {}

export function readResponse(
  outgoing: ClientRequest,
  body: string | undefined,
  limits: ResponseLimits,
): Promise<HttpResponse> {
  const { bytes: maxBytes, timeoutMs } = limits
  let deadline: NodeJS.Timeout | undefined
  const response = new Promise<HttpResponse>((resolve, reject) => {
    const giveUp = (reason: string, cause?: unknown): void => {
      reject(new ResponseError(reason, { cause }))
      outgoing.destroy()
    }
    outgoing.on('error', reject)
    deadline = setTimeout(() => giveUp(`no complete response within ${timeoutMs / 1_000} s`), timeoutMs)
    outgoing.on('response', (incoming: IncomingMessage) => {
      const tooLong = `the response is longer than ${Math.round(maxBytes / 1024)} kB`
      const announced = Number(incoming.headers['content-length'] ?? 0)
      incoming.on('error', (error) => giveUp(reasonOf(error), error))
      if (announced > maxBytes) return giveUp(tooLong)
      const received = new GrowingBuffer(announced)
      incoming.on('data', (chunk: Buffer) => {
        if (received.length + chunk.length > maxBytes) giveUp(tooLong)
        else received.add(chunk)
      })
      incoming.on('end', () => {
        if (incoming.complete) resolve({ status: incoming.statusCode ?? 0, body: received.bytes() })
        else giveUp('the response was cut off')
      })
    })
    outgoing.end(body)
  })
  return response.finally(() => clearTimeout(deadline))
}

/** The most memory reserved for an announced length before the bytes arrive. */
const MAX_RESERVED = 8 * 2 ** 20
const MIN_RESERVED = 64 * 1024

/** Appends chunks to one buffer: a list of one-byte chunks would take a hundred times their memory. */
class GrowingBuffer {
  length = 0
  #buffer: Buffer

  constructor(announced: number) {
    this.#buffer = Buffer.allocUnsafe(announced > 0 ? Math.min(announced, MAX_RESERVED) : MIN_RESERVED)
  }

  add(chunk: Buffer): void {
    const needed = this.length + chunk.length
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length))
      this.#buffer.copy(grown, 0, 0, this.length)
      this.#buffer = grown
    }
    chunk.copy(this.#buffer, this.length)
    this.length = needed
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.length)
  }
}
