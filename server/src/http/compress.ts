/**
 * Compresses JSON responses for clients that accept it.
 *
 * Streams are sent as they are: their readers wait for each part. Responses of web sessions are too, because the size of
 * a compressed response reveals how similar its secrets are to a text that another site put into the request (BREACH).
 */
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** A smaller response fits into one packet, compressed or not. */
const MIN_BYTES = 1_400
/** Higher levels take several times as long for a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 6 }
const OF_SESSIONS = /^\/(me|api\/auth|api\/v1\/analytics)(\/|\?|$)/

type Encoding = 'br' | 'gzip'

type Done = (error: Error | null, compressed: Buffer) => void

/** Of prepared answers, which are sent repeatedly: the same object each time. */
const compressedAnswers: Readonly<Record<Encoding, WeakMap<Buffer, Buffer>>> = {
  br: new WeakMap(),
  gzip: new WeakMap(),
}

/** Passes the compressed text to `done`. It runs in a thread of Node's pool. */
function compress(text: string | Buffer, encoding: Encoding, done: Done): void {
  const known = typeof text === 'string' ? undefined : compressedAnswers[encoding].get(text)
  if (known !== undefined) return done(null, known)
  const keep: Done = (error, body) => {
    if (error === null && typeof text !== 'string') compressedAnswers[encoding].set(text, body)
    done(error, body)
  }
  if (encoding === 'br') brotliCompress(text, BROTLI, keep)
  else gzip(text, GZIP, keep)
}

/** Returns the best encoding that `Accept-Encoding` allows (RFC 9110, 12.5.3). */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined
  const weights = new Map<string, number>()
  for (const part of String(header).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = parameters.find((text) => text.startsWith('q='))
    weights.set(name, quality === undefined ? 1 : Number(quality.slice(2)))
  }
  const weightOf = (encoding: Encoding): number => weights.get(encoding) ?? weights.get('*') ?? 0
  if (weightOf('br') > 0 && weightOf('br') >= weightOf('gzip')) return 'br'
  return weightOf('gzip') > 0 ? 'gzip' : undefined
}

export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!(typeof payload === 'string' || Buffer.isBuffer(payload)) || payload.length < MIN_BYTES) return done()
    if (reply.hasHeader('content-encoding') || OF_SESSIONS.test(request.url)) return done()
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return done()
    reply.header('vary', 'accept-encoding')
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding === undefined) return done()
    compress(payload, encoding, (error, body) => {
      if (error !== null) return done(error)
      reply.header('content-encoding', encoding)
      done(null, body)
    })
  })
}
