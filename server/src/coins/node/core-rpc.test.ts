/** A hostile or broken node cannot consume unbounded time or memory, nor cause an unexpected error. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { z } from 'zod'
import { serve } from '../../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { createCoreRpc } from './core-rpc.ts'
import { NodeRefusedError, NodeResponseError, NodeRpcError, NodeUnreachableError } from './node-errors.ts'

type Handler = (response: ServerResponse, body: string) => void

let handler: Handler = (response) => response.end()
let requests = 0
const server = createServer((request, response) => {
  requests += 1
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  request.on('end', () => handler(response, body))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://someone:long-secret@127.0.0.1:${(server.address() as AddressInfo).port}`
const LIMITS = { bytes: 64 * 1024, timeoutMs: 60_000 }
const SOON = { ...LIMITS, timeoutMs: 200 }
const LARGE = { ...LIMITS, bytes: 4 * 2 ** 20 }
const rpc = createCoreRpc({ url, limits: LIMITS })
after(() => {
  rpc.close()
  server.closeAllConnections()
  server.close()
})

const respondingWith =
  (text: string): Handler =>
  (response) =>
    void response.end(text)
const failsWith =
  (kind: typeof NodeUnreachableError | typeof NodeResponseError | typeof NodeRpcError, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof kind, String(error))
    assert.match(error.message, message)
    assert.doesNotMatch(error.message, /someone|long-secret/)
    return true
  }
const TWO = ['a', 'b'].map((method) => ({ method, params: [] }))

/** Sends a chunk repeatedly until the client closes the connection. */
const drip =
  (head: string, chunk: string): Handler =>
  (response) => {
    response.write(head)
    const timer = setInterval(() => response.write(chunk), 20)
    response.on('close', () => clearInterval(timer))
  }

test('an endless response is given up, even if it makes progress, and requested only once', async () => {
  for (const [kind, candidate] of [
    ['silent', () => undefined],
    ['silent after its head', (response: ServerResponse) => response.flushHeaders()],
    ['dripping', drip('{"result":"', '0')],
  ] as const) {
    // Also on a reused connection: a request is repeated only if the node had closed it.
    handler = respondingWith('{"result":1}')
    await rpc.call('getsomething', [], z.number())
    handler = candidate
    requests = 0
    const inTime = failsWith(NodeUnreachableError, /no complete response within 0\.2 s$/)
    await assert.rejects(rpc.call('getsomething', [], z.string(), SOON), inTime, kind)
    await assert.rejects(rpc.rest('/rest/block/00.bin', SOON), inTime, kind)
    assert.ok(requests <= 2, kind)
  }
})

test('a response beyond the size limit is not read further, with or without a content-length', async () => {
  const byes: Promise<void>[] = []
  for (const [kind, candidate] of [
    [
      'announced',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': 10 ** 9 }).write(' ')
      },
    ],
    ['not announced', drip('', ' '.repeat(32 * 1024))],
  ] as const) {
    handler = (response) => {
      byes.push(new Promise((resolve) => response.on('close', resolve)))
      candidate(response, '')
    }
    const tooLong = failsWith(NodeUnreachableError, /longer than 64 kB/)
    await assert.rejects(rpc.call('getsomething', [], z.string()), tooLong, kind)
    await assert.rejects(rpc.rest('/rest/block/00.bin'), tooLong, kind)
  }
  await Promise.all(byes)
  assert.equal(byes.length, 4)
})

test('a response in many small chunks is assembled, and a larger limit allows a longer one', async () => {
  const text = JSON.stringify({ result: 'x'.repeat(200_000) })
  handler = (response) => {
    for (let at = 0; at < 4_096; at++) response.write(text[at])
    response.end(text.slice(4_096))
  }
  assert.equal((await rpc.call('getsomething', [], z.string(), LARGE)).length, 200_000)
  assert.equal((await rpc.rest('/rest/block/00.bin', LARGE))?.toString(), text)
})

test('invalid JSON and JSON that nests too deeply are refused', async () => {
  const deep = `{"result":${'['.repeat(10 ** 6)}${']'.repeat(10 ** 6)}}`
  for (const text of ['', '{', 'null null', deep]) {
    handler = respondingWith(text)
    const noJson = failsWith(NodeUnreachableError, /without valid JSON$/)
    await assert.rejects(rpc.call('getsomething', [], z.string(), LARGE), noJson, text.slice(0, 20))
  }
  handler = respondingWith(deep)
  const asPlain = rpc.call('getsomething', [], z.string(), { ...LARGE, hasNoAmounts: true })
  await assert.rejects(asPlain, failsWith(NodeResponseError, /expected string/))
})

