import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { NodeUnreachableError } from '../coins/node/node-errors.ts'
import { RedisUnreachableError } from '../platform/counters/redis-counters.ts'
import { DatabaseUnreachableError } from '../platform/errors.ts'
import { createErrorHandler, wrongMethod } from './error-responses.ts'

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

test('the response names a node that does not answer, and no stack trace is logged at level error', async () => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line: string) => lines.push(line) } } })
  app.setErrorHandler(createErrorHandler({}))
  app.get('/api/v2/fees', async () => {
    throw new NodeUnreachableError('127.0.0.1:8332', 'getmempoolinfo: no complete response within 15 s')
  })
  const answer = await app.inject('/api/v2/fees')
  assert.match(answer.json<{ error: string }>().error, /^The node of this chain does not answer/)
  type Line = { readonly level: number; readonly err?: unknown }
  const logged = lines.map((line) => JSON.parse(line) as Line)
  assert.deepEqual(
    logged.filter(({ level, err }) => level >= 50 || err !== undefined),
    [],
  )
})

test('a path that the router refuses although it has the method is malformed', () => {
  assert.equal(wrongMethod('/badge/protocol/a%0Ab.svg', 'GET', ['GET', 'HEAD'])?.status, 400)
  assert.equal(wrongMethod('/badge/protocol/a.svg', 'PUT', ['GET', 'HEAD'])?.status, 405)
  assert.equal(wrongMethod('/x', 'GET', []), undefined)
})
