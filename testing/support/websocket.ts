import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

const frame = (text: string): Buffer => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)])

/**
 * A websocket server that responds to the first message of a client with texts of at most 125 bytes, each in an unmasked
 * frame (RFC 6455). Resolves to its URL.
 */
export async function websocketServer(
  texts: readonly string[],
  onHello?: (authorization: string | undefined) => void,
): Promise<string> {
  const server = createServer()
  server.on('upgrade', ({ headers }, socket) => {
    onHello?.(headers.authorization)
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.on('error', () => {})
    after(() => socket.destroy())
    if (texts.length > 0) socket.once('data', () => socket.write(Buffer.concat(texts.map(frame))))
  })
  after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}