test('a single response of any shape is a result, an RPC error or an invalid response', async () => {
  for (const text of ['null', '5', '"x"', '[]', '[null]', '{}', '{"result":5}', '{"result":null,"error":null}']) {
    handler = respondingWith(text)
    await assert.rejects(rpc.call('getsomething', [], z.string()), failsWith(NodeResponseError, /getsomething/), text)
  }
  for (const error of ['"no"', '5', '[]', '{"code":"x","message":{"a":1}}', '{"code":null}', 'true']) {
    handler = respondingWith(`{"result":"fine","error":${error}}`)
    await assert.rejects(rpc.call('getsomething', [], z.string()), (thrown) => {
      assert.ok(failsWith(NodeRpcError, /getsomething: (no|no message) \(0\)$/)(thrown))
      return (thrown as NodeRpcError).rpcCode === 0
    })
  }
})

test('a batch with missing, repeated, unordered or malformed members gives its results or an invalid response', async () => {
  const [first, second] = ['{"id":0,"result":"one"}', '{"id":1,"result":"two"}']
  for (const text of [
    'null',
    '{}',
    '5',
    '[]',
    '[null]',
    '[null,null]',
    `[${first}]`,
    `[${first},null]`,
    `[${first},5,"x",[]]`,
    `[${first},{"id":"1","result":"two"}]`,
    `[${first},{"id":1}]`,
    `[${first},{"id":1,"result":[]}]`,
  ]) {
    handler = respondingWith(text)
    await assert.rejects(rpc.batch(TWO, z.string()), failsWith(NodeResponseError, /^127/), text)
  }
  handler = respondingWith(`[null,${second},7,${first},{"id":2,"result":"three"}]`)
  assert.deepEqual(await rpc.batch(TWO, z.string()), ['one', 'two'])
  handler = respondingWith(`[${first},{"id":1,"error":{"code":-5,"message":"no such thing"}}]`)
  const [, refused] = await rpc.batch(TWO, z.string())
  assert.ok(refused instanceof NodeRpcError && refused.rpcCode === -5)
})

test("a node's error message is truncated and contains no credentials", async () => {
  const message = `someone:long-secret ${Buffer.from('someone:long-secret').toString('base64')} ${'w'.repeat(10_000)}`
  handler = respondingWith(JSON.stringify({ error: { code: -1, message } }))
  await assert.rejects(rpc.call('getsomething', [], z.string()), (error) => {
    assert.ok(failsWith(NodeRpcError, /getsomething: \*\*\*:\*\*\* \*\*\* w+ \(-1\)$/)(error))
    assert.ok((error as Error).message.length < 400)
    return true
  })
})

test('the timeout of the client bounds the timeout of every call', async () => {
  handler = () => undefined
  requests = 0
  const impatient = createCoreRpc({ url, limits: LIMITS, timeoutMs: 100 })
  await assert.rejects(
    impatient.call('a', [], z.unknown()),
    failsWith(NodeUnreachableError, /no complete response within 0\.1 s/),
  )
  assert.equal(requests, 1)
  impatient.close()
})

test('a node at an IPv6 address is reachable', async (t) => {
  const six = createServer((_request, response) => response.end('{"result":7}'))
  const isAvailable = await new Promise((resolve) => {
    six.once('error', () => resolve(false))
    six.listen(0, '::1', () => resolve(true))
  })
  if (isAvailable === false) return t.skip('IPv6 is not available')
  const { port } = six.address() as AddressInfo
  const there = createCoreRpc({ url: `http://u:p@[::1]:${port}` })
  assert.equal(await there.call('a', [], z.number()), 7)
  assert.equal(there.name, `[::1]:${port}`)
  there.close()
  six.close()
})

test('a cookie file is read again when the node has restarted, and stays secret', async () => {
  let cookie = '__cookie__:first-secret'
  const file = join(temporaryFolder(), '.cookie')
  const node = await serve((request, response) => {
    const isAllowed = request.headers.authorization === `Basic ${Buffer.from(cookie).toString('base64')}`
    if (isAllowed) response.end(JSON.stringify({ result: null, error: { code: -1, message: `no, ${cookie}` } }))
    else response.writeHead(401).end()
  })
  const rpc = createCoreRpc({ url: node, cookieFile: file })
  after(rpc.close)
  const call = () => rpc.call('uptime', [], z.int())
  await assert.rejects(call(), (error) => error instanceof NodeUnreachableError && /cookie file/.test(error.message))
  writeFileSync(file, cookie)
  const isAnswered = (error: unknown): boolean => {
    assert.ok(error instanceof NodeRpcError)
    assert.doesNotMatch(error.message, /secret/)
    return true
  }
  await assert.rejects(call(), isAnswered)
  cookie = '__cookie__:second-secret'
  await assert.rejects(call(), NodeRefusedError)
  writeFileSync(file, cookie)
  await assert.rejects(call(), isAnswered)
})
