import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { addEventKinds, getEventKinds, type KindName } from './event-kinds.ts'

const { database } = await createTestDatabase()

/** A connection that counts its statements. */
function counting(connection: Queryable) {
  let count = 0
  const query: Queryable['query'] = (statement, values) => {
    count += 1
    return connection.query(statement, values)
  }
  return { client: { query }, count: () => count }
}

test('a connection reads a kind of event once', async () => {
  const known: KindName = { key: 'known.key', category: 'upgrade' }
  const later: KindName = { key: 'later.key', category: 'pause' }
  await addEventKinds(database, [known, later])
  const { client, count } = counting(database)
  const first = await getEventKinds(client, [known])
  assert.equal(count(), 1)
  const second = await getEventKinds(client, [known, known])
  assert.equal(count(), 1)
  assert.deepEqual(second(known), first(known))
  const third = await getEventKinds(client, [known, later])
  assert.equal(count(), 2)
  assert.notEqual(third(later).id, third(known).id)
})

test('a kind that was added in a transaction is not reused after its rollback', async () => {
  const name: KindName = { key: 'rolled.back', category: 'upgrade' }
  const client = await database.connect()
  try {
    await client.query(sql`begin`)
    const lost = (await getEventKinds(client, [name]))(name)
    assert.deepEqual((await getEventKinds(client, [name]))(name), lost)
    await client.query(sql`rollback`)
    const stored = (await getEventKinds(client, [name]))(name)
    assert.notEqual(stored.id, lost.id)
    const { rows } = await client.query<{ id: number }>(sql`select id from event_kind where key = 'rolled.back'`)
    assert.deepEqual(rows, [{ id: stored.id }])
  } finally {
    client.release()
  }
})
