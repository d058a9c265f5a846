import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { testLog as log } from '../../../testing/support/log.ts'
import { listen } from './notifications.ts'
import { sql } from './sql.ts'

const { url, database } = await createTestDatabase({ migrated: false })
const BUSY_MS = 1_000

/** Nothing of this process runs meanwhile, as when much is computed; the database answers nevertheless. */
const beBusy = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)

test('a process that was busy does not take its connection for lost', async (t) => {
  let lost = 0
  const { promise: wasBusy, resolve } = Promise.withResolvers<void>()
  const { promise: arrival, resolve: onNotification } = Promise.withResolvers<string>()
  const notices = await listen({ url, channel: 'test_notices', log, onNotification, onLost: () => (lost += 1) })
  t.after(notices.close)
  t.mock.method(Client.prototype, 'query', function askAndBeBusy(this: Client, text: string) {
    t.mock.restoreAll()
    const answer = this.query(text)
    setImmediate(beBusy) // beyond the deadline, before the answer can be read
    void answer.finally(resolve)
    return answer
  })
  await wasBusy
  await database.query(sql`select pg_notify('test_notices', 'still there')`)
  assert.equal(await arrival, 'still there')
  assert.deepEqual({ lost, isListening: notices.isListening() }, { lost: 0, isListening: true })
})
