import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { inTransaction } from './database.ts'

const { database } = await createTestDatabase({ migrated: false })

/** Ends a connection from the server's side, as a restart of PostgreSQL does, and waits until it is gone. */
async function cut(pid: number): Promise<void> {
  await database.query('select pg_terminate_backend($1, 10000)', [pid])
}

test('plans are not compiled, whatever the server would like: it takes longer than any of our questions', async () => {
  const { rows } = await database.query<{ jit: string }>('show jit')
  assert.deepEqual(rows, [{ jit: 'off' }])
})

test('a connection that breaks between two statements of a transaction fails it, not the process', async () => {
  const work = inTransaction(database, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // It is noticed while nothing is asked of the connection: nobody but the pool could hear of it.
    const ended = new Promise((resolve) => client.once('end', resolve))
    await cut(rows[0]?.pid ?? assert.fail())
    await ended
    await client.query('select 1')
  })
  await assert.rejects(work)
  const { rows } = await database.query<{ one: number }>('select 1 as one')
  assert.deepEqual(rows, [{ one: 1 }], 'the next query opens another connection')
})
