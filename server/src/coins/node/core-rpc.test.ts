/** A node that is hostile or broken costs us neither time nor memory without end, and never an unforeseen fault. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { z } from 'zod'
import { createCoreRpc } from './core-rpc.ts'
import { NodeResponseError, NodeRpcError, NodeUnreachableError } from './node-errors.ts'

type Behaviour = (response: ServerResponse, body: string) => void

let behave: Behaviour = (response) => response.end()
let asked = 0
const server = createServer((request, response) => {
  asked += 1
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  request.on('end', () => behave(response, body))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://someone:long-secret@127.0.0.1:${(server.address() as AddressInfo).port}`
const LIMITS = { bytes: 64 * 1024, withinMs: 60_000 }
const SOON = { ...LIMITS, withinMs: 200 }
const LARGE = { ...LIMITS, bytes: 4 * 2 ** 20 }
const rpc = createCoreRpc({ url, ordinary: LIMITS })
after(() => {
  rpc.close()
  server.closeAllConnections()
  server.close()
})

const answering =
  (text: string): Behaviour =>
  (response) =>
    void response.end(text)
const failsWith =
  (kind: typeof NodeUnreachableError | typeof NodeResponseError | typeof NodeRpcError, words: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof kind, String(error))
    assert.match(error.message, words)
    assert.doesNotMatch(error.message, /someone|long-secret/)
    return true
  }
const TWO = ['a', 'b'].map((method) => ({ method, params: [] }))

/** Sends a piece again and again until nobody listens. */
const drip =
  (head: string, piece: string): Behaviour =>
  (response) => {
    response.write(head)
    const timer = setInterval(() => response.write(piece), 20)
    response.on('close', () => clearInterval(timer))
  }

test('an answer that never ends is given up, also one that always moves, and asked for once', async () => {
  for (const [kind, behaviour] of [
    ['silent', () => undefined],
    ['silent after its head', (response: ServerResponse) => response.flushHeaders()],
    ['dripping', drip('{"result":"', '0')],
  ] as const) {
    // On a connection that was used before, too: only one that the node had closed meanwhile is a reason to ask again.
    behave = answering('{"result":1}')
    await rpc.call('getsomething', [], z.number())
    behave = behaviour
    asked = 0
    const inTime = failsWith(NodeUnreachableError, /not there in time \(0\.2 s\)$/)
    await assert.rejects(rpc.call('getsomething', [], z.string(), SOON), inTime, kind)
    await assert.rejects(rpc.rest('/rest/block/00.bin', SOON), inTime, kind)
    assert.ok(asked <= 2, kind)
  }
})

test('an answer larger than any node has to give is not read on, announced or not', async () => {
  const byes: Promise<void>[] = []
  for (const [kind, behaviour] of [
    [
      'announced',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': 10 ** 9 }).write(' ')
      },
    ],
    ['not announced', drip('', ' '.repeat(32 * 1024))],
  ] as const) {
    behave = (response) => {
      byes.push(new Promise((resolve) => response.on('close', resolve)))
      behaviour(response, '')
    }
    const tooLong = failsWith(NodeUnreachableError, /longer than 64 kB/)
    await assert.rejects(rpc.call('getsomething', [], z.string()), tooLong, kind)
    await assert.rejects(rpc.rest('/rest/block/00.bin'), tooLong, kind)
  }
  await Promise.all(byes)
  assert.equal(byes.length, 4)
})

test('an answer in many small pieces is put together, and what may be longer may', async () => {
  const text = JSON.stringify({ result: 'x'.repeat(200_000) })
  behave = (response) => {
    for (let at = 0; at < 4_096; at++) response.write(text[at])
    response.end(text.slice(4_096))
  }
  assert.equal((await rpc.call('getsomething', [], z.string(), LARGE)).length, 200_000)
  assert.equal((await rpc.rest('/rest/block/00.bin', LARGE))?.toString(), text)
})

