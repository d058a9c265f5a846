import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { websocketServer } from '../../../../testing/support/websocket.ts'
import { ResponseTooLargeError } from './json-reader.ts'
import { httpTransport, type Message, secretsOf, websocketTransport } from './transport.ts'

const message = (maxBytes = 1_000): Message => ({ payload: '{"id":1}', ids: [1], maxBytes, maxDepth: 5 })

const serverThatSays = (text?: string, onHello?: (authorization: string | undefined) => void): Promise<string> =>
  websocketServer(text === undefined ? [] : [text], onHello)

const respondWith = async (text: string): Promise<unknown> => {
  const transport = websocketTransport(await serverThatSays(text))
  return await transport.send(message(), new AbortController().signal).finally(transport.close)
}

test('a websocket response is parsed', async () => {
  assert.deepEqual(await respondWith('{"id":1,"result":"0x1"}'), { status: 200, body: { id: 1, result: '0x1' } })
})

test('an invalid websocket message fails the requests, not the process', async () => {
  await assert.rejects(respondWith('upstream gone'), /the websocket sent a message that is not JSON/)
})

test('an error without an id belongs to the oldest pending request', async () => {
  const refused = { id: null, error: { code: -32600, message: 'no batches' } }
  assert.deepEqual(await respondWith(JSON.stringify(refused)), { status: 200, body: refused })
})

test('a response over the size limit is an error', async () => {
  const transport = websocketTransport(await serverThatSays(`{"id":1,"result":"${'0'.repeat(80)}"}`))
  const sent = transport.send(message(50), new AbortController().signal)
  await assert.rejects(sent.finally(transport.close), ResponseTooLargeError)
})

test('a silent websocket is closed with the request, and the next request opens another', async () => {
  const server = new EventEmitter()
  const url = await serverThatSays(undefined, () => server.emit('hello'))
  const transport = websocketTransport(url)
  for (let n = 0; n < 2; n += 1) {
    const deadline = new AbortController()
    const greeted = once(server, 'hello')
    const sent = transport.send(message(), deadline.signal)
    const silent = assert.rejects(sent, /does not respond|was closed/)
    // A second handshake means a second socket.
    await greeted
    deadline.abort()
    await silent
  }
  transport.close()
})

test('websocket credentials are sent as a header, not in the URL', async () => {
  let seen: string | undefined
  const url = await serverThatSays('{"id":1,"result":"0x1"}', (authorization) => (seen = authorization))
  const transport = websocketTransport(url.replace('ws://', 'ws://me:secret@'))
  await transport.send(message(), new AbortController().signal).finally(transport.close)
  assert.equal(seen, `Basic ${Buffer.from('me:secret').toString('base64')}`)
})

async function httpServerThatSays(body: string | Buffer, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(200, headers).end(body))
  after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a compressed response is read unless it decompresses beyond the limit', async () => {
  const send = async (text: string): Promise<unknown> => {
    const url = await httpServerThatSays(gzipSync(text), { 'content-encoding': 'gzip' })
    return (await httpTransport(url).send(message(), new AbortController().signal)).body
  }
  assert.deepEqual(await send('{"id":1}'), { id: 1 })
  await assert.rejects(send(JSON.stringify('0'.repeat(5_000_000))), ResponseTooLargeError)
})

test('a 200 response that is not JSON is malformed', async () => {
  const url = await httpServerThatSays('<html>please log in</html>', { 'content-type': 'text/html' })
  const sent = httpTransport(url).send(message(), new AbortController().signal)
  await assert.rejects(sent, SyntaxError)
})

test('the parts of a URL that may be a key are found', () => {
  const secrets = secretsOf('https://user%40x:pass word@node.example/v3/0123456789abcdef?apikey=qwertz&x=1')
  assert.deepEqual(
    ['user@x', 'pass word', '0123456789abcdef', 'qwertz', 'v3'].map((part) => secrets.includes(part)),
    [true, true, true, true, false],
  )
})
