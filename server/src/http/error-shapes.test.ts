import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { NodeUnreachableError } from '../coins/node/node-errors.ts'
import { errorAnswerer } from './error-shapes.ts'

test('a node that goes away in the middle of an answer is an outage, and no fault of ours', async () => {
  const app = Fastify()
  app.setErrorHandler(errorAnswerer({}))
  app.get('/api/v2/txs', async () => {
    throw new NodeUnreachableError('127.0.0.1:8332', '24 × getrawtransaction: socket hang up')
  })
  const answer = await app.inject('/api/v2/txs')
  assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [503, 'UNAVAILABLE'])
  assert.doesNotMatch(answer.body, /getrawtransaction|127\.0\.0\.1/)
})

test('a Redis that does not answer in time is an outage too', async () => {
  const app = Fastify()
  app.setErrorHandler(errorAnswerer({}))
  app.get('/v1/events', async () => {
    throw new Error('Command timed out') // in the words of ioredis
  })
  assert.equal((await app.inject('/v1/events')).statusCode, 503)
})
