/** Responds to requests that Node cannot parse: invalid HTTP, headers too large, client too slow. Then closes the connection. */
import type { Socket } from 'node:net'
import { requestIds } from './request-id.ts'

const RESPONSES: Readonly<Record<string, readonly [status: string, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'The request did not arrive in time.'],
}
const MALFORMED = ['400 Bad Request', 'invalid_request', 'This is not a valid HTTP request.'] as const
const nextId = requestIds()

export function answerMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, code, message] = RESPONSES[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({ error: { code, message } })
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${nextId()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
