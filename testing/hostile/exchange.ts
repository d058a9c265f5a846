/**
 * One exchange of bytes with a server: no HTTP client stands between, because clients refuse to send what attackers
 * send.
 */
import { connect } from 'node:net'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Whatever has not been answered by then hangs. */
export const PATIENCE_MS = 15_000

export class NoAnswerError extends Error {}

/**
 * Sends the parts one after another and reads until the other side ends the connection, or, with `streams`, until the
 * first bytes of a body that never ends. An empty text says that the connection was ended without a word.
 */
export function sendBytes(
  port: number,
  parts: readonly Buffer[],
  { streams = false, patienceMs = PATIENCE_MS } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new NoAnswerError(`no answer within ${patienceMs} ms; so far: ${JSON.stringify(text.slice(0, 200))}`))
    }, patienceMs)
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
    // A server that refuses a large body ends the connection while we still write.
    socket.on('error', () => undefined)
    socket.on('close', finish)
  })
}

/** The last of the answers a connection gave; undefined where it gave none. */
export function parseAnswer(text: string): Answer | undefined {
  const at = text.indexOf('\r\n\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? []
  if (at === -1 || status === undefined) return undefined
  if (status === '100') return parseAnswer(text.slice(at + 4))
  const headers = new Headers()
  for (const line of text.slice(0, at).split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const raw = text.slice(at + 4)
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunked(raw) : raw
  return { status: Number(status), headers, text: Buffer.from(body, 'latin1').toString('utf8') }
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
