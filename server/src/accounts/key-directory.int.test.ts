/** A crowd with one key, and a key that changes while it is being read. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { startDatabaseProxy } from '../../../testing/support/database-proxy.ts'
import { testLog } from '../../../testing/support/log.ts'
import { eventually } from '../../../testing/support/receivers.ts'
import { makeTestKeys } from '../../../testing/support/service.ts'
import type { Logger } from '../lib/log.ts'
import type { Database, Statement } from '../platform/database.ts'
import { hashOf, revokeKey } from './api-keys.ts'
import { openKeyDirectory } from './key-directory.ts'

const { database, url } = await createTestDatabase()

/** A directory on the database, with each question counted and its answer held back as long as the test says. */
async function slowDirectory({ noticesUrl = url, log = testLog }: { noticesUrl?: string; log?: Logger } = {}) {
  let [asked, answered] = [0, 0]
  let gate = Promise.resolve()
  const query = async (question: Statement) => {
    asked++
    const answer = await database.query(question)
    answered++
    await gate
    return answer
  }
  const slow = Object.create(database, { query: { value: query } }) as Database
  const directory = await openKeyDirectory({ database: slow, url: noticesUrl, log })
  after(directory.close)
  return {
    find: directory.find,
    asked: () => asked,
    answered: () => answered,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
  }
}

async function freshKey() {
  const [made = assert.fail()] = await makeTestKeys(database, 'v1', 1)
  return { id: made.id, hash: hashOf(made.key) }
}

test('a hundred concurrent lookups of an uncached key share one query', async () => {
  const { find, asked } = await slowDirectory()
  const { id, hash } = await freshKey()
  const found = await Promise.all(Array.from({ length: 100 }, () => find(hash)))
  assert.deepEqual(new Set(found.map((holder) => holder?.keyId)), new Set([id]))
  assert.equal(asked(), 1)
})

test('a key that is revoked during a lookup is invalid for later lookups', async () => {
  const { find, asked, answered, hold } = await slowDirectory()
  const { id, hash } = await freshKey()
  const release = hold()
  const before = find(hash)
  await eventually(() => answered() === 1 || undefined)
  await revokeKey(database, id)
  // Once the change is told, nobody joins the reading that began before it.
  let later = before
  await eventually(() => {
    later = find(hash)
    return asked() === 2 || undefined
  })
  release()
  assert.equal((await before)?.keyId, id)
  assert.equal(await later, undefined)
  assert.equal(await find(hash), undefined)
})

test('a holder read while the notification connection was lost is not cached', async () => {
  const proxy = await startDatabaseProxy(url)
  const [lost, heard] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const log = { ...testLog, warn: () => lost.resolve(), info: () => heard.resolve() } as unknown as Logger
  const { find, answered, hold } = await slowDirectory({ noticesUrl: proxy.url, log })
  const { id, hash } = await freshKey()
  proxy.pull()
  await lost.promise
  const release = hold()
  const before = find(hash)
  await eventually(() => answered() === 1 || undefined)
  await revokeKey(database, id) // nobody is told of it
  proxy.plug()
  await heard.promise
  release()
  assert.equal((await before)?.keyId, id)
  assert.equal(await find(hash), undefined)
})
