/** The request log and its rollups on a distributed PostgreSQL (Citus): a coordinator and two workers. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '../../server/src/platform/database.ts'
import { migrate } from '../../server/src/platform/migrate.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { dropPartitions, getPartitions } from '../../server/src/traffic/partitions.ts'
import { citusMissing, startExternalPostgres } from '../support/external-postgres.ts'
import { testLog } from '../support/log.ts'
import { looseSql } from '../support/loose-sql.ts'
import { makeTestAccount, makeTestKey, REPOSITORY, signIn, startService } from '../support/service.ts'

/** The statements of the operator's guide that distribute the tables. */
const DISTRIBUTE = [
  ...readFileSync(join(REPOSITORY, 'docs', 'operations.md'), 'utf8').matchAll(/^select create_distributed_table.*$/gm),
]
  .map(([statement]) => statement)
  .join('\n')

test('requests are logged, rolled up and read on a distributed PostgreSQL', { skip: citusMissing }, async () => {
  const settings = { shared_preload_libraries: 'citus', 'citus.node_conninfo': 'sslmode=disable' }
  const [coordinator, ...workers] = await Promise.all([1, 2, 3].map(() => startExternalPostgres({ settings })))
  assert.ok(coordinator !== undefined)
  for (const { url } of [coordinator, ...workers]) {
    const node = openDatabase({ url, log: testLog, connections: 1 })
    await node.query(sql`create extension citus`)
    await node.end()
  }
  const database = openDatabase({ url: coordinator.url, log: testLog })
  after(() => database.end())
  await database.query(sql`select citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator.port])
  for (const { port } of workers) await database.query(sql`select citus_add_node('127.0.0.1', $1)`, [port])
  await migrate(database, testLog)
  await database.query(looseSql`${DISTRIBUTE}`)

  const service = await startService({ url: coordinator.url, database }, { env: { ROLES: 'serve' } })
  const accounts = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const account = await makeTestAccount(database, { plan: 'team' })
      return { account, key: (await makeTestKey(database, account, 'v1')).key }
    }),
  )
  for (const [index, { key }] of accounts.entries())
    for (let count = 0; count <= index; count++) {
      const response = await fetch(`${service.url}/v1/events`, { headers: { authorization: `Bearer ${key}` } })
      assert.equal(response.status, 200)
      await response.arrayBuffer()
    }
  await service.stop() // writes what is buffered

  const again = await startService({ url: coordinator.url, database }, { env: { ROLES: 'serve' } })
  for (const [index, { account }] of accounts.entries()) {
    const cookie = await signIn(again, account)
    const { token } = (await (await fetch(`${again.url}/api/auth/token`, { headers: { cookie } })).json()) as {
      token: string
    }
    const overview = await fetch(`${again.url}/api/v1/analytics/overview`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = (await overview.json()) as { data: { requests: number } }
    assert.equal(data.requests, index + 1, account.email)
  }

  const { rows: shards } = await database.query<{ table_name: string; nodeport: number }>(
    sql`select distinct table_name::text, nodeport from citus_shards where table_name in
      ('request_log'::regclass, 'request_hour'::regclass, 'request_day'::regclass)`,
  )
  assert.deepEqual(
    new Set(shards.map(({ table_name, nodeport }) => `${table_name} ${nodeport}`)),
    new Set(
      ['request_log', 'request_hour', 'request_day'].flatMap((name) => workers.map(({ port }) => `${name} ${port}`)),
    ),
  )
  const { rows } = await database.query<{ logged: number }>(sql`select count(*)::int as logged from request_log`)
  assert.deepEqual(rows, [{ logged: 36 }])

  await dropPartitions(database, Date.now() + 86_400_000)
  assert.ok((await getPartitions(database)).every(({ day }) => day > Date.now()))
})
