/** The request log, its rollups and control events on a distributed PostgreSQL (Citus): a coordinator and two workers. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from '../../server/src/platform/sql.ts'
import { dropPartitions, getPartitions } from '../../server/src/traffic/partitions.ts'
import { createDistributedDatabase } from '../support/distributed.ts'
import { citusMissing } from '../support/external-postgres.ts'
import { makeTestAccount, makeTestKey, REPOSITORY, signIn, startService } from '../support/service.ts'

test('requests are logged, rolled up and read on a distributed PostgreSQL', { skip: citusMissing }, async () => {
  const { url, database, workers } = await createDistributedDatabase()
  const service = await startService({ url, database }, { env: { ROLES: 'serve' } })
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

  const again = await startService({ url, database }, { env: { ROLES: 'serve' } })
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

/** Follows a node, and stores, publishes, counts, reads, matches, delivers and retracts events. */
const EVENTS_TEST = 'server/src/control/alerts/alerts.chain.test.ts'

test('events are stored, alerted, read and retracted on a distributed PostgreSQL', {
  skip: citusMissing,
}, async () => {
  const child = spawn(process.execPath, ['--test', join(REPOSITORY, EVENTS_TEST)], {
    env: { ...process.env, TEST_DISTRIBUTED: '1', NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  assert.equal(code, 0, output)
})
