/**
 * The answer to one request, whole, within its limits: a node that is broken or means us harm must cost neither memory
 * nor a connection without end.
 */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { reasonOf } from '../../lib/errors.ts'

export type Limits = {
  readonly bytes: number
  /** From having a connection to the last byte: one that always moves a little comes to its end too. */
  readonly withinMs: number
}

export type Answer = { readonly status: number; readonly body: Buffer }

/** The node had the question; asking again at once would not help. */
export class ResponseError extends Error {}

export function readResponse(outgoing: ClientRequest, body: string | undefined, limits: Limits): Promise<Answer> {
  const { bytes: most, withinMs } = limits
  let deadline: NodeJS.Timeout | undefined
  const answer = new Promise<Answer>((resolve, reject) => {
    const giveUp = (reason: string, cause?: unknown): void => {
      reject(new ResponseError(reason, { cause }))
      outgoing.destroy()
    }
    outgoing.on('error', reject)
    outgoing.on('socket', () => {
      deadline = setTimeout(() => giveUp(`the answer was not there in time (${withinMs / 1_000} s)`), withinMs)
    })
    outgoing.on('response', (incoming: IncomingMessage) => {
      const tooLong = `the answer is longer than ${Math.round(most / 1024)} kB`
      const announced = Number(incoming.headers['content-length'] ?? 0)
      incoming.on('error', (error) => giveUp(reasonOf(error), error))
      if (announced > most) return giveUp(tooLong)
      const received = new Received(announced)
      incoming.on('data', (chunk: Buffer) => {
        if (received.length + chunk.length > most) giveUp(tooLong)
        else received.add(chunk)
      })
      incoming.on('end', () => {
        if (incoming.complete) resolve({ status: incoming.statusCode ?? 0, body: received.bytes() })
        else giveUp('the answer was cut off')
      })
    })
    outgoing.end(body)
  })
  return answer.finally(() => clearTimeout(deadline))
}

/** What is announced is not yet there: more than a block is not set aside for it beforehand. */
const MOST_AHEAD = 8 * 2 ** 20
const LEAST = 64 * 1024

/** Bytes in one piece as they come: a list of pieces of one byte each would take a hundred times their memory. */
class Received {
  length = 0
  #room: Buffer

  constructor(announced: number) {
    this.#room = Buffer.allocUnsafe(announced > 0 ? Math.min(announced, MOST_AHEAD) : LEAST)
  }

  add(chunk: Buffer): void {
    const needed = this.length + chunk.length
    if (needed > this.#room.length) {
      const room = Buffer.allocUnsafe(Math.max(needed, 2 * this.#room.length))
      this.#room.copy(room, 0, 0, this.length)
      this.#room = room
    }
    chunk.copy(this.#room, this.length)
    this.length = needed
  }

  bytes(): Buffer {
    return this.#room.subarray(0, this.length)
  }
}