test('what is no JSON, or nests deeper than anybody can follow, is no answer', async () => {
  const deep = `{"result":${'['.repeat(10 ** 6)}${']'.repeat(10 ** 6)}}`
  for (const text of ['', '{', 'null null', deep]) {
    behave = answering(text)
    const noJson = failsWith(NodeUnreachableError, /without JSON that can be read$/)
    await assert.rejects(rpc.call('getsomething', [], z.string(), LARGE), noJson, text.slice(0, 20))
  }
  behave = answering(deep)
  const asPlain = rpc.call('getsomething', [], z.string(), { ...LARGE, isPlain: true })
  await assert.rejects(asPlain, failsWith(NodeResponseError, /expected string/))
})

test('a single answer of any shape is an answer, an error of the node, or a wrong answer', async () => {
  for (const text of ['null', '5', '"x"', '[]', '[null]', '{}', '{"result":5}', '{"result":null,"error":null}']) {
    behave = answering(text)
    await assert.rejects(rpc.call('getsomething', [], z.string()), failsWith(NodeResponseError, /getsomething/), text)
  }
  for (const error of ['"no"', '5', '[]', '{"code":"x","message":{"a":1}}', '{"code":null}', 'true']) {
    behave = answering(`{"result":"fine","error":${error}}`)
    await assert.rejects(rpc.call('getsomething', [], z.string()), (thrown) => {
      assert.ok(failsWith(NodeRpcError, /getsomething: (no|no message) \(0\)$/)(thrown))
      return (thrown as NodeRpcError).rpcCode === 0
    })
  }
})

test('a batch with members missing, twice, out of order or of no shape ends in its calls or a wrong answer', async () => {
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
    behave = answering(text)
    await assert.rejects(rpc.batch(TWO, z.string()), failsWith(NodeResponseError, /^127/), text)
  }
  behave = answering(`[null,${second},7,${first},{"id":2,"result":"three"}]`)
  assert.deepEqual(await rpc.batch(TWO, z.string()), ['one', 'two'])
  behave = answering(`[${first},{"id":1,"error":{"code":-5,"message":"no such thing"}}]`)
  const [, refused] = await rpc.batch(TWO, z.string())
  assert.ok(refused instanceof NodeRpcError && refused.rpcCode === -5 && !refused.retryable)
})

test("a node's own words are cut, and hold none of our credentials", async () => {
  const words = `someone:long-secret ${Buffer.from('someone:long-secret').toString('base64')} ${'w'.repeat(10_000)}`
  behave = answering(JSON.stringify({ error: { code: -1, message: words } }))
  await assert.rejects(rpc.call('getsomething', [], z.string()), (error) => {
    assert.ok(failsWith(NodeRpcError, /getsomething: \*\*\*:\*\*\* \*\*\* w+ \(-1\)$/)(error))
    assert.ok((error as Error).message.length < 400)
    return true
  })
})

test('whoever has less patience than an answer has time waits no longer', async () => {
  behave = () => undefined
  asked = 0
  const hurried = createCoreRpc({ url, ordinary: LIMITS, timeoutMs: 100 })
  await assert.rejects(
    hurried.call('a', [], z.unknown()),
    failsWith(NodeUnreachableError, /not there in time \(0\.1 s\)/),
  )
  assert.equal(asked, 1)
  hurried.close()
})

test('a node at an IPv6 address is found', async (t) => {
  const six = createServer((_request, response) => response.end('{"result":7}'))
  const isHere = await new Promise((resolve) => {
    six.once('error', () => resolve(false))
    six.listen(0, '::1', () => resolve(true))
  })
  if (isHere === false) return t.skip('this machine has no IPv6')
  const { port } = six.address() as AddressInfo
  const there = createCoreRpc({ url: `http://u:p@[::1]:${port}` })
  assert.equal(await there.call('a', [], z.number()), 7)
  assert.equal(there.name, `[::1]:${port}`)
  there.close()
  six.close()
})
