import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { websocketTransport } from './transport.ts'

/** A websocket server that says `text` to whatever it is asked, in one unmasked frame (RFC 6455). */
async function serverThatSays(text: string): Promise<string> {
  const server = createServer()
  server.on('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.on('error', () => {})
    after(() => socket.destroy())
    socket.once('data', () => socket.write(Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)])))
  })
  after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const ask = async (text: string): Promise<unknown> => {
  const transport = websocketTransport(await serverThatSays(text), 1_000)
  const message = { payload: '{"id":1}', ids: [1] }
  return await transport.send(message, new AbortController().signal).finally(transport.close)
}

test('a websocket that answers is understood', async () => {
  assert.deepEqual(await ask('{"id":1,"result":"0x1"}'), { status: 200, body: { id: 1, result: '0x1' } })
})

test('a websocket that talks nonsense fails its questions, not the program', async () => {
  await assert.rejects(ask('upstream gone'), /the websocket sent something that is not JSON/)
})
