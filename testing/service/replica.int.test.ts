/** Reads go to the replica, writes to the primary; without the replica all go to the primary. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../../server/src/platform/database.ts'
import { migrate } from '../../server/src/platform/migrate.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { addressOf, publish, upgradeOf } from '../support/alerts.ts'
import { replicaMissing, startExternalPostgres, startReplica } from '../support/external-postgres.ts'
import { testLog } from '../support/log.ts'
import { eventually } from '../support/receivers.ts'
import { makeTestAccount, makeTestKey, startService } from '../support/service.ts'

test('reads go to the streaming replica, and to the primary if it is unreachable', {
  skip: replicaMissing,
}, async () => {
  const primary = await startExternalPostgres()
  const database = openDatabase({ url: primary.url, log: testLog })
  after(() => database.end())
  await migrate(database, testLog)
  const replica = await startReplica(primary)
  const standby = openDatabase({ url: replica.url, log: testLog, connections: 1 })
  after(() => standby.end())

  const env = { ROLES: 'serve', DATABASE_READ_URL: replica.url }
  const service = await startService({ url: primary.url, database }, { env })
  const { key } = await makeTestKey(database, await makeTestAccount(database, { plan: 'team' }), 'v1')
  const readEvents = async () => {
    const answer = await fetch(`${service.url}/v1/events`, { headers: { authorization: `Bearer ${key}` } })
    return [answer.status, ((await answer.json()) as { data?: unknown[] }).data?.length]
  }

  const pause = async () => {
    await standby.query(sql`select pg_wal_replay_pause()`)
    await eventually(async () => {
      const { rows } = await standby.query<{ state: string }>(sql`select pg_get_wal_replay_pause_state() as state`)
      return rows[0]?.state === 'paused' || undefined
    })
  }

  // The key is read from the primary, so the replica may lack it.
  assert.deepEqual(await readEvents(), [200, 0])
  await publish(database, [upgradeOf(addressOf(1))])
  await eventually(async () => ((await readEvents())[1] === 1 ? true : undefined))

  // An event that only the primary has shows which server is read.
  await pause()
  await publish(database, [upgradeOf(addressOf(2))])
  assert.deepEqual(await readEvents(), [200, 1])
  await standby.query(sql`select pg_wal_replay_resume()`)
  await eventually(async () => ((await readEvents())[1] === 2 ? true : undefined))

  await pause()
  await publish(database, [upgradeOf(addressOf(3))])
  await replica.stop()
  assert.deepEqual(await readEvents(), [200, 3], 'read from the primary')
})
