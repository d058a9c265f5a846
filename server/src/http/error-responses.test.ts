import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { BlockUnavailableError, NodeRpcError, NodeUnreachableError } from '../coins/node/node-errors.ts'
import { ApiError } from '../lib/http/api-error.ts'
import { createLogger } from '../lib/log.ts'
import { RedisUnreachableError } from '../platform/counters/redis-counters.ts'
import { DatabaseUnreachableError } from '../platform/errors.ts'
import { createErrorHandler, routableUrl, wrongMethod } from './error-responses.ts'

test('a node that disconnects during a request gets 503', async () => {
  const app = Fastify()
  app.setErrorHandler(createErrorHandler({}))
  app.get('/api/v2/txs', async () => {
    throw new NodeUnreachableError('127.0.0.1:8332', '24 × getrawtransaction: socket hang up')
  })
  const answer = await app.inject('/api/v2/txs')
  assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [503, 'UNAVAILABLE'])
  assert.doesNotMatch(answer.body, /getrawtransaction|127\.0\.0\.1/)
})

test('a Redis timeout gets 503', async () => {
  const app = Fastify()
  app.setErrorHandler(createErrorHandler({}))
  app.get('/v1/events', async () => {
    throw new RedisUnreachableError('127.0.0.1:6379', new Error('Command timed out'))
  })
  assert.equal((await app.inject('/v1/events')).statusCode, 503)
})

test('an unreachable database gets 503', async () => {
  const lookup = await new Promise<Error>((resolve) => connect({ host: 'db.invalid', port: 1 }).once('error', resolve))
  const faults = [
    lookup, // ENOTFOUND, or EAI_AGAIN where there is no name server
    ...['EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].map((code) =>
      Object.assign(new Error(`connect ${code}`), { code }),
    ),
    new DatabaseUnreachableError('db/x', new Error('Client has encountered a connection error and is not queryable')),
  ]
  const app = Fastify()
  app.setErrorHandler(createErrorHandler({}))
  app.get<{ Params: { n: string } }>('/v1/:n', async ({ params }) => {
    throw faults[Number(params.n)] ?? new Error('no such fault')
  })
  for (const [n, { message }] of faults.entries()) assert.equal((await app.inject(`/v1/${n}`)).statusCode, 503, message)
})

test('text that the database cannot store gets 400', async () => {
  const app = Fastify()
  app.setErrorHandler(createErrorHandler({}))
  app.get('/v1/events', async () => {
    throw Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code: '22021' })
  })
  const answer = await app.inject('/v1/events')
  assert.deepEqual([answer.statusCode, answer.json<{ error: { code: string } }>().error.code], [400, 'invalid_request'])
  assert.doesNotMatch(answer.body, /encoding/)
})

/** What a request meets while a store or a node is away, as it is thrown. */
const OUTAGES: Readonly<Record<string, Error>> = {
  'a node that does not answer': new NodeUnreachableError('127.0.0.1:8332', 'getmempoolinfo: no complete response'),
  'a block that the node has deleted': new BlockUnavailableError('127.0.0.1:8332', '00ab', true),
  'a node that is starting': new NodeRpcError('127.0.0.1:8332', 'getblockhash', -28, 'Loading block index…'),
  'an index that is not complete': new ApiError({ status: 503, code: 'NODE_NOT_SYNCED', message: 'Not synced.' }),
  'a database that is away': new DatabaseUnreachableError('db/x', new Error('connect ECONNREFUSED')),
  'Redis that is away': new RedisUnreachableError('127.0.0.1:6379', new Error('Command timed out')),
}

/** `lines` has what the error handler logs. */
function loggingApp() {
  const lines: string[] = []
  const keep = (line: string): void => {
    if (!/"msg":"(incoming request|request completed)"/.test(line)) lines.push(line)
  }
  const app = Fastify({ loggerInstance: createLogger({ level: 'trace', destination: { write: keep } }) })
  return { app, lines }
}

test('a 503 is logged once, at level info, with its reason and without a stack', async () => {
  for (const [title, thrown] of Object.entries(OUTAGES))
    for (const url of ['/v1/x', '/api/v2/x', '/public/x']) {
      const { app, lines } = loggingApp()
      app.setErrorHandler(createErrorHandler({}))
      app.get(url, async () => {
        throw thrown
      })
      const { statusCode, body } = await app.inject(url)
      assert.equal(statusCode, 503, title)
      const [line, ...others] = lines
      assert.deepEqual(others, [], title)
      const { level, reason, code } = JSON.parse(line ?? '') as Readonly<Record<string, unknown>>
      assert.deepEqual([level, typeof reason, typeof code], [30, 'string', 'string'], title)
      for (const text of [line ?? '', body]) assert.doesNotMatch(text, /"stack"|"err"|\bat .*\.ts:\d/, title)
      assert.doesNotMatch(body, /127\.0\.0\.1/)
    }
})

test('an unexpected error is logged at level error with its stack', async () => {
  const { app, lines } = loggingApp()
  app.setErrorHandler(createErrorHandler({}))
  app.get('/v1/x', async () => {
    throw new TypeError('x is not a function')
  })
  assert.equal((await app.inject('/v1/x')).statusCode, 500)
  assert.match(lines.join(), /"level":50.*error-responses\.test\.ts/s)
})

test('the response names a node that does not answer', async () => {
  const app = Fastify()
  app.setErrorHandler(createErrorHandler({}))
  app.get('/api/v2/fees', async () => {
    throw OUTAGES['a node that does not answer'] ?? assert.fail()
  })
  const answer = await app.inject('/api/v2/fees')
  assert.match(answer.json<{ error: string }>().error, /^The node of this chain does not answer/)
})

test('a path that the router refuses although it has the method is malformed', () => {
  assert.equal(wrongMethod('/badge/protocol/a%0Ab.svg', 'GET', ['GET', 'HEAD'])?.status, 400)
  assert.equal(wrongMethod('/badge/protocol/a.svg', 'PUT', ['GET', 'HEAD'])?.status, 405)
  assert.equal(wrongMethod('/x', 'GET', []), undefined)
})

test('a path that cannot be decoded is escaped for the router, its parameters are not', () => {
  assert.equal(routableUrl('/v1/contracts/%E0%A4%A?key=%'), '/v1/contracts/%25E0%25A4%25A?key=%')
  for (const url of ['/v1/events?key=%', '/v1/protocols/Harbor%20Lending', '/', '*'])
    assert.equal(routableUrl(url), url)
})

test('a path that the router cannot read is refused in words', async () => {
  const app = Fastify({ frameworkErrors: createErrorHandler({}), routerOptions: { maxParamLength: 10 } })
  app.get('/v1/contracts/:chain', async () => 'x')
  const answerTo = async (path: string) => (await app.inject(path)).json<{ error: unknown }>().error
  assert.deepEqual(await answerTo(`/v1/contracts/${'a'.repeat(11)}`), {
    code: 'uri_too_long',
    message: 'The path is too long.',
  })
})

test('a compressed body gets 415', async () => {
  const app = Fastify()
  app.setErrorHandler(createErrorHandler({}))
  app.post('/api/v2/simulate', async () => 'x')
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v2/simulate',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: gzipSync('{}'),
  })
  assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
})
