/** Restores that take longer than the time limit of statements. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { openDatabase } from '../database.ts'
import { sql } from '../sql.ts'
import { dumpDatabase } from './dump.ts'
import { loadDatabase } from './load.ts'
import { FORMAT, type Manifest } from './manifest.ts'

const [full, empty] = [await createTestDatabase(), await createTestDatabase({ migrated: false })]

test('the statistics after a restore may take longer than other statements', async (t) => {
  const folder = temporaryFolder()
  const dumped = await dumpDatabase(full.database, folder)
  // The statistics of all tables wait for this lock, and so take longer than the limit of this connection.
  await empty.database.query(sql`create table locked (n int)`)
  const holder = await empty.database.connect()
  await holder.query(sql`begin`)
  await holder.query(sql`lock table locked in share update exclusive mode`)
  const limited = openDatabase({ url: `${empty.url}&options=-c%20statement_timeout%3D500ms`, log: testLog })
  t.after(() => limited.end())

  const backup: Manifest = {
    format: FORMAT,
    version: '0.0.0',
    madeAt: new Date().toISOString(),
    ...dumped,
    coinIndexes: [],
  }
  const loaded = loadDatabase({ database: limited, log: testLog }, folder, backup)
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
