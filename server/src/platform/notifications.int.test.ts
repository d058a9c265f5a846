import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { testLog as log } from '../../../testing/support/log.ts'
import { listen } from './notifications.ts'
import { sql } from './sql.ts'

const { url, database } = await createTestDatabase({ migrated: false })
const BUSY_MS = 1_000

/** Blocks the event loop, as a long computation does; the database responds meanwhile. */
const blockEventLoop = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)

test('a process that was busy does not treat its connection as lost', async (t) => {
  let lost = 0
  const { promise: wasBusy, resolve } = Promise.withResolvers<void>()
  const { promise: arrival, resolve: onNotification } = Promise.withResolvers<string>()
  const notifications = await listen({
    url,
    channel: 'test_notifications',
    log,
    onNotification,
    onLost: () => (lost += 1),
  })
  t.after(notifications.close)
  t.mock.method(Client.prototype, 'query', function queryAndBlock(this: Client, text: string) {
    t.mock.restoreAll()
    const response = this.query(text)
    setImmediate(blockEventLoop) // beyond the deadline, before the response can be read
    void response.finally(resolve)
    return response
  })
  await wasBusy
  await database.query(sql`select pg_notify('test_notifications', 'still there')`)
  assert.equal(await arrival, 'still there')
  assert.deepEqual({ lost, isListening: notifications.isListening() }, { lost: 0, isListening: true })
})
