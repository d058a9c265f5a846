/** Exchanges raw bytes with a server, because HTTP clients refuse to send malformed requests. */
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export type RawResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A request without a response after this time counts as hanging. */
export const TIMEOUT_MS = 15_000

export class NoResponseError extends Error {}

/**
 * Sends the parts in order and reads until the server closes the connection or, with `streams`, until an event stream
 * starts. Returns an empty text if the server closed the connection without a response.
 */
export function sendBytes(
  port: number,
  parts: readonly Buffer[],
  { streams = false, timeoutMs = TIMEOUT_MS } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new NoResponseError(`no response within ${timeoutMs} ms; received: ${JSON.stringify(text.slice(0, 200))}`))
    }, timeoutMs)
    let text = ''
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    socket.setNoDelay(true).setEncoding('latin1')
    socket.on('connect', () => {
      for (const part of parts) socket.write(part)
    })
    socket.on('data', (chunk: string) => {
      text += chunk
      if (streams && /^content-type: text\/event-stream/im.test(text)) finish()
    })
    // A server that refuses a large body closes the connection while the client still writes.
    socket.on('error', () => undefined)
    socket.on('close', finish)
  })
}

/** Parses the final response, skipping `100 Continue`; undefined if there is none. */
export function parseResponse(text: string): RawResponse | undefined {
  const at = text.indexOf('\r\n\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? []
  if (at === -1 || status === undefined) return undefined
  if (status === '100') return parseResponse(text.slice(at + 4))
  const headers = new Headers()
  for (const line of text.slice(0, at).split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const raw = text.slice(at + 4)
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunked(raw) : raw
  const bytes = decoded(Buffer.from(body, 'latin1'), headers.get('content-encoding'))
  return { status: Number(status), headers, text: bytes.toString('utf8') }
}

/** A corrupted header may ask for a compressed response. */
function decoded(bytes: Buffer, encoding: string | null): Buffer {
  if (encoding === 'br') return brotliDecompressSync(bytes)
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes
}

function unchunked(raw: string): string {
  let body = ''
  for (let at = 0; ; ) {
    const end = raw.indexOf('\r\n', at)
    const length = Number.parseInt(raw.slice(at, end), 16)
    if (end === -1 || Number.isNaN(length) || length === 0) return body
    body += raw.slice(end + 2, end + 2 + length)
    at = end + 2 + length + 2
  }
}
