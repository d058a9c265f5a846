import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../lib/http/api-error.ts'
import { createPasswordHashing, DEFAULT_LIMITS } from './password-hashing.ts'

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ApiError ? `${error.status} ${error.headers['retry-after']}` : String(error)),
  )

test('hashes wait in a bounded queue, and those that do not fit get 503 with Retry-After', async () => {
  const hashing = createPasswordHashing({ concurrent: 1, waiting: 2, waitingPerClient: 2 })
  const outcomes = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => outcomeOf(hashing.hash(text))))
  assert.deepEqual(outcomes, ['done', 'done', 'done', '503 5', '503 5'])
  const hash = await hashing.hash('a')
  assert.deepEqual(
    [await hashing.verify({ hash, password: 'a' }), await hashing.verify({ hash, password: 'b' })],
    [true, false],
    'the slots are free again',
  )
})

test('one client cannot fill the queue', async () => {
  const hashing = createPasswordHashing({ concurrent: 1, waiting: 8, waitingPerClient: 1 })
  const of = (client: string) => outcomeOf(hashing.runFor({ client }, () => hashing.hash('a')))
  const outcomes = await Promise.all(['x', 'x', 'x', 'y'].map(of))
  assert.deepEqual(outcomes, ['done', 'done', '503 5', 'done'])
})

test('a failed check gives its slot back', async () => {
  const hashing = createPasswordHashing({ concurrent: 1, waiting: 0, waitingPerClient: 0 })
  await assert.rejects(hashing.verify({ hash: 'no hash', password: 'a' }))
  assert.equal(await outcomeOf(hashing.hash('a')), 'done')
})

test('a prepared hash is used for its own password only', async () => {
  const hashing = createPasswordHashing()
  const [own, again, other] = await hashing.runFor({ client: 'x', password: 'a' }, () =>
    Promise.all([hashing.hash('a'), hashing.hash('a'), hashing.hash('b')]),
  )
  assert.equal(own, again)
  assert.notEqual(own, other)
  assert.notEqual(await hashing.hash('a'), own)
})

test('by default, threads remain for the authentication of database connections', () => {
  assert.ok(DEFAULT_LIMITS.concurrent >= 1)
  assert.ok(DEFAULT_LIMITS.concurrent <= 2 || process.env.UV_THREADPOOL_SIZE !== undefined)
})
