import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { startDatabaseProxy } from '../../../testing/support/database-proxy.ts'
import { testLog } from '../../../testing/support/log.ts'
import { allowLongWork, inTransaction, openDatabase } from './database.ts'
import { DatabaseSilentError, DatabaseUnreachableError, isStoreOutage } from './errors.ts'
import { sql } from './sql.ts'

const { database, url } = await createTestDatabase({ migrated: false })

/** Ends a connection from the server's side, as a restart of PostgreSQL does, and waits until it is gone. */
async function cut(pid: number): Promise<void> {
  await database.query(sql`select pg_terminate_backend($1, 10000)`, [pid])
}

test('JIT compilation is off, whatever the server is configured for', async () => {
  const { rows } = await database.query<{ jit: string }>(sql`show jit`)
  assert.deepEqual(rows, [{ jit: 'off' }])
})

test('a connection that breaks between two statements fails the transaction, not the process', async () => {
  const work = inTransaction(database, async (client) => {
    const { rows } = await client.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    // The connection ends while no statement runs, so that only the pool can receive the error.
    const ended = new Promise((resolve) => client.once('end', resolve))
    await cut(rows[0]?.pid ?? assert.fail())
    await ended
    await client.query(sql`select 1`)
  })
  await assert.rejects(work, DatabaseUnreachableError)
  const { rows } = await database.query<{ one: number }>(sql`select 1 as one`)
  assert.deepEqual(rows, [{ one: 1 }], 'the next query opens another connection')
})

test('a database that stops responding fails the statement, in a transaction too, and is used again later', async () => {
  const proxy = await startDatabaseProxy(url)
  const proxied = openDatabase({ url: proxy.url, log: testLog, silentMs: 1_000 })
  await proxied.query(sql`select 1`)
  const inTheMiddle = inTransaction(proxied, async (client) => {
    await client.query(sql`select 1`)
    proxy.freeze()
    await client.query(sql`select 1`)
  })
  await assert.rejects(inTheMiddle, DatabaseSilentError)
  proxy.plug()
  assert.equal((await proxied.query(sql`select 1`)).rowCount, 1)
  proxy.freeze()
  await assert.rejects(proxied.query(sql`select 1`), DatabaseSilentError)
  await proxied.end()
})

test('silence is not a fault between statements or during long work', async () => {
  const own = openDatabase({ url, log: testLog, connections: 1, silentMs: 500 })
  await inTransaction(own, async (client) => {
    await client.query(sql`select 1`)
    await database.query(sql`select pg_sleep(1)`) // meanwhile the first connection is idle
    await client.query(sql`select 1`)
  })
  await inTransaction(own, async (client) => {
    await allowLongWork(client, 'transaction')
    await client.query(sql`select pg_sleep(1)`)
  })
  await assert.rejects(
    own.query(sql`select pg_sleep(1)`),
    'the limit applies again to the next client of the connection',
  )
  await own.end()
})

test('every fault of a connection has a code of an outage', async () => {
  const proxy = await startDatabaseProxy(url)
  const proxied = openDatabase({ url: proxy.url, log: testLog, connections: 1 })
  const errorOf = async (work: Promise<unknown>): Promise<unknown> => {
    const [result] = await Promise.allSettled([work])
    return result?.status === 'rejected' ? result.reason : assert.fail('it succeeded')
  }
  await proxied.query(sql`select 1`)
  const inTheMiddle = errorOf(proxied.query(sql`select pg_sleep(60)`))
  setTimeout(proxy.pull, 100)
  assert.ok(isStoreOutage(await inTheMiddle), 'the connection broke under a statement')
  assert.ok(isStoreOutage(await errorOf(proxied.query(sql`select 1`))), 'no connection could be opened')
  assert.ok(isStoreOutage(await errorOf(proxied.connect())))
  await proxied.end()
  assert.ok(!isStoreOutage(await errorOf(database.query(sql`select 1 / 0`))), 'a statement that fails')
  assert.ok(!isStoreOutage(await errorOf(database.query(sql`select 9007199254740993`))), 'a number that is too large')
})
