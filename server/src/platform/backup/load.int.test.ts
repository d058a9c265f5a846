/** Restores: slow ones, and what a restored copy sends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accountWithWebhook,
  addressOf,
  claimWebhooks,
  publish,
  subscribe,
  upgradeOf,
} from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { loadAlerts } from '../../control/alerts/alert.ts'
import { webhookId } from '../../control/alerts/webhook-payload.ts'
import { type Database, openDatabase } from '../database.ts'
import { findDeliveryHold, resumeDeliveries } from '../deliveries/delivery-hold.ts'
import { sql } from '../sql.ts'
import { dumpDatabase } from './dump.ts'
import { loadDatabase } from './load.ts'
import { FORMAT, type Manifest } from './manifest.ts'

const backupOf = async (database: Database, folder: string): Promise<Manifest> => ({
  format: FORMAT,
  version: '0.0.0',
  madeAt: new Date().toISOString(),
  ...(await dumpDatabase(database, folder)),
  coinIndexes: [],
})

test('a restored copy sends nothing until it is resumed, and never gives a new message the id of another', async () => {
  const [original, copy] = [await createTestDatabase(), await createTestDatabase({ migrated: false })]
  const contract = addressOf(1)
  await subscribe(original.database, await accountWithWebhook(original.database), contract)
  await publish(original.database, [upgradeOf(contract)])
  const folder = temporaryFolder()
  await loadDatabase(copy.database, folder, await backupOf(original.database, folder))

  // Both go on from the same state with other events.
  for (const { database } of [original, copy]) await publish(database, [upgradeOf(contract)])
  assert.deepEqual(await claimWebhooks(copy.database), [], 'deliveries are held')
  assert.match((await findDeliveryHold(copy.database))?.reason ?? '', /^This is a restored copy of the backup of /)
  assert.equal(await resumeDeliveries(copy.database), true)
  assert.equal(await resumeDeliveries(copy.database), false)

  const idsOf = async (database: Database) => {
    const alerts = await loadAlerts({ database, publicUrl: 'https://gatewatch.example' }, await claimWebhooks(database))
    return new Map(alerts.map((alert) => [webhookId(alert), alert.items[0]?.event.txHash]))
  }
  const [ours, theirs] = [await idsOf(original.database), await idsOf(copy.database)]
  assert.deepEqual([ours.size, theirs.size], [2, 2])
  const shared = [...ours.keys()].filter((id) => theirs.has(id))
  assert.equal(shared.length, 1, 'the message of the backup is the same in both')
  assert.equal(ours.get(shared[0] ?? ''), theirs.get(shared[0] ?? ''))
})

test('a failed restore leaves the database empty', async () => {
  const [original, target] = [await createTestDatabase(), await createTestDatabase({ migrated: false })]
  const folder = temporaryFolder()
  const backup = await backupOf(original.database, folder)
  const last = backup.tables.at(-1) ?? assert.fail()
  const broken: Manifest = { ...backup, tables: [...backup.tables.slice(0, -1), { ...last, rows: last.rows + 1 }] }
  await assert.rejects(loadDatabase(target.database, folder, broken), /nothing was restored/)
  const { rows } = await target.database.query(
    sql`select relname from pg_class where relnamespace = 'public'::regnamespace`,
  )
  assert.deepEqual(rows, [])
  await loadDatabase(target.database, folder, backup)
})

const [full, empty] = [await createTestDatabase(), await createTestDatabase({ migrated: false })]

test('the statistics after a restore may take longer than other statements', async (t) => {
  const folder = temporaryFolder()
  const backup = await backupOf(full.database, folder)
  // The statistics of all tables wait for this lock, and so take longer than the limit of this connection.
  await empty.database.query(sql`create table locked (n int)`)
  const holder = await empty.database.connect()
  await holder.query(sql`begin`)
  await holder.query(sql`lock table locked in share update exclusive mode`)
  const limited = openDatabase({ url: `${empty.url}&options=-c%20statement_timeout%3D500ms`, log: testLog })
  t.after(() => limited.end())

  const loaded = loadDatabase(limited, folder, backup)
  const waited = eventually(async () => {
    const { rows } = await empty.database.query<{ long: boolean }>(
      sql`select now() - query_start > interval '1 second' as long from pg_stat_activity
       where datname = current_database() and query = 'analyze' and state = 'active'`,
    )
    return rows[0]?.long === true ? 'waited' : undefined
  })
  try {
    assert.equal(await Promise.race([loaded.then(() => 'loaded'), waited]), 'waited')
  } finally {
    await holder.query(sql`commit`)
    holder.release()
  }
  await loaded
})
