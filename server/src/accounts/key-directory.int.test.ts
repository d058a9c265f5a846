/** Concurrent lookups of one key, and changes of a key during a lookup. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { startDatabaseProxy } from '../../../testing/support/database-proxy.ts'
import { testLog } from '../../../testing/support/log.ts'
import { eventually } from '../../../testing/support/receivers.ts'
import { makeTestKeys } from '../../../testing/support/service.ts'
import { systemClock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Database, Statement } from '../platform/database.ts'
import { hashOf, revokeKey } from './api-keys.ts'
import { openKeyDirectory } from './key-directory.ts'

const { database, url } = await createTestDatabase()

/** A directory whose queries are counted, and whose results are held back until the test releases them. */
async function slowDirectory({ noticesUrl = url, log = testLog }: { noticesUrl?: string; log?: Logger } = {}) {
  let [sent, returned] = [0, 0]
  let released = Promise.resolve()
  const query = async (statement: Statement) => {
    sent++
    const result = await database.query(statement)
    returned++
    await released
    return result
  }
  const slow = Object.create(database, { query: { value: query } }) as Database
  const directory = await openKeyDirectory({ database: slow, url: noticesUrl, clock: systemClock, log })
  after(directory.close)
  return {
    find: directory.find,
    sent: () => sent,
    returned: () => returned,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      return resolve
    },
  }
}

async function freshKey() {
  const [made = assert.fail()] = await makeTestKeys(database, 'v1', 1)
  return { id: made.id, hash: hashOf(made.key) }
}

test('a hundred concurrent lookups of an uncached key share one query', async () => {
  const { find, sent } = await slowDirectory()
  const { id, hash } = await freshKey()
  const found = await Promise.all(Array.from({ length: 100 }, () => find(hash)))
  assert.deepEqual(new Set(found.map((holder) => holder?.keyId)), new Set([id]))
  assert.equal(sent(), 1)
})

test('a key that is revoked during a lookup is invalid for later lookups', async () => {
  const { find, sent, returned, hold } = await slowDirectory()
  const { id, hash } = await freshKey()
  const release = hold()
  const before = find(hash)
  await eventually(() => returned() === 1 || undefined)
  await revokeKey(database, id)
  // After the notification, a lookup does not join the query that began before the change.
  let later = before
  await eventually(() => {
    later = find(hash)
    return sent() === 2 || undefined
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
  const { find, returned, hold } = await slowDirectory({ noticesUrl: proxy.url, log })
  const { id, hash } = await freshKey()
  proxy.pull()
  await lost.promise
  const release = hold()
  const before = find(hash)
  await eventually(() => returned() === 1 || undefined)
  await revokeKey(database, id) // the notification is lost
  proxy.plug()
  await heard.promise
  release()
  assert.equal((await before)?.keyId, id)
  assert.equal(await find(hash), undefined)
})
