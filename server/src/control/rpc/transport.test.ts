import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { httpTransport, ResponseTooLargeError, secretsOf, websocketTransport } from './transport.ts'

/** A websocket server that says `text` (or nothing) to whatever it is asked, in one unmasked frame (RFC 6455). */
async function serverThatSays(
  text: string | undefined,
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
    if (text === undefined) return
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

test('a refusal without an id is the answer to the question that waits', async () => {
  const refused = { id: null, error: { code: -32600, message: 'no batches' } }
  assert.deepEqual(await ask(JSON.stringify(refused)), { status: 200, body: refused })
})

test('an answer that is too large is refused as too wide a question', async () => {
  const transport = websocketTransport(await serverThatSays(`{"id":1,"result":"${'0'.repeat(80)}"}`), 50)
  const asked = transport.send({ payload: '{"id":1}', ids: [1] }, new AbortController().signal)
  await assert.rejects(asked.finally(transport.close), ResponseTooLargeError)
})

test('a socket that fell silent is given up with the question, and the next one opens another', async () => {
  const server = new EventEmitter()
  const url = await serverThatSays(undefined, () => server.emit('hello'))
  const transport = websocketTransport(url, 1_000)
  for (let n = 0; n < 2; n += 1) {
    const deadline = new AbortController()
    const greeted = once(server, 'hello')
    const asked = transport.send({ payload: '{"id":1}', ids: [1] }, deadline.signal)
    const silent = assert.rejects(asked, /silent|given up/)
    // A second greeting is a second socket.
    await greeted
    deadline.abort()
    await silent
  }
  transport.close()
})

test('credentials of a websocket travel in its first request, not in its address', async () => {
  let seen: string | undefined
  const url = await serverThatSays('{"id":1,"result":"0x1"}', (authorization) => (seen = authorization))
  const transport = websocketTransport(url.replace('ws://', 'ws://me:secret@'), 1_000)
  await transport.send({ payload: '{"id":1}', ids: [1] }, new AbortController().signal).finally(transport.close)
  assert.equal(seen, `Basic ${Buffer.from('me:secret').toString('base64')}`)
})

async function httpServerThatSays(body: string | Buffer, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(200, headers).end(body))
  after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a compressed answer is read, and one that unfolds beyond the limit is not', async () => {
  const send = async (text: string): Promise<unknown> => {
    const url = await httpServerThatSays(gzipSync(text), { 'content-encoding': 'gzip' })
    return (await httpTransport(url, 1_000).send({ payload: '{}', ids: [1] }, new AbortController().signal)).body
  }
  assert.deepEqual(await send('{"id":1}'), { id: 1 })
  await assert.rejects(send(JSON.stringify('0'.repeat(5_000_000))), ResponseTooLargeError)
})

test('an error page where JSON was promised is a wrong shape', async () => {
  const url = await httpServerThatSays('<html>please log in</html>', { 'content-type': 'text/html' })
  const asked = httpTransport(url, 1_000).send({ payload: '{}', ids: [1] }, new AbortController().signal)
  await assert.rejects(asked, SyntaxError)
})

test('what may be a key in an address is known', () => {
  const secrets = secretsOf('https://user%40x:pass word@node.example/v3/0123456789abcdef?apikey=qwertz&x=1')
  assert.deepEqual(
    ['user@x', 'pass word', '0123456789abcdef', 'qwertz', 'v3'].map((part) => secrets.includes(part)),
    [true, true, true, true, false],
  )
})
